// A training loop with all that stands around an optimizer: groups by name, a schedule, averages of
// weights, and a checkpoint from which another process goes on bit for bit.
#include <cstdio>
#include <filesystem>
#include <mctensor/mctensor.hpp>

namespace {

struct Run {
  mct::nn::Sequential<mct::bfloat16, 2> model;  // weights of two bfloat16: small steps arrive
  std::unique_ptr<mct::optim::AdamW<mct::bfloat16, 2>> adamw;
  mct::optim::Schedule schedule{
      .decay = mct::optim::Decay::cosine, .warmup = 20, .total = 400, .floor = 0.1};

  Run() {
    model.emplace<mct::nn::Linear>(2, 16, 1);  // inputs, outputs, seed
    model.emplace<mct::nn::Tanh>();
    model.emplace<mct::nn::Linear>(16, 1, 2);
    auto groups =
        mct::optim::groups_by_name(model.named_parameters(), 0.01, 0.1, {{"*.bias", 0.01, 0}});
    adamw =
        std::make_unique<mct::optim::AdamW<mct::bfloat16, 2>>(groups, mct::optim::adamw_defaults());
  }
  /// The loss of a step on points of its own: z = x y.
  double step(bool learn = true) {
    const std::uint64_t seed = learn ? 100 + std::uint64_t(adamw->steps()) : 1;
    const auto points = mct::rand<mct::bfloat16>({64, 2}, seed);
    const auto target = mct::mul(points.narrow(1, 0, 1), points.narrow(1, 1, 1));
    const auto loss = mct::nn::mse_loss(model(mct::Variable<mct::bfloat16>(points)), target);
    if (!learn) return double(loss.value().item());
    adamw->set_lr(0.01 * schedule.factor(adamw->steps() + 1));
    adamw->zero_grad();
    loss.backward();
    adamw->step();
    return double(loss.value().item());
  }
};

}  // namespace

int main() {
  const auto path = std::filesystem::temp_directory_path() / "mctensor_training_loop.safetensors";
  Run first;
  const double untrained = first.step(false);
  mct::optim::ExponentialMovingAverage<mct::bfloat16, 2> average(first.model.parameters(), 0.95);
  for (int i = 0; i < 200; ++i) first.step(), average.update();
  mct::optim::save_checkpoint(path, first.model.named_parameters(), *first.adamw);
  Run second;  // as in another process
  mct::optim::load_checkpoint(path, second.model.named_parameters(), *second.adamw);
  for (int i = 0; i < 200; ++i) first.step(), average.update(), second.step();
  std::filesystem::remove(path);
  const double trained = first.step(false);
  const bool is_same = trained == second.step(false);
  average.swap_in();
  std::printf("loss %.5f, after 400 steps %.5f, of the average %.5f; resumed: %s\n", untrained,
              trained, first.step(false), is_same ? "the same" : "another one");
  return is_same && trained < 0.1 * untrained ? 0 : 1;
}
