// Floats in memory, from the start of a cache line on.
//
// A WebAssembly module's allocator promises 8 bytes. From such a place every fourth vector of four
// floats reaches into a second line, which is two accesses: a training step took up to 12 % longer,
// more or less of it with every change to anything allocated earlier.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace poslab {

inline constexpr std::size_t kCacheLine = 64;  // bytes

// For std::vector; see Floats.
template <class T>
struct LineAllocator {
  using value_type = T;

  LineAllocator() = default;
  template <class U>
  LineAllocator(const LineAllocator<U>&) {}

  T* allocate(std::size_t n) {
    return static_cast<T*>(::operator new (n * sizeof(T), std::align_val_t{kCacheLine}));
  }
  void deallocate(T* p, std::size_t) { ::operator delete (p, std::align_val_t{kCacheLine}); }

  bool operator==(const LineAllocator&) const = default;
};

// What kernels read and write: weights, gradients, activations.
using Floats = std::vector<float, LineAllocator<float>>;

}  // namespace poslab
