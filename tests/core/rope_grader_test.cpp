// What learners' RoPE makes of vectors, mistake by mistake.
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <functional>

#include "io/number_format.h"
#include "position/rope.h"
#include "probe/grader.h"
#include "support.h"

using namespace poslab;
using namespace poslab::test;

namespace {

std::string names_of(const Grade& grade) {
  std::string out;
  for (const Mistake& m : grade.mistakes) out += (out.empty() ? "" : " + ") + m.name;
  return out.empty() ? grade.verdict : out;
}

using Turn = std::function<std::vector<float>(const std::vector<float>& x, int p)>;

Grade grade(int n, int d, const RopeTask& task, const Turn& turn) {
  Rng rng(4, "rope_grader");
  const std::vector<float> inputs = random_floats(rng, static_cast<std::size_t>(n) * d);
  std::vector<float> outputs;
  for (int p = 0; p < n; ++p) {
    const std::vector<float> row = turn({inputs.begin() + p * d, inputs.begin() + (p + 1) * d}, p);
    outputs.insert(outputs.end(), row.begin(), row.end());
  }
  return grade_rope(inputs, outputs, n, d, task);
}

// Angles laid out for one pairing, numbers swapped for the other, as a learner may write it.
std::vector<float> mixed(const std::vector<float>& x, int p, bool angles_half, bool swaps_half) {
  const int d = static_cast<int>(x.size()), pairs = d / 2;
  std::vector<float> out;
  for (int c = 0; c < d; ++c) {
    const int i = angles_half ? c % pairs : c / 2;
    const double angle = p / std::pow(10000.0, 2.0 * i / d);
    const bool first = swaps_half ? c < pairs : c % 2 == 0;
    const int other = swaps_half ? (c + pairs) % d : (first ? c + 1 : c - 1);
    out.push_back(
        static_cast<float>(x[c] * std::cos(angle) + (first ? -1 : 1) * x[other] * std::sin(angle)));
  }
  return out;
}

constexpr int kSizes[][2] = {{10, 8}, {20, 64}, {3, 4}, {6, 12}};

}  // namespace

TEST_CASE("RoPE that is right is never accused", "[grader][rope]") {
  for (const RopePairing pairing : {RopePairing::half, RopePairing::adjacent}) {
    for (const int n : {1, 2, 5, 40}) {
      for (const int d : {2, 4, 6, 64}) {
        RopeTask task;
        task.pairing = pairing;
        const Grade right = grade(
            n, d, task, [&](const std::vector<float>& x, int p) { return rope(x, p, pairing); });
        INFO(n << " x " << d << ": " << right.sentence);
        CHECK(right.verdict == "correct");
        CHECK(right.largest < 1e-5);
        if (n == 1) CHECK_FALSE(right.alternatives.empty());
        if (n >= 5 && d >= 6) CHECK(right.alternatives.empty());
      }
    }
  }
}

TEST_CASE("RoPE mistakes are named", "[grader][rope]") {
  for (const auto& [n, d] : kSizes) {
    for (const RopePairing pairing : {RopePairing::half, RopePairing::adjacent}) {
      RopeTask task;
      task.pairing = pairing;
      const bool half = pairing == RopePairing::half;
      const RopePairing other = half ? RopePairing::adjacent : RopePairing::half;
      const auto named = [&, n = n, d = d](const Turn& turn) {
        const Grade g = grade(n, d, task, turn);
        UNSCOPED_INFO(n << " x " << d << " " << name_of(pairing) << ": " << g.sentence);
        return names_of(g);
      };
      using Row = std::vector<float>;
      CHECK(named([&](const Row& x, int p) { return rope(x, p, other); }) == "pairing_other");
      CHECK(named([&](const Row& x, int p) { return mixed(x, p, half, !half); }) ==
            "pairing_mixed");
      CHECK(named([&](const Row& x, int p) { return mixed(x, p, !half, half); }) ==
            "pairing_mixed");
      CHECK(named([&](const Row& x, int p) { return rope(x, -p, pairing); }) == "wrong_sign");
      CHECK(named([&](const Row& x, int p) { return rope(x, p + 1, pairing); }) ==
            "positions_from_1");
      CHECK(named([&](const Row& x, int) { return x; }) == "not_turned");
      CHECK(named([&](const Row& x, int) { return rope(x, 3, pairing); }) == "position_constant");
      CHECK(named([&](const Row& x, int p) {
              return rope(x, p * 0.017453292519943295, pairing);
            }) == "degrees");
      CHECK(named([&](const Row& x, int p) { return rope(x, p, pairing, 500000.0); }) ==
            "other_base");
      CHECK(named([&](const Row& x, int p) {
              Row y(x);
              const Row turned = rope(Row(x.begin(), x.begin() + 2), p, pairing);
              std::copy(turned.begin(), turned.end(), y.begin());
              return y;
            }) == "partial_width");
      CHECK(named([&](const Row& x, int p) {
              Row y = rope(x, p, pairing);
              for (float& v : y) v = round_to_half(v);
              return y;
            }) == "float16");
    }
  }
}

TEST_CASE("another pairing is harmless, a mixed one is not: norms tell", "[grader][rope]") {
  const Grade other = grade(10, 8, {}, [](const std::vector<float>& x, int p) {
    return rope(x, p, RopePairing::adjacent);
  });
  CHECK(other.verdict == "harmless");
  const Grade mix =
      grade(10, 8, {}, [](const std::vector<float>& x, int p) { return mixed(x, p, false, true); });
  CHECK(mix.verdict == "mistaken");
}

TEST_CASE("one angle for every pair is named as that, whatever led to it", "[grader][rope]") {
  for (const RopePairing pairing : {RopePairing::half, RopePairing::adjacent}) {
    RopeTask task;
    task.pairing = pairing;
    const Grade same = grade(10, 8, task, [&](const std::vector<float>& x, int p) {
      return rope(x, p, pairing, 1.0);  // 1 to any exponent divides the position by 1
    });
    CHECK(names_of(same) == "same_angle");
    CHECK(same.alternatives.empty());
    CHECK(same.sentence.find("Every pair turns by the same angle") != std::string::npos);
  }
}

TEST_CASE("vectors that come back as they were given are said to be unturned", "[grader][rope]") {
  const Grade still = grade(10, 8, {}, [](const std::vector<float>& x, int) { return x; });
  REQUIRE(still.mistakes.size() == 1);
  CHECK(still.mistakes[0].symptom == "Nothing was turned: the vectors are as they were given.");
}

TEST_CASE("values must come out as they went in", "[grader][rope]") {
  RopeTask task;
  task.role = RopeRole::value;
  CHECK(grade(10, 8, task, [](const std::vector<float>& x, int) { return x; }).verdict ==
        "correct");
  CHECK(names_of(grade(10, 8, task, [](const std::vector<float>& x, int p) {
          return rope(x, p);
        })) == "values_rotated");
  CHECK(names_of(grade(10, 8, task, [](const std::vector<float>& x, int p) {
          return rope(x, p, RopePairing::adjacent);
        })) == "values_rotated");
  CHECK(names_of(grade(10, 8, task, [](const std::vector<float>& x, int) {
          std::vector<float> y(x);
          y[3] += 1;
          return y;
        })) == "unknown");
}

TEST_CASE("RoPE tasks that make no sense are refused", "[grader][rope]") {
  CHECK(refusal([] {
          grade_rope({1, 2, 3}, {1, 2, 3}, 1, 3, {});
        }) == "columns is 3; RoPE turns pairs, so it must be an even number.");
  CHECK(refusal([] {
          grade_rope({1, 2}, {1}, 1, 2, {});
        }) == "outputs has 1 number; 1 row of 2 has 2.");
  CHECK(refusal([] { rope_role_named("x"); }) ==
        "role is \"x\"; it must be \"query\", \"key\" or \"value\".");
}

TEST_CASE("every mistake has a name of its own and all of its sentences", "[grader]") {
  for (const Mistake& mistake : mistakes()) {
    INFO(mistake.name);
    CHECK(&mistake_named(mistake.name) == &mistake);
    for (const std::string& text : {mistake.symptom, mistake.cause, mistake.cure})
      CHECK((text.size() > 10 && text.ends_with('.')));
    CHECK_FALSE(mistake.title.empty());
  }
  CHECK(refusal([] { mistake_named("wrong"); }) == "There is no mistake named \"wrong\".");
}
