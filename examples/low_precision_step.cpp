// AdamW on weights of bfloat16: updates of 1e-4 are lost by bfloat16 alone, not by two components.
#include <cstdio>
#include <mctensor/mctensor.hpp>
#include <vector>

namespace {

using mct::bfloat16;
using mct::optim::Strategy;

/// A weight of 1 after 1000 steps of 1e-4 downwards: 0.9.
double weight_after(Strategy strategy) {
  // 64 weights in arrays of your own; layout_of(strategy) says which there are
  std::vector<bfloat16> theta(64, bfloat16(1));
  std::vector<bfloat16> low(64), m(64), v(64), v_low(64);
  const std::vector<bfloat16> gradient(64, bfloat16(0.5));
  mct::optim::AdamWMemory memory;
  memory.theta = theta.data();
  memory.low = low.data();
  memory.m = m.data();
  memory.v = v.data();
  memory.v_low = v_low.data();
  memory.grad = gradient.data();
  memory.count = 64;
  mct::optim::AdamWOptions options;
  options.lr = 1e-4;
  options.weight_decay = 0;
  for (int step = 1; step <= 1000; ++step)
    adamw_step(strategy, mct::optim::Format::bfloat16, memory, options, step);
  return double(theta[0]) + double(low[0]);
}

}  // namespace

int main() {
  for (const Strategy strategy :
       {Strategy::plain, Strategy::light, Strategy::plus, Strategy::residual_states})
    std::printf("%-16s %.5f\n", to_string(strategy).c_str(), weight_after(strategy));
  return weight_after(Strategy::plain) == 1 && weight_after(Strategy::plus) < 0.92 ? 0 : 1;
}
