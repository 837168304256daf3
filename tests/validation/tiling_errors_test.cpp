// Theorems 3.2.1, 3.2.4, 3.2.5, B.1.3 and B.1.4 of Yu 2024: measured error against bound.
#include "validation/geometry/tiling_errors.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "mctensor/error.hpp"
#include "tests/message_of.hpp"

namespace mct::validation {
namespace {

constexpr double u = 0x1p-53;
const std::vector<double> distances = {1.5, 5, 10, 15, 17, 30, 60, 120, 300, 600};

void expect_bounded(TilingError what, double least_share, double largest = INFINITY) {
  double share = 0;
  for (const TilingErrorRow& row : tiling_errors(what, distances, 40)) {
    if (row.distance > largest) continue;
    EXPECT_LE(row.measured, row.bound) << "at " << row.distance;
    share = std::max(share, row.measured / row.bound);
  }
  EXPECT_GE(share, least_share) << "the bound has nothing to do with the error";
}

TEST(TilingErrors, TheoremsHold) {
  expect_bounded(TilingError::lorentz_point, 0.5);
  expect_bounded(TilingError::ltiling_point_of_three, 0.3);
  expect_bounded(TilingError::ltiling_point, 0.1);
  expect_bounded(TilingError::htiling_point, 0.2);
  expect_bounded(TilingError::ltiling_distance, 0.02);
  expect_bounded(TilingError::ltiling_far_distance, 0.05);
  expect_bounded(TilingError::ltiling_gradient, 0.02);
}

/// First-order bounds: while they are small.
TEST(TilingErrors, LorentzModelLosesItsDigits) {
  expect_bounded(TilingError::lorentz_distance, 0.02, 15);
  expect_bounded(TilingError::lorentz_gradient, 0.02, 15);
  for (const TilingErrorRow& row : tiling_errors(TilingError::lorentz_distance, distances, 40)) {
    if (row.distance >= 30) {
      EXPECT_FALSE(row.measured < 0.1) << row.distance;
    }
  }
}

/// The constant 2 that Theorem B.1.3 prints is too small, its asymptote 2 d + log u starts where
/// e^(2 d) exceeds 1/u.
TEST(TilingErrors, PrintedConstants) {
  bool above = false;
  for (const TilingErrorRow& row :
       tiling_errors(TilingError::lorentz_distance, {2, 4, 6, 8, 10}, 400)) {
    const double printed = (2 * std::pow(std::cosh(row.distance), 2) / std::sinh(2.0) + 2) * u;
    above = above || row.measured > printed;
  }
  EXPECT_TRUE(above);
  for (const TilingErrorRow& row : tiling_errors(TilingError::lorentz_point, distances, 1)) {
    const double asymptote = 2 * row.distance + std::log(u);
    EXPECT_EQ(std::fabs(row.bound - asymptote) < 0.3, row.distance > 18.5) << row.distance;
  }
}

/// The theorem's constants are loose, but they hold.
TEST(TilingErrors, ConstantOfTheoremB13) {
  for (const TilingErrorRow& row :
       tiling_errors(TilingError::ltiling_far_distance, distances, 20)) {
    const double d = (row.bound / u - 68) / 2;
    if (d >= 2) {
      EXPECT_LE(row.measured, (d + theorem_b13_constant()) * u);
    }
  }
}

TEST(TilingErrors, RefusesDistances) {
  for (const double d : {0.0, -1.0, 701.0, double(NAN)}) {
    EXPECT_NE(
        testing::message_of<DomainError>([&] { tiling_errors(TilingError::ltiling_point, {d}); }),
        "");
  }
}

}  // namespace
}  // namespace mct::validation
