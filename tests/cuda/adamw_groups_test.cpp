// Steps of several groups in a device's memory, beside the host's: rates, counts and signals there,
// votes, recorded steps.
#include "mctensor/optim/device_adamw_groups.hpp"

#include "cuda/device/launch_graph.hpp"
#include "cuda/optim/start_adamw.hpp"
#include "mctensor/optim/adamw_groups.hpp"
#include "mctensor/optim/clip_factor.hpp"
#include "tests/cuda/adamw_cases.hpp"
#include "tests/cuda/adamw_there.hpp"
#include "tests/files.hpp"

namespace {

using namespace mct::cuda;
using namespace mct::cuda::testing;
using mct::bfloat16;
using mct::testing::contains;
using mct::testing::message_of;

constexpr float inf = std::numeric_limits<float>::infinity();

/// A number in the device's memory.
template <class T>
class There {
 public:
  explicit There(T value) : memory_(DeviceMemory::allocate(16, default_stream())) { set(value); }
  void set(T value) { copy(memory_.data(), &value, sizeof(T), default_stream()); }
  T get() const {
    T value;
    copy(&value, memory_.data(), sizeof(T), default_stream());
    return value;
  }
  T* data() const { return static_cast<T*>(memory_.data()); }

 private:
  DeviceMemory memory_;
};

/// Two groups, on the host and there.
struct TwoGroups {
  Pair<bfloat16> split{Strategy::split16_plus, 1, {{300, 128}, {40, 512}}};
  Pair<bfloat16> plain{Strategy::plain, 2, {{130, 1024}}};
  ArraysThere split_there{split.device}, plain_there{plain.device};
  AdamWOptions options[2];
  AdamWGroup there[2];

  TwoGroups() {
    options[0].lr = 0.01;
    options[0].seed = 5;
    options[1].lr = 0.5;
    options[1].weight_decay = 0.25;
    for (int g = 0; g < 2; ++g) there[g].options = options[g];
    there[0].strategy = Strategy::split16_plus;
    there[1].strategy = Strategy::plain;
    draw();
  }
  void draw() {
    split.draw_gradients();
    plain.draw_gradients();
    there[0].memory = (split_there = ArraysThere(split.device)).list();
    there[1].memory = (plain_there = ArraysThere(plain.device)).list();
  }
  mct::optim::StepReport host_step(std::int64_t first, std::int64_t second) {
    const mct::optim::AdamWGroup groups[] = {
        {Strategy::split16_plus, Format::bfloat16, split.host.memory(), {}, options[0], first},
        {Strategy::plain, Format::bfloat16, plain.host.memory(), {}, options[1], second}};
    return mct::optim::adamw_step(groups);
  }
  void expect_same() {
    EXPECT_EQ(split.host.difference(split_there.fetch()), "");
    EXPECT_EQ(plain.host.difference(plain_there.fetch()), "");
  }
};

TEST(CudaAdamWGroups, RatesAndCountsLieThere) {
  TwoGroups groups;
  const There<std::int64_t> first(0), second(6);
  const There<float> lr(0.01F);
  There<double> long_lr(0.5);
  groups.options[0].lr = double(0.01F);
  groups.there[0].lr = lr.data();
  groups.there[1].long_lr = long_lr.data();
  groups.there[0].steps = first.data();
  groups.there[1].steps = second.data();
  groups.there[0].options.lr = groups.there[1].options.lr = 1e30;  // not looked at
  AdamWGroups steps;
  for (int step = 1; step <= 3; ++step) {
    steps.look(groups.there, {}, default_stream());
    steps.step();
    groups.host_step(step, 6 + step);
    groups.expect_same();
    groups.draw();
    long_lr.set(groups.options[1].lr = 0.25 * step);
  }
  EXPECT_EQ(first.get(), 3);
  EXPECT_EQ(second.get(), 9);
  EXPECT_FALSE(steps.report().skipped);
  EXPECT_EQ(steps.report().elements, 470);
}

TEST(CudaAdamWGroups, DecayFollowsARateThatLiesThere) {
  TwoGroups groups;
  There<double> lr(0.25);
  for (int g = 0; g < 2; ++g) {
    groups.options[g].decay_mode = groups.there[g].options.decay_mode =
        mct::optim::WeightDecay::decoupled;
    groups.there[g].long_lr = lr.data();
    groups.there[g].peak_lr = 0.5;
  }
  AdamWGroups steps;
  const double rates[] = {0.25, 1, 1e-14};
  for (int step = 1; step <= 3; ++step) {
    const double rate = rates[step - 1];
    lr.set(rate);
    for (int g = 0; g < 2; ++g) {
      groups.there[g].step = step;
      groups.options[g].lr =
          step == 3 ? 0 : rate;  // of 1e-14 of the peak, what remains of a cosine
      groups.options[g].schedule = step == 3 ? 0 : step == 2 ? 1 : 0.5;
    }
    steps.look(groups.there, {}, default_stream());
    steps.step();
    groups.host_step(step, step);
    groups.expect_same();
  }
}

TEST(CudaAdamWGroups, ScalersAndNormsCountForAllGroups) {
  TwoGroups groups;
  const There<float> scale(8);
  There<float> found(0);
  AdamWGroups steps;
  steps.look(groups.there, {.grad_scale = scale.data(), .found_inf = found.data()},
             default_stream());
  using mct::optim_detail::gradient_norm;
  const double norm =
      std::hypot(gradient_norm(Strategy::plain, Format::bfloat16, groups.split.host.memory(), {}),
                 gradient_norm(Strategy::plain, Format::bfloat16, groups.plain.host.memory(), {})) /
      8;
  steps.step(norm / 4);
  for (AdamWOptions& options : groups.options)
    options.grad_scale = mct::optim::clip_factor(norm, norm / 4) / 8;
  groups.host_step(1, 1);
  groups.expect_same();
  EXPECT_NEAR(steps.report().grad_norm, norm, 1e-14 * norm);
  found.set(1);
  steps = AdamWGroups(default_stream(), {.all = 7, .in_a_row = 2});
  for (int i = 1; i <= 2; ++i) {
    steps.look(groups.there, {.grad_scale = scale.data(), .found_inf = found.data()},
               default_stream());
    steps.step();
    groups.expect_same();
    EXPECT_TRUE(steps.report().skipped);
    EXPECT_EQ(steps.report().nonfinite, 0);
    EXPECT_EQ(steps.skips().all, 7 + i);
    EXPECT_EQ(steps.skips().in_a_row, 2 + i);
  }
}

TEST(CudaAdamWGroups, ProcessesMaySkipTogether) {
  TwoGroups groups;
  There<std::int32_t> vote(7);
  const There<std::int64_t> taken(3);
  groups.there[0].steps = taken.data();
  const AdamWSignals signals{.vote = vote.data()};
  AdamWGroups steps;
  steps.look(groups.there, signals, default_stream());
  EXPECT_EQ(vote.get(), 0);
  vote.set(1);  // another process says so
  steps.step();
  groups.expect_same();
  EXPECT_TRUE(steps.report().skipped);
  EXPECT_EQ(taken.get(), 3);
  groups.plain.host.set_gradient(0, 129, inf);
  groups.plain.copy_gradients();
  groups.there[1].memory = (groups.plain_there = ArraysThere(groups.plain.device)).list();
  steps.look(groups.there, signals, default_stream());
  EXPECT_EQ(vote.get(), 1);
  steps.step();
  groups.expect_same();
  EXPECT_EQ(steps.report().nonfinite, 1);
  EXPECT_EQ(steps.skips().all, 2);
}

TEST(CudaAdamWGroups, RatesThatAreNoneSkipTheStep) {
  TwoGroups groups;
  There<float> lr(0);
  groups.there[1].lr = lr.data();
  AdamWGroups steps;
  for (const float bad : {-1.0F, inf, std::numeric_limits<float>::quiet_NaN(), 1e-45F}) {
    lr.set(bad);
    steps.look(groups.there, {}, default_stream());
    steps.step();
    const auto message = message_of<mct::DomainError>([&] { steps.report(); });
    EXPECT_TRUE(contains(message, "the learning rate, ")) << message;
    groups.expect_same();
  }
  EXPECT_EQ(steps.skips().in_a_row, 4);
  lr.set(0.5);
  steps.look(groups.there, {}, default_stream());
  steps.step();
  EXPECT_FALSE(steps.report().skipped);
  EXPECT_EQ(steps.skips().in_a_row, 0);
  EXPECT_EQ(steps.skips().all, 4);
}

/// A recorded step reads what lies there when it is replayed, and steps between need not fit.
TEST(CudaAdamWGroups, StepsAreRecorded) {
  TwoGroups groups;
  const There<std::int64_t> taken(0);
  There<float> lr(0.5F);
  for (AdamWGroup& group : groups.there) {
    group.steps = &group == groups.there ? taken.data() : nullptr;
    group.lr = lr.data();
  }
  AdamWGroups steps;
  const StreamQueue queue(default_stream());
  const auto take = [&] {
    steps.look(groups.there, {}, default_stream());
    steps.step();
  };
  const auto refused = message_of<mct::DeviceError>([&] { LaunchGraph(queue, take); });
  EXPECT_TRUE(contains(refused, "take one step with gradients")) << refused;
  const auto host_step = [&](int step, float rate) {
    for (AdamWOptions& options : groups.options) options.lr = double(rate);
    groups.host_step(step, 1);
    groups.expect_same();
  };
  take();
  host_step(1, 0.5F);
  const LaunchGraph graph(queue, take);
  take_simulated_log();
  for (int step = 2; step <= 3; ++step) {
    lr.set(0.125F * float(step));
    graph.run();
    host_step(step, 0.125F * float(step));
  }
  // another tensor's arrays by an eager step, then the recorded one again
  TwoGroups others;
  for (int g = 0; g < 2; ++g) others.there[g].lr = lr.data();
  steps.look(others.there, {}, default_stream());
  steps.step();
  for (AdamWOptions& options : others.options) options.lr = double(0.375F);
  others.host_step(1, 1);
  others.expect_same();
  graph.run();
  host_step(4, 0.375F);
  steps.look(others.there, {}, default_stream());
  steps.step();
  others.host_step(1, 1);
  others.expect_same();
  EXPECT_EQ(taken.get(), 4);
}

/// Parameters of floats with their gradients beside a group's arrays, on the host and there.
struct Floats {
  std::vector<float> theta, grad;
  DeviceMemory theta_there, grad_there;

  Floats(const Tensors& of, std::size_t tensor)
      : theta(of.weights(tensor)),
        grad(theta.size()),
        theta_there(DeviceMemory::allocate(bytes(), default_stream())),
        grad_there(DeviceMemory::allocate(bytes(), default_stream())) {
    for (float& x : theta) x = float(bfloat16(x));
    for (std::size_t i = 0; i < grad.size(); ++i) grad[i] = 0.01F * float(i % 7) - 0.025F;
    send();
  }
  std::size_t bytes() const { return theta.size() * sizeof(float); }
  void send() const {
    copy(theta_there.data(), theta.data(), bytes(), default_stream());
    copy(grad_there.data(), grad.data(), bytes(), default_stream());
  }
  mct::optim::FloatSide here() { return {grad.data(), theta.data()}; }
  mct::optim::FloatSide there() const {
    return {static_cast<const float*>(grad_there.data()), static_cast<float*>(theta_there.data())};
  }
  void expect_same() const {
    std::vector<float> found(theta.size());
    copy(found.data(), theta_there.data(), bytes(), default_stream());
    EXPECT_EQ(std::memcmp(found.data(), theta.data(), bytes()), 0);
  }
};

/// Beside a group without; recorded, too. What is written to them counts, where no step is skipped.
TEST(CudaAdamWGroups, FloatsShowTheta) {
  TwoGroups groups;
  Floats first(groups.split.host, 0), second(groups.split.host, 1);
  const mct::optim::FloatSide here[] = {first.here(), second.here()};
  const mct::optim::FloatSide there[] = {first.there(), second.there()};
  groups.there[0].floats = there;
  AdamWGroups steps;
  const auto take = [&] {
    steps.look(groups.there, {}, default_stream());
    steps.step();
  };
  const auto step = [&](const auto& take_it) {
    take_it();
    const mct::optim::AdamWGroup host[] = {
        {Strategy::split16_plus, Format::bfloat16, groups.split.host.memory(), here,
         groups.options[0], 1},
        {Strategy::plain, Format::bfloat16, groups.plain.host.memory(), {}, groups.options[1], 1}};
    const bool skipped = mct::optim::adamw_step(host).skipped;
    EXPECT_EQ(steps.report().skipped, skipped);
    groups.expect_same();
    first.expect_same();
    second.expect_same();
  };
  step(take);
  const LaunchGraph graph(StreamQueue(default_stream()), take);
  first.theta[129] = 1.0F + 0x1p-20F;
  for (const float last : {3.4e38F, 0.5F}) {  // which becomes infinite in 16 bits
    second.grad[39] = last;
    first.send();
    second.send();
    step([&] { graph.run(); });
  }
  const auto message = [&](const mct::optim::FloatSide& bad) {
    const mct::optim::FloatSide floats[] = {bad, there[1]};
    groups.there[0].floats = floats;
    return message_of<mct::DomainError>([&] { steps.look(groups.there, {}, default_stream()); });
  };
  const std::string wants =
      "AdamW: tensor 0: a device takes floats as parameters with their gradients, which are "
      "rounded, or as the gradients of all tensors of a group, which are not";
  EXPECT_EQ(message({there[0].grad, nullptr}), wants);
  EXPECT_EQ(message({there[0].grad, there[0].theta, false}), wants);
  groups.there[0].floats = {there, 1};
  EXPECT_EQ(message_of<mct::DomainError>([&] { steps.look(groups.there, {}, default_stream()); }),
            "AdamW: floats are given for 1 of 2 tensors, expected for all or for none");
}

/// Every bit of a gradient counts, and what is infinite in 16 bits is a number.
TEST(CudaAdamWGroups, FloatGradientsAreNotRounded) {
  TwoGroups groups;
  Floats first(groups.split.host, 0), second(groups.split.host, 1);
  const auto alone = [](const mct::optim::FloatSide& of) {
    return mct::optim::FloatSide{of.grad, nullptr, false};
  };
  const mct::optim::FloatSide here[] = {alone(first.here()), alone(second.here())};
  const mct::optim::FloatSide there[] = {alone(first.there()), alone(second.there())};
  AdamWGroups steps;
  const auto step = [&](bool with_floats) {
    groups.there[0].floats = {there, with_floats ? std::size_t(2) : 0};
    steps.look(groups.there, {}, default_stream());
    steps.step();
    const mct::optim::AdamWGroup host[] = {
        {Strategy::split16_plus,
         Format::bfloat16,
         groups.split.host.memory(),
         {here, with_floats ? std::size_t(2) : 0},
         groups.options[0],
         1},
        {Strategy::plain, Format::bfloat16, groups.plain.host.memory(), {}, groups.options[1], 1}};
    EXPECT_EQ(mct::optim::adamw_step(host).skipped, steps.report().skipped);
    groups.expect_same();
  };
  step(true);
  step(false);  // gradients of 16 bits again
  for (const float last : {3.4e38F, inf, 0.5F + 0x1p-20F}) {
    second.grad[39] = last;
    second.send();
    step(true);
    EXPECT_EQ(steps.report().skipped, last == inf);
  }
  const mct::optim::FloatSide mixed[] = {there[0], {nullptr, nullptr, false}};
  groups.there[0].floats = mixed;
  EXPECT_NE(message_of<mct::DomainError>([&] {
              steps.look(groups.there, {}, default_stream());
            }).find("tensor 1: a device takes floats"),
            std::string::npos);
}

TEST(CudaAdamWGroups, StepsDoNotWait) {
  TwoGroups groups;
  AdamWGroups steps;
  for (int step = 1; step <= 2; ++step) {
    groups.draw();
    take_simulated_log();
    groups.there[0].options.lr *= 0.5;
    steps.look(groups.there, {}, default_stream());
    steps.step();
    if (step == 1) continue;
    for (const std::string& line : take_simulated_log()) EXPECT_EQ(line.substr(0, 6), "launch");
  }
}

TEST(CudaAdamWGroups, BadGroupsAreNamed) {
  TwoGroups groups;
  AdamWGroups steps;
  const auto message = [&] {
    return message_of<mct::DomainError>([&] { steps.look(groups.there, {}, default_stream()); });
  };
  EXPECT_EQ(message_of<mct::DomainError>([&] { steps.step(); }),
            "AdamW: step() was called before look()");
  groups.there[1].options.grad_scale = 0.5;
  EXPECT_EQ(message(), "AdamW: grad_scale 0.5 of a group is not 1 of the first one");
  groups.there[1].options.grad_scale = -1;  // PyTorch's maximize
  groups.there[1].step = 0;
  EXPECT_EQ(message(), "AdamW: step 0 is not at least 1");
  groups.there[1].step = 1;
  EXPECT_EQ(message(), "");
}

/// More lists than a warp has threads.
TEST(CudaAdamWGroups, ManyGroups) {
  Pair<bfloat16> pair(Strategy::light, 4, std::vector<Tensors::Size>(35, {9, 0}));
  pair.draw_gradients();
  const ArraysThere there(pair.device);
  std::vector<AdamWGroup> groups(35);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    groups[i].strategy = Strategy::light;
    groups[i].memory = {&there.list()[i], 1};
    groups[i].options.lr = 0.01 * double(i + 1);
    groups[i].step = std::int64_t(i + 1);
  }
  AdamWGroups steps;
  steps.look(groups, {}, default_stream());
  steps.step();
  for (std::size_t i = 0; i < groups.size(); ++i)
    mct::optim::adamw_step(Strategy::light, Format::bfloat16, pair.host.memory()[i],
                           groups[i].options, groups[i].step);
  EXPECT_EQ(pair.host.difference(there.fetch()), "");
}

}  // namespace
