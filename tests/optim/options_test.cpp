// Options that make no sense: every optimizer says which, and which value, before it does anything.
#include <limits>

#include "mctensor/optim/all.hpp"
#include "tests/files.hpp"

namespace mct::test {
namespace {

using namespace optim;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// Expects that validate refuses a value of an option, and names both.
template <class Options>
void expect_refused(double Options::*option, const std::string& name, double value,
                    const std::string& text) {
  Options options;
  options.*option = value;
  const auto message = testing::message_of<DomainError>([&] { validate(options); });
  EXPECT_NE(message.find(name + " " + text), std::string::npos) << name << ": " << message;
}

template <class Options>
void expect_size(double Options::*option, const std::string& name) {
  expect_refused(option, name, -1e-9, "-1e-09");
  expect_refused(option, name, nan, "nan");
  expect_refused(option, name, infinity, "inf");
}
template <class Options>
void expect_beta(double Options::*option, const std::string& name) {
  expect_refused(option, name, -0.5, "-0.5");
  expect_refused(option, name, 1, "1");
  expect_refused(option, name, nan, "nan");
}
template <class Options>
void expect_adam() {
  EXPECT_NO_THROW(validate(Options()));
  expect_size(&Options::lr, "lr");
  expect_beta(&Options::beta1, "beta1");
  expect_beta(&Options::beta2, "beta2");
  expect_size(&Options::eps, "eps");
  expect_size(&Options::weight_decay, "weight_decay");
}

TEST(Options, AreValidatedOneByOne) {
  expect_adam<AdamOptions>();
  expect_adam<AdamWOptions>();
  expect_size(&AdamWOptions::schedule, "schedule");
  expect_refused(&AdamWOptions::grad_scale, "grad_scale", nan, "nan");
  expect_refused(&AdamWOptions::grad_scale, "grad_scale", 0, "0");
  EXPECT_NO_THROW(validate(SgdOptions()));
  expect_size(&SgdOptions::lr, "lr");
  expect_size(&SgdOptions::momentum, "momentum");
  expect_size(&SgdOptions::weight_decay, "weight_decay");
  expect_refused(&SgdOptions::dampening, "dampening", infinity, "inf");
  AdamWOptions sample;
  sample.metrics = true;
  sample.metric_sample = 0;
  const auto message = testing::message_of<DomainError>([&] { validate(sample); });
  EXPECT_NE(message.find("metric_sample 0"), std::string::npos) << message;
  sample.metrics = false;
  EXPECT_THROW(validate(sample), DomainError);
}

/// A step computes in float: what that cannot hold is refused, and so are products of options.
TEST(Options, OfAdamWMustFitFloat) {
  using Options = AdamWOptions;
  for (const auto& [option, name] : {std::pair(&Options::lr, "lr"), std::pair(&Options::eps, "eps"),
                                     std::pair(&Options::grad_scale, "grad_scale")}) {
    expect_refused(option, name, 1e300, "1e+300 is infinite in float");
    expect_refused(option, name, 1e-50, "1e-50 is 0 in float");
  }
  expect_refused(&Options::lr, "lr / (1 - beta1^step)", 3e38, "3e+39 is infinite");
  expect_refused(&Options::lr, "lr times weight_decay", 1e-44, "1e-46 is 0");
  expect_refused(&Options::beta1, "beta1", 1 - 1e-9, "0.999999999 is 1 in float");
  expect_refused(&Options::beta2, "beta2", 1e-50, "1e-50 is 0");
  const auto message = [](WeightDecay mode, double schedule, double weight_decay) {
    Options options;
    options.decay_mode = mode;
    options.schedule = schedule;
    options.weight_decay = weight_decay;
    return testing::message_of<DomainError>([&] { validate(options); });
  };
  EXPECT_NE(message(WeightDecay::inside, 1, 1e42).find("lr times weight_decay 1e+39"),
            std::string::npos);
  EXPECT_NE(message(WeightDecay::l2, 1, 1e39).find("weight_decay 1e+39"), std::string::npos);
  EXPECT_NE(message(WeightDecay::decoupled, 1e20, 1e20).find("schedule times weight_decay 1e+40"),
            std::string::npos);
  // schedules begin and end with 0, and what is not used may be anything
  EXPECT_EQ(message(WeightDecay::decoupled, 0, 0.1), "");
  EXPECT_EQ(message(WeightDecay::inside, 1e300, 0.1), "");
  Options zero_lr;
  zero_lr.lr = 0;
  EXPECT_NO_THROW(validate(zero_lr));
}

TEST(Options, OfLionMuonAdafactorAndScalers) {
  EXPECT_NO_THROW(validate(LionOptions()));
  expect_size(&LionOptions::lr, "lr");
  expect_beta(&LionOptions::beta1, "beta1");
  expect_beta(&LionOptions::beta2, "beta2");
  expect_size(&LionOptions::weight_decay, "weight_decay");
  EXPECT_NO_THROW(validate(MuonOptions()));
  expect_size(&MuonOptions::lr, "lr");
  expect_beta(&MuonOptions::momentum, "momentum");
  expect_size(&MuonOptions::eps, "eps");
  expect_size(&MuonOptions::weight_decay, "weight_decay");
  MuonOptions muon;
  muon.ns_steps = 0;
  EXPECT_THROW(validate(muon), DomainError);
  EXPECT_NO_THROW(validate(AdafactorOptions()));
  expect_size(&AdafactorOptions::lr, "lr");
  expect_refused(&AdafactorOptions::beta2_decay, "beta2_decay", 0, "0");
  expect_refused(&AdafactorOptions::beta2_decay, "beta2_decay", nan, "nan");
  expect_size(&AdafactorOptions::eps1, "eps1");
  expect_size(&AdafactorOptions::eps2, "eps2");
  expect_refused(&AdafactorOptions::d, "d", 0, "0");
  expect_refused(&AdafactorOptions::d, "d", infinity, "inf");
  expect_size(&AdafactorOptions::weight_decay, "weight_decay");
  EXPECT_NO_THROW(validate(GradScalerOptions()));
  expect_refused(&GradScalerOptions::init_scale, "init_scale", 0, "0");
  expect_refused(&GradScalerOptions::growth_factor, "growth_factor", 1, "1");
  expect_refused(&GradScalerOptions::backoff_factor, "backoff_factor", 1, "1");
  expect_refused(&GradScalerOptions::backoff_factor, "backoff_factor", nan, "nan");
  GradScalerOptions scaler;
  scaler.growth_interval = 0;
  EXPECT_THROW(GradScaler{scaler}, DomainError);
  for (const double decay : {-0.1, 1.0, nan})
    EXPECT_THROW(ExponentialMovingAverage<float>({}, decay), DomainError);
}

TEST(Options, OfNesterovNeedMomentumWithoutDampening) {
  SgdOptions nesterov;
  nesterov.nesterov = true;
  EXPECT_THROW(validate(nesterov), DomainError);
  nesterov.momentum = 0.9;
  EXPECT_NO_THROW(validate(nesterov));
  nesterov.dampening = 0.1;
  EXPECT_THROW(validate(nesterov), DomainError);
}

TEST(Options, MustSuitTheStrategy) {
  const auto message = [](const AdamWOptions& o, Strategy strategy, Format format) {
    return testing::message_of<DomainError>([&] { validate(o, strategy, format); });
  };
  EXPECT_EQ(message({}, Strategy::residual, Format::float16), "");
  EXPECT_NE(message({}, Strategy::split16, Format::float16).find("split16"), std::string::npos);
  AdamWOptions strict;
  strict.arithmetic = Arithmetic::strict;
  EXPECT_EQ(message(strict, Strategy::plus, Format::bfloat16), "");
  const auto no_strict = message(strict, Strategy::residual, Format::bfloat16);
  EXPECT_NE(no_strict.find("residual, only for plain, light, plus"), std::string::npos)
      << no_strict;
  const auto no_eps = message(strict, Strategy::plain, Format::float16);
  EXPECT_NE(no_eps.find("eps 1e-08"), std::string::npos) << no_eps;
  strict.eps = 0;
  EXPECT_EQ(message(strict, Strategy::plain, Format::float16), "");
  strict.lr = 1e-8;
  const auto no_lr = message(strict, Strategy::plain, Format::float16);
  EXPECT_NE(no_lr.find("lr 1e-08 is 0 in float16, which strict"), std::string::npos) << no_lr;
  EXPECT_EQ(message(strict, Strategy::plain, Format::bfloat16), "");
  // only strict arithmetic rounds it to half
  strict.arithmetic = Arithmetic::registers;
  EXPECT_EQ(message(strict, Strategy::plain, Format::float16), "");
}

/// Every optimizer refuses them when it is made, and the ones whose options may change in a step.
TEST(Options, AreValidatedByTheOptimizers) {
  const Variable<float> x(Tensor<float>::from_values({1}), true);
  x.set_grad(Tensor<float>::from_values({1}));
  const std::vector variables{x};
  AdamOptions adam;
  adam.lr = nan;
  EXPECT_THROW(Adam<float>(variables, adam), DomainError);
  adam = adamw_defaults();
  adam.eps = infinity;
  EXPECT_THROW(AdamW<float>(variables, adam), DomainError);
  SgdOptions sgd;
  sgd.dampening = nan;
  EXPECT_THROW(Sgd<float>(variables, sgd), DomainError);
  AdamWOptions adamw;
  adamw.weight_decay = infinity;
  EXPECT_THROW(McAdamW<bfloat16>(variables, Strategy::light, adamw), DomainError);
  EXPECT_THROW(adamw_step(Strategy::light, Format::bfloat16, AdamWMemory{}, adamw, 1), DomainError);

  Adam<float> optimizer(variables);
  optimizer.groups()[0].weight_decay = nan;
  EXPECT_THROW(optimizer.step(), DomainError);
  McAdamW<bfloat16> narrow(variables, Strategy::light);
  narrow.options().beta1 = nan;
  EXPECT_THROW(narrow.step(), DomainError);
  EXPECT_EQ(optimizer.steps() + narrow.steps(), 0);
  EXPECT_EQ(x.value().item(), 1);
}

}  // namespace
}  // namespace mct::test
