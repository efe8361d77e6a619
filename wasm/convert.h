// What the Embind tables share: the types that TypeScript sees instead of `any`, copies into
// JavaScript's arrays, numbers that must be whole, sentences for memory that runs out.
#pragma once

#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <new>
#include <string>
#include <type_traits>
#include <vector>

#include "error.h"
#include "tensor.h"

EMSCRIPTEN_DECLARE_VAL_TYPE(Float32Array);
EMSCRIPTEN_DECLARE_VAL_TYPE(Float64Array);
EMSCRIPTEN_DECLARE_VAL_TYPE(Int32Array);
EMSCRIPTEN_DECLARE_VAL_TYPE(NumberList);
EMSCRIPTEN_DECLARE_VAL_TYPE(StringList);

namespace poslab {

using emscripten::val;

template <class Array, class T>
Array copy_of(const T* data, std::size_t size) {
  return Array(val(emscripten::typed_memory_view(size, data)).call<val>("slice"));
}

// `type`: the typed array it must be.
inline void require_array(const char* name, const char* type, const val& array) {
  require(array.instanceof (val::global(type)), std::string(name) + " must be a " + type + ".");
}

inline void require_length(const char* name, const char* type, const val& array,
                           std::size_t length) {
  require_array(name, type, array);
  const double given = array["length"].as<double>(), wanted = static_cast<double>(length);
  require(given == wanted, std::string(name) + " has " + text_of(given) +
                               " numbers; it must have " + text_of(wanted) + ".");
}

// From the core's memory to a typed array that JavaScript owns and back, in one copy.
template <class T>
void write_to(const val& array, const T* data, std::size_t size) {
  array.call<void>("set", val(emscripten::typed_memory_view(size, data)));
}
template <class T>
void read_from(const val& array, T* data, std::size_t size) {
  val(emscripten::typed_memory_view(size, data)).call<void>("set", array);
}

template <class List, class Range>
List list_of(const Range& range) {
  val list = val::array();
  for (const auto& element : range) list.call<void>("push", element);
  return List(list);
}

struct TensorOut {
  NumberList shape{val::array()};
  Float32Array data{val::undefined()};
};

template <std::size_t N>
TensorOut tensor_out(const Tensor<N>& tensor) {
  return {list_of<NumberList>(std::vector<int>(tensor.shape().begin(), tensor.shape().end())),
          copy_of<Float32Array>(tensor.data(), tensor.size())};
}

// --- fields that JavaScript gives as doubles and the core keeps as whole numbers ---

template <std::size_t N>
struct FieldName {
  char text[N];
  constexpr FieldName(const char (&name)[N]) { std::copy_n(name, N, text); }
};

template <class Struct, auto Member>
double get_whole(const Struct& s) {
  return static_cast<double>(s.*Member);
}

template <class Struct, auto Member, FieldName name>
void set_whole(Struct& s, double value) {
  using T = std::remove_reference_t<decltype(s.*Member)>;
  // Only whether the field can hold it; what is sensible, the core checks. 2^53 - 1: beyond,
  // JavaScript's numbers skip whole ones.
  const bool wide = sizeof(T) == 8;
  const double most = wide ? 9007199254740991.0 : std::numeric_limits<int>::max();
  require(value == std::floor(value),
          std::string(name.text) + " is " + text_of(value) + "; it must be a whole number.");
  require_between(name.text, value, wide ? 0.0 : -most, most);
  s.*Member = static_cast<T>(value);
}

inline int whole(const char* name, double value, double least, double most) {
  require_whole(name, value, least, most);
  return static_cast<int>(value);
}

// --- arguments and results of plain functions ---

inline std::vector<float> floats(const val& data) {
  return emscripten::convertJSArrayToNumberVector<float>(data);
}

inline int as_int(const char* name, double value) {
  return whole(name, value, -2147483648.0, 2147483647.0);
}

inline std::uint64_t seed_in(double value) {
  require_whole("seed", value, 0, 9007199254740991.0);
  return static_cast<std::uint64_t>(value);
}

inline Float64Array doubles(const std::vector<double>& x) {
  return copy_of<Float64Array>(x.data(), x.size());
}

// Runs f; out of memory becomes a sentence with advice.
template <class F>
auto within_memory(
    F f, const char* advice = "Choose a smaller batch_size, block_size, n_embd or n_layer.") {
  try {
    return f();
  } catch (const std::bad_alloc&) {
  } catch (const std::length_error&) {
  }
  throw Error(std::string("There is not enough memory for this. ") + advice);
}

}  // namespace poslab

// A field that must be a whole number, so that 3.5 layers are refused by name instead of cut to 3.
#define WHOLE(Struct, name)                       \
  field(#name, &get_whole<Struct, &Struct::name>, \
        &set_whole<Struct, &Struct::name, FieldName(#name)>)

// A field under its own name.
#define FIELD(Struct, name) field(#name, &Struct::name)
