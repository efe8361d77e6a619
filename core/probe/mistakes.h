// The mistakes that learners make when they build position encodings, with what one sees, why, and
// what to change. Graders name them; this file is their only list.
#pragma once

#include <string>
#include <vector>

namespace poslab {

struct Mistake {
  std::string name;     // as the page refers to it: "cosine_exponent"
  std::string title;    // within a sentence: "the cosine's own exponent"
  bool harmless;        // a model would learn as well with it
  std::string symptom;  // sentences
  std::string cause;
  std::string cure;
};

const std::vector<Mistake>& mistakes();
const Mistake& mistake_named(const std::string& name);  // throws on an unknown name

}  // namespace poslab
