// The part of the Embind table that says how much memory the module holds.
#include <emscripten/bind.h>
#include <emscripten/heap.h>
#include <malloc.h>

namespace {

struct MemoryOut {
  double heap_bytes, bytes_in_use;
};

MemoryOut memory() {
  return {static_cast<double>(emscripten_get_heap_size()),
          static_cast<double>(mallinfo().uordblks)};
}

}  // namespace

EMSCRIPTEN_BINDINGS(poslab_memory) {
  emscripten::value_object<MemoryOut>("Memory")
      .field("heap_bytes", &MemoryOut::heap_bytes)  // only ever grows
      .field("bytes_in_use", &MemoryOut::bytes_in_use);
  emscripten::function("memory", &memory);
}
