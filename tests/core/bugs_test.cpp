#include "probe/bugs.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <set>

#include "support.h"

using namespace poslab;
using namespace poslab::test;

TEST_CASE("six of the eight variants lose what positions are for, two are harmless", "[bugs]") {
  const std::set<std::string> harmless{"sin_cos_order", "alibi_key_index"};
  CHECK(bug_names().size() == 8);
  for (const std::string& name : bug_names()) {
    for (const std::uint64_t seed : {0, 1, 2, 3, 4, 5, 6, 7}) {
      const BugReport report = run_bug(name, seed);
      INFO(name << ", seed " << seed << ": right " << report.right << ", variant "
                << report.variant);
      CHECK(report.faulty == !harmless.contains(name));
      CHECK(report.right <= report.threshold / 5);
      if (report.faulty) {
        CHECK(report.variant > 1.9 * report.threshold);
      } else {
        CHECK(report.variant < report.threshold / 5);
      }
      // Harmless or not, the numbers that a learner would compare do differ.
      CHECK(report.has_wrong_cell);
      CHECK(std::fabs(report.expected(report.row, report.column) -
                      report.given(report.row, report.column)) > 1e-4);
      CHECK(report.expected.shape() == report.given.shape());
    }
  }
}

TEST_CASE("the first wrong cells are where the lesson says", "[bugs]") {
  const BugReport sines = run_bug("sines_only", 0);
  CHECK((sines.row == 0 && sines.column == 1));
  CHECK((sines.expected(0, 1) == 1.0f && sines.given(0, 1) == 0.0f));
  // The first token stands at position 0 anyway.
  CHECK(run_bug("position_0_after_cache", 0).row == 1);
  CHECK(run_bug("rope_on_values", 0).row == 1);
  CHECK(refusal([] { run_bug("none", 0); }) == "There is no variant named \"none\".");
}
