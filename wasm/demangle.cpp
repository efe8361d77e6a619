// Keeps libc++abi's decoder of mangled C++ names, 48 kB that every reader would have to fetch, out
// of the module. Only the text of an exception asks for it, to name the exception's type; nobody is
// shown that.
extern "C" char* __cxa_demangle(const char*, char*, unsigned long*, int* status) {
  *status = -2;  // not a name that can be decoded: callers then use it as it is
  return nullptr;
}
