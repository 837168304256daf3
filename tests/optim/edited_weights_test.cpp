// Weights that a program writes between steps: by a model that is loaded, a clamp, an average.
#include "mctensor/c_api.h"
#include "mctensor/error.hpp"
#include "mctensor/optim/mc_adamw.hpp"
#include "mctensor/optim/weights.hpp"
#include "mctensor/tensor/create.hpp"
#include "src/optim/adamw_floats.hpp"
#include "tests/files.hpp"
#include "tests/optim/parameters.hpp"
#include "tests/optim/state_entries.hpp"

namespace mct::test {
namespace {

using namespace optim;

constexpr std::size_t count = 300;  // two groups and a part of one
constexpr float written = 0.001F;

bool has_marks(Strategy strategy) { return layout_of(strategy).marks > 0; }

/// Arrays with marks, after some steps.
struct Trained {
  Parameters arrays;
  std::vector<std::uint32_t> marks = std::vector<std::uint32_t>((count + 127) / 128);
  std::int64_t steps = 0;

  Trained(Strategy strategy, Format format) : arrays(strategy, format, count) {
    std::mt19937_64 random(11);
    std::normal_distribution<float> normal;
    std::vector<float> weights(count);
    for (float& weight : weights) weight = normal(random);
    set_weights(strategy, format, weights.data(), memory());
    for (int i = 0; i < 3; ++i) {
      arrays.new_gradients(random, 0.1);
      step(1e-3);
    }
  }
  AdamWMemory memory() {
    AdamWMemory all = arrays.all();
    all.marks = marks.data();
    return all;
  }
  void step(double lr) {
    AdamWOptions options;
    options.lr = lr;
    options.weight_decay = 0;
    options.seed = 3;
    EXPECT_EQ(adamw_step(arrays.strategy, arrays.format, memory(), options, ++steps).nonfinite, 0);
  }
  std::vector<float> weights() {
    std::vector<float> result(count);
    get_weights(arrays.strategy, arrays.format, memory(), result.data());
    return result;
  }
  /// What theta holds of a number.
  float narrow(float x) const {
    if (arrays.layout.theta == 4) return x;
    return arrays.format == Format::float16 ? float(half(x)) : float(bfloat16(x));
  }
  /// As a program writes: theta alone.
  void write(std::size_t i, float x) {
    arrays.set(arrays.theta, arrays.layout.theta, i, double(x));
  }
};

template <class Work>
void for_all_strategies(const Work& work) {
  for (const Strategy strategy : all_strategies())
    for (const Format format : formats_of(strategy)) {
      SCOPED_TRACE(to_string(strategy) + ", " + to_string(format));
      work(strategy, format);
    }
}

/// Which elements are written: all, one, the last, zeros of both signs.
struct Edit {
  std::size_t from, to;
  float value;
};
const Edit edits[] = {{0, count, written}, {5, 6, written},   {count - 1, count, -3},
                      {0, count, 0.0F},    {130, 131, -0.0F}, {128, 256, 0.5F}};

TEST(EditedWeights, StayWhatWasWritten) {
  for_all_strategies([](Strategy strategy, Format format) {
    for (const Edit& edit : edits) {
      Trained trained(strategy, format);
      const auto before = trained.weights();
      for (std::size_t i = edit.from; i < edit.to; ++i) trained.write(i, edit.value);
      const float value = trained.narrow(edit.value);
      const auto seen = trained.weights();
      trained.step(0);
      const auto after = trained.weights();
      for (std::size_t i = 0; i < count; ++i) {
        ASSERT_EQ(seen[i], after[i]) << i;
        if (i >= edit.from && i < edit.to) {
          ASSERT_EQ(after[i], value) << i;
          ASSERT_EQ(float(trained.arrays.theta_at(i)), value) << i;
        } else if (i / 128 < edit.from / 128 || i / 128 > (edit.to - 1) / 128) {
          ASSERT_EQ(after[i], before[i]) << i;  // of another group
        }
      }
    }
  });
}

/// A step after an edit is that of weights that were set so.
TEST(EditedWeights, AreSteppedAsIfTheyHadBeenSet) {
  for_all_strategies([](Strategy strategy, Format format) {
    Trained edited(strategy, format);
    Trained set(strategy, format);
    for (std::size_t i = 0; i < count; ++i) edited.write(i, written);
    const std::vector<float> weights(count, edited.narrow(written));
    set_weights(strategy, format, weights.data(), set.memory());
    edited.step(1e-3);
    set.step(1e-3);
    EXPECT_TRUE(edited.arrays == set.arrays);
    EXPECT_EQ(edited.marks, set.marks);
  });
}

/// Nobody writes: with marks and without them steps are the same, and nothing is dropped.
TEST(EditedWeights, AreNotSeenWhereThereAreNone) {
  for_all_strategies([](Strategy strategy, Format format) {
    for (const bool strict : {false, true}) {
      if (strict && !composition_of(strategy).has_strict()) continue;
      Trained with(strategy, format);
      Trained without(strategy, format);
      AdamWOptions options;
      options.eps = strict ? 1e-4 : 0;  // 0: the part of a group is filled up with NaN
      options.metrics = true;
      options.arithmetic = strict ? Arithmetic::strict : Arithmetic::registers;
      for (std::int64_t step = 4; step < 8; ++step) {
        adamw_step(strategy, format, with.memory(), options, step);
        adamw_step(strategy, format, without.arrays.all(), options, step);
        ASSERT_TRUE(with.arrays == without.arrays) << step;
      }
      EXPECT_EQ(has_marks(strategy), with.marks != std::vector<std::uint32_t>(3));
    }
  });
}

TEST(EditedWeights, MarksOfZeroSayNothing) {
  Trained trained(Strategy::light, Format::bfloat16);
  const auto before = trained.weights();
  trained.marks.assign(3, 0);
  trained.step(0);
  EXPECT_EQ(trained.weights(), before);
}

TEST(EditedWeights, HaveMarksOfWholeGroupsAlone) {
  Trained trained(Strategy::light, Format::bfloat16);
  AdamWMemory memory = trained.memory();
  memory.first = 8;
  const auto message = testing::message_of<DomainError>(
      [&] { adamw_step(Strategy::light, Format::bfloat16, memory, {}, 4); });
  EXPECT_TRUE(testing::contains(message, "begins at 8, not a multiple of 128")) << message;
}

/// A shard that begins in a group is two arrays: what lies in that group, and the rest.
TEST(EditedWeights, AreNoticedInShardsThatBeginInAGroup) {
  for_all_strategies([](Strategy strategy, Format format) {
    const Layout layout = layout_of(strategy);
    if (layout.unit() > 1) return;
    Trained whole(strategy, format);
    Trained cut(strategy, format);
    std::vector<std::uint32_t> marks(4);
    std::vector<AdamWMemory> parts;
    const std::int64_t cuts[] = {0, 100, 128, count};
    for (std::size_t k = 0; k < 3; ++k) {
      parts.push_back(
          optim_detail::part_of(cut.arrays.all(), layout, cuts[k], cuts[k + 1] - cuts[k]));
      parts[k].marks = &marks[k];
    }
    const auto step = [&](double lr) {
      AdamWOptions options;
      options.lr = lr;
      options.weight_decay = 0;
      options.seed = 3;
      adamw_step(strategy, format, parts, options, ++cut.steps);
    };
    whole.step(1e-3);
    step(1e-3);
    EXPECT_TRUE(whole.arrays == cut.arrays);
    std::vector<float> before(100);
    get_weights(strategy, format, parts[0], before.data());
    cut.write(110, written);
    std::vector<float> seen(28);
    get_weights(strategy, format, parts[1], seen.data());
    EXPECT_EQ(seen[10], cut.narrow(written));
    step(0);
    std::vector<float> after(100);
    get_weights(strategy, format, parts[0], after.data());
    EXPECT_EQ(after, before);
    get_weights(strategy, format, parts[1], after.data());
    EXPECT_EQ(after[10], cut.narrow(written));
  });
}

TEST(EditedWeights, AreNoticedInC) {
  Trained trained(Strategy::plus, Format::bfloat16);
  for (std::size_t i = 0; i < count; ++i) trained.write(i, written);
  const AdamWMemory m = trained.memory();
  const mct_adamw_memory memory{m.theta, m.low,  m.m,     m.v,     m.v_low,
                                nullptr, m.grad, m.count, m.first, m.marks};
  mct_adamw_options options;
  mct_adamw_default_options(&options);
  options.lr = 0;
  ASSERT_EQ(mct_adamw_step("plus", MCT_BFLOAT16, &memory, &options, 4, nullptr), MCT_OK);
  std::vector<float> weights(count);
  ASSERT_EQ(mct_adamw_get_weights("plus", MCT_BFLOAT16, &memory, weights.data()), MCT_OK);
  for (const float weight : weights) ASSERT_EQ(weight, float(bfloat16(written)));
}

/// A variable that is edited, and its optimizer.
template <class T, class P>
struct Edited {
  Tensor<P> place;  // perhaps more than the variable
  Variable<P> variable;
  McAdamW<T, P> optimizer;

  static AdamWOptions options() {
    AdamWOptions options;
    options.weight_decay = 0;
    return options;
  }
  Edited(Strategy strategy, bool in_a_row)
      : place(randn<P>({20, 30}, 1)),
        variable(in_a_row ? place : place.transpose(0, 1), true),
        optimizer({variable}, strategy, options()) {
    for (int i = 0; i < 3; ++i) step(1e-3);
  }
  void step(double lr) {
    optimizer.options().lr = lr;
    variable.set_grad(randn<P>(variable.shape(), 7));
    EXPECT_FALSE(optimizer.step().skipped);
  }
};

/// The error to which a strategy keeps `written` where it is written to a variable.
template <class T, class P>
double error_of(Strategy strategy) {
  const Composition parts = composition_of(strategy);
  if (std::is_same_v<P, T> || parts.low == LowPart::lower_bits || parts.low == LowPart::master ||
      parts.theta == Number::float32)
    return 0;
  const double u = double(FloatTraits<T>::u);
  const double relative = parts.low == LowPart::none ? u : parts.is_split() ? 0x1p-15 : u * u;
  return relative * double(written) + double(FloatTraits<T>::eta) / 2;
}

template <class T, class P>
void expect_edits_of_class(Strategy strategy) {
  for (const bool in_a_row : {true, false}) {
    SCOPED_TRACE(in_a_row);
    const testing::TemporaryDirectory directory;
    Edited<T, P> all(strategy, in_a_row);
    for (std::int64_t i = 0; i < all.place.numel(); ++i) all.place.data()[i] = P(written);
    // a variable of floats may say more than theta holds
    const float value = std::is_same_v<P, T> ? float(T(written)) : written;
    EXPECT_NEAR(all.optimizer.exact_value(0).data()[77], value, (error_of<T, P>(strategy)));
    all.optimizer.save(directory / "edited");
    all.step(0);
    for (std::int64_t i = 0; i < all.place.numel(); ++i) {
      const float shown =
          composition_of(strategy).theta == Number::float32 ? written : float(T(written));
      ASSERT_EQ(float(all.place.data()[i]), shown) << i;
    }
    const Tensor<float> kept = all.optimizer.exact_value(0);
    // the file holds what was written as well
    Edited<T, P> loaded(strategy, in_a_row);
    loaded.optimizer.load(directory / "edited");
    loaded.step(0);
    const Tensor<float> of_file = loaded.optimizer.exact_value(0);
    for (std::int64_t i = 0; i < kept.numel(); ++i)
      ASSERT_EQ(kept.data()[i], of_file.data()[i]) << i;
  }
}

TEST(EditedWeights, OfVariablesAreNoticed) {
  for (const Strategy strategy : all_strategies()) {
    SCOPED_TRACE(to_string(strategy));
    expect_edits_of_class<bfloat16, float>(strategy);
    if (strategy != Strategy::full) expect_edits_of_class<bfloat16, bfloat16>(strategy);
  }
  expect_edits_of_class<half, float>(Strategy::plus);
  expect_edits_of_class<half, half>(Strategy::plus);
}

/// Of a variable that shows theta one element is another: the others keep their low parts.
TEST(EditedWeights, OfVariablesThatShowThetaAreSingle) {
  for (const Strategy strategy : all_strategies()) {
    SCOPED_TRACE(to_string(strategy));
    Edited<bfloat16, float> one(strategy, true);
    const Tensor<float> before = one.optimizer.exact_value(0);
    one.place.data()[77] = written;
    one.step(0);
    const Tensor<float> after = one.optimizer.exact_value(0);
    for (std::int64_t i = 0; i < before.numel(); ++i) {
      if (i == 77) continue;
      ASSERT_EQ(after.data()[i], before.data()[i]) << i;
    }
    EXPECT_NEAR(after.data()[77], written, (error_of<bfloat16, float>(strategy)));
  }
}

/// A step after an edit is that of a weight that was set so.
TEST(EditedWeights, OfVariablesAreSteppedAsIfTheyHadBeenSet) {
  for (const Strategy strategy : all_strategies()) {
    SCOPED_TRACE(to_string(strategy));
    Edited<bfloat16, float> edited(strategy, true);
    Edited<bfloat16, float> set(strategy, true);
    const Tensor<float> weights = randn<float>({20, 30}, 9);
    edited.variable.value().copy_(weights);
    set.optimizer.set_value(0, weights);
    edited.step(1e-2);
    set.step(1e-2);
    const Tensor<float> a = edited.optimizer.exact_value(0);
    const Tensor<float> b = set.optimizer.exact_value(0);
    for (std::int64_t i = 0; i < a.numel(); ++i) ASSERT_EQ(a.data()[i], b.data()[i]) << i;
  }
}

/// Files of before there were marks: theta is taken for what the last step wrote.
TEST(EditedWeights, AreNoneInAFileWithoutMarks) {
  const testing::TemporaryDirectory directory;
  Edited<bfloat16, bfloat16> saved(Strategy::split16_plus, true);
  saved.optimizer.save(directory / "new");
  StateEntries entries(directory / "new");
  ASSERT_EQ(entries.entries.erase("0.marks"), 1u);
  entries.save(directory / "old");
  Edited<bfloat16, bfloat16> loaded(Strategy::split16_plus, true);
  loaded.variable.value().copy_(zeros<bfloat16>({20, 30}));
  loaded.optimizer.load(directory / "old");
  loaded.step(1e-2);
  saved.step(1e-2);
  const Tensor<float> a = saved.optimizer.exact_value(0);
  const Tensor<float> b = loaded.optimizer.exact_value(0);
  for (std::int64_t i = 0; i < a.numel(); ++i) ASSERT_EQ(a.data()[i], b.data()[i]) << i;
  // from there on edits are noticed again
  loaded.place.data()[0] = bfloat16(0.5F);
  loaded.step(0);
  EXPECT_EQ(loaded.optimizer.exact_value(0).data()[0], 0.5F);
}

}  // namespace
}  // namespace mct::test
