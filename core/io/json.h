// A small reader of JSON (RFC 8259) for the headers of files.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace poslab {

struct Json {
  enum class Kind { null, boolean, number, string, array, object };
  Kind kind = Kind::null;
  bool truth = false;
  std::string text;  // a string's characters in UTF-8, or a number as it is written
  std::vector<Json> items;
  std::vector<std::pair<std::string, Json>> members;  // in the order of the text

  const Json* member(std::string_view name) const;  // nullptr = none
};

// Throws where and what is wrong; more than 32 levels of nesting are refused.
Json parse_json(std::string_view text);

}  // namespace poslab
