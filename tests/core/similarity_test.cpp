#include "probe/similarity.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "position/sinusoidal.h"
#include "support.h"

using namespace poslab;

TEST_CASE("cosines of a few rows are the ones computed by hand", "[similarity]") {
  const float rows[] = {3,  4,  0,  //
                        4,  3,  0,  //
                        0,  0,  2,  //
                        -6, -8, 0};
  const Tensor<2> cosines = cosine_similarity(rows, 4, 3);
  const double expected[4][4] = {
      {1, 0.96, 0, -1}, {0.96, 1, 0, -0.96}, {0, 0, 1, 0}, {-1, -0.96, 0, 1}};
  REQUIRE(cosines.shape() == Tensor<2>::shape_type{4, 4});
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) CHECK(std::fabs(cosines(i, j) - expected[i][j]) < 1e-6);
  }
}

TEST_CASE("a row of zeros is like no other", "[similarity]") {
  const float rows[] = {0, 0, 1, 1};
  const Tensor<2> cosines = cosine_similarity(rows, 2, 2);
  CHECK(cosines(0, 0) == 0.0f);
  CHECK(cosines(0, 1) == 0.0f);
  CHECK(cosines(1, 0) == 0.0f);
}

TEST_CASE("cosines do not depend on the length of rows, tiny and huge ones included",
          "[similarity]") {
  const float rows[] = {1e-30f, 2e-30f, 1e30f, 2e30f};
  CHECK(std::fabs(cosine_similarity(rows, 2, 2)(0, 1) - 1.0f) < 1e-6);
}

TEST_CASE("cosines of sinusoidal rows depend on the distance only", "[similarity]") {
  const Tensor<2> waves = sinusoidal(40, 16);
  const Tensor<2> cosines = cosine_similarity(waves.data(), 40, 16);
  for (int distance : {0, 1, 7}) {
    for (int p = 1; p + distance < 40; ++p) {
      CHECK(std::fabs(cosines(p, p + distance) - cosines(0, distance)) < 1e-6);
    }
  }
  // By hand: the mean of cos(distance * frequency) over the pairs.
  double expected = 0.0;
  for (int i = 0; i < 8; ++i) expected += std::cos(7.0 * std::pow(10000.0, -i / 8.0)) / 8.0;
  CHECK(std::fabs(cosines(3, 10) - expected) < 1e-6);
}
