// What is chosen for a graph by its number of edges.
#include "mctensor/embed/usual_options.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "mctensor/error.hpp"

namespace mct::embed {
namespace {

TEST(UsualOptions, GrowWithTheGraph) {
  const auto small = usual_options({}, Optimizer::rsgd, 2'000);
  EXPECT_EQ(small.batch, 32);
  EXPECT_DOUBLE_EQ(small.lr, 1.6);
  EXPECT_EQ(small.epochs, 400);
  EXPECT_EQ(small.burn_in, 20);
  const auto middle = usual_options({}, Optimizer::rsgd, 20'000);
  EXPECT_EQ(middle.batch, 128);
  EXPECT_DOUBLE_EQ(middle.lr, 0.1 * 128);
  const auto large = usual_options({}, Optimizer::rsgd, 1'000'000);
  EXPECT_EQ(large.batch, 512);
  EXPECT_EQ(large.epochs, 160);
  EXPECT_EQ(usual_options({}, Optimizer::rsgd, 1'000'000'000).epochs, 100);
}

TEST(UsualOptions, LetTheRateRiseAndFallAgain) {
  for (const std::int64_t epochs : {1, 4, 7, 30, 400, 1000}) {
    const auto options = usual_options({}, Optimizer::rsgd, 2'000, {}, epochs);
    EXPECT_EQ(options.cool_down, std::max<std::int64_t>(epochs / 5, 1));
    EXPECT_EQ(options.lr_peak, 16);
  }
  EXPECT_NO_THROW(usual_options({}, Optimizer::rsgd, 2'000, {}, 0).check());
  EXPECT_EQ(usual_options({}, Optimizer::rsgd, 1'999).lr_peak, 1);
  EXPECT_EQ(usual_options({}, Optimizer::rsgd, 1'999).epochs, 1000);
  EXPECT_EQ(usual_options({}, Optimizer::radam, 2'000).lr_peak, 1);
  EXPECT_EQ(usual_options({}, Optimizer::radam, 2'000).epochs, 1000);
}

TEST(UsualOptions, AreSharperWhereThereAreMoreDimensions) {
  const auto in = [](int dimensions, int factors, std::size_t edges, Optimizer optimizer) {
    EmbeddingSpace space;
    space.dimensions = dimensions;
    space.factors = factors;
    return usual_options(space, optimizer, edges);
  };
  EXPECT_EQ(in(2, 1, 1'000, Optimizer::rsgd).sharpness, 0.3);
  EXPECT_EQ(in(3, 1, 1'000, Optimizer::rsgd).sharpness, 2);
  EXPECT_EQ(in(2, 5, 1'000, Optimizer::rsgd).sharpness, 2);
  EXPECT_EQ(in(5, 1, 1'000, Optimizer::rsgd).lr, 1);
  EXPECT_EQ(in(5, 1, 100'000, Optimizer::rsgd).sharpness, 1);
  EXPECT_EQ(in(5, 1, 100'000, Optimizer::rsgd).lr, 10);
  EXPECT_EQ(in(10, 1, 1'000, Optimizer::radam).sharpness, 0.3);
  EXPECT_EQ(in(2, 1, 1'000, Optimizer::rsgd).longest_step, 1);
}

TEST(UsualOptions, StandInATable) {
  std::size_t lines = 0;
  for (const char c : usual_descents_text()) lines += c == '\n' ? 1 : 0;
  EXPECT_EQ(lines, usual_descents().size());
  EXPECT_EQ(usual_descents_text().substr(0, usual_descents_text().find('\n')),
            "fewer than 2000 edges, up to 2 dimensions: sharpness 0.3, rate 0.1 x batch");
}

TEST(UsualOptions, OfRadamAreTheLengthOfAStep) {
  const auto options = usual_options({}, Optimizer::radam, 1'000'000);
  EXPECT_DOUBLE_EQ(options.lr, 0.1);
  EXPECT_DOUBLE_EQ(options.eps, 1.0 / 512);
  EXPECT_EQ(options.optimizer, Optimizer::radam);
}

TEST(UsualOptions, FollowTheBatchAndTheEpochsThatAreGiven) {
  const auto of_batch = usual_options({}, Optimizer::rsgd, 1'000, 64);
  EXPECT_EQ(of_batch.batch, 64);
  EXPECT_DOUBLE_EQ(of_batch.lr, 6.4);
  EXPECT_DOUBLE_EQ(of_batch.eps, 1.0 / 64);
  EXPECT_DOUBLE_EQ(usual_options({}, Optimizer::radam, 1'000, 64).lr, 0.1);
  const auto of_epochs = usual_options({}, Optimizer::rsgd, 1'000, {}, 30);
  EXPECT_EQ(of_epochs.epochs, 30);
  EXPECT_EQ(of_epochs.burn_in, 6);
}

TEST(UsualOptions, AreValidInEveryModel) {
  for (const PointStorage model :
       {PointStorage::ball, PointStorage::lorentz, PointStorage::half_space,
        PointStorage::xmc_half_space, PointStorage::mc_half_space, PointStorage::l_tiling}) {
    const EmbeddingSpace space{model, 2, usual_components(model), 1, 1.0};
    const auto options = usual_options(space, Optimizer::rsgd, 0);
    EXPECT_EQ(options.space, space);
    EXPECT_NO_THROW(options.check());
  }
  for (const PointStorage storage : {PointStorage::ball, PointStorage::lorentz}) {
    const auto in_float = [&](int dimensions) {
      return usual_options({storage, dimensions, 1, 1, 1}, Optimizer::rsgd, 5'000, {}, {},
                           Dtype::float32);
    };
    EXPECT_EQ(in_float(2).dtype, Dtype::float32);
    EXPECT_EQ(in_float(2).sharpness, 1);
    EXPECT_EQ(in_float(5).sharpness, 2);
  }
  EXPECT_EQ(usual_components(PointStorage::xmc_half_space), 2);
  EXPECT_EQ(usual_components(PointStorage::ball), 1);
}

TEST(UsualOptions, OfConesAreThoseOfTheirKindAndModel) {
  const auto umbral = usual_options({ConeKind::umbral, PointStorage::half_space, 3});
  EXPECT_EQ(umbral.cones, (ConeSystem{ConeKind::umbral, PointStorage::half_space, 3, 1, 0.05}));
  EXPECT_EQ(umbral.gamma_1, 0.01);
  EXPECT_EQ(umbral.lr, 0.005);
  EXPECT_TRUE(umbral.fresh_negatives);
  EXPECT_TRUE(std::isinf(umbral.longest_step));
  const auto of_basic = usual_options(umbral.cones, {}, true);
  EXPECT_EQ(of_basic.optimizer, Optimizer::radam);
  EXPECT_EQ(of_basic.gamma_1, 1e-3);
  EXPECT_FALSE(of_basic.fresh_negatives);
  const auto high = usual_options({ConeKind::penumbral, PointStorage::half_space});
  EXPECT_EQ(high.cones.size, 20);
  const auto in_plane = usual_options({ConeKind::entailment, PointStorage::ball});
  EXPECT_EQ(in_plane.cones.size, 0.1);
  EXPECT_EQ(in_plane.optimizer, Optimizer::radam);
  EXPECT_EQ(in_plane.lr, 0.01);
  const ConeSystem in_space{ConeKind::entailment, PointStorage::ball, 5};
  EXPECT_EQ(usual_options(in_space).optimizer, Optimizer::rsgd);
  EXPECT_EQ(usual_options(in_space).lr, 0.05);
  EXPECT_EQ(usual_options(in_space).longest_step, 0.01);
  EXPECT_EQ(usual_options(in_space, {}, true).optimizer, Optimizer::rsgd);
  EXPECT_EQ(usual_options(in_space, {}, true).lr, 0.1);
  // the rate is that of the optimizer, whoever has chosen it
  EXPECT_EQ(usual_options(in_space, {}, false, Optimizer::radam).lr, 0.01);
  EXPECT_TRUE(std::isinf(usual_options(in_space, {}, false, Optimizer::radam).longest_step));
}

TEST(UsualOptions, OfConesMakeSenseAtEverySize) {
  for (const ConeSystem& cones : {ConeSystem{ConeKind::umbral, PointStorage::half_space},
                                  ConeSystem{ConeKind::umbral, PointStorage::ball},
                                  ConeSystem{ConeKind::penumbral, PointStorage::half_space},
                                  ConeSystem{ConeKind::penumbral, PointStorage::ball},
                                  ConeSystem{ConeKind::entailment, PointStorage::ball}}) {
    for (const std::optional<double> size : {std::optional<double>{}, std::optional(0.07)}) {
      const auto options = usual_options(cones, size);
      EXPECT_EQ(options.cones.size, size.value_or(options.cones.size));
      ASSERT_FALSE(options.sizes.empty());
      EXPECT_EQ(options.sizes.front(), options.cones.size);  // the one trained is preferred
      for (const double each : options.sizes) {
        ConeSystem of_size = options.cones;
        of_size.size = each;
        EXPECT_NO_THROW(of_size.check());
      }
    }
  }
}

}  // namespace
}  // namespace mct::embed
