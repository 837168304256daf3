// Prints as JSON the networks of the operations that tools/prove/prove.py proves, one a line.
#include <cstdio>

#include "recorded.hpp"

namespace {

using mct::Expansion;
using prove::Recorded;

template <int N>
Expansion<Recorded, N> operand() {
  Expansion<Recorded, N> x;
  for (int i = 0; i < N; ++i) x.limb[i] = Recorded::value(prove::recording->next());
  return x;
}

void print_ids(const char* name, const std::vector<int>& ids) {
  std::printf("\"%s\": [", name);
  for (std::size_t i = 0; i < ids.size(); ++i) std::printf("%s%d", i ? ", " : "", ids[i]);
  std::printf("]");
}

/// Runs operation(x, y) on operands of N and M limbs and prints what it did.
template <int N, int M, class Operation>
void print_network(const char* name, Operation operation) {
  prove::Recording recording;
  prove::recording = &recording;
  const auto x = operand<N>();
  const auto y = operand<M>();
  const auto z = operation(x, y);
  std::printf("{\"name\": \"%s\", \"operands\": [[", name);
  for (int i = 0; i < N + M; ++i) std::printf("%s%d", i == 0 ? "" : i == N ? "], [" : ", ", i);
  std::printf("]], ");
  std::vector<int> limbs;
  for (const Recorded& limb : z.limb) limbs.push_back(limb.id());
  print_ids("results", limbs);
  std::printf(", \"steps\": [");
  bool first = true;
  for (const prove::Step& step : recording.steps) {
    std::printf("%s{\"operation\": \"%s\", ", first ? "" : ", ", step.operation);
    print_ids("operands", step.operands);
    std::printf(", ");
    print_ids("results", step.results);
    std::printf("}");
    first = false;
  }
  std::printf("]}\n");
}

}  // namespace

int main() {
  const auto add = [](const auto& x, const auto& y) { return mct::add(x, y); };
  const auto add_float = [](const auto& x, const auto& y) { return mct::add(x, y.limb[0]); };
  const auto sub = [](const auto& x, const auto& y) { return mct::sub(x, y); };
  const auto mul = [](const auto& x, const auto& y) { return mct::mul(x, y); };
  const auto mul_float = [](const auto& x, const auto& y) { return mct::mul(x, y.limb[0]); };
  print_network<2, 2>("add 2", add);
  print_network<2, 1>("add_float 2", add_float);
  print_network<2, 2>("sub 2", sub);
  print_network<2, 2>("mul 2", mul);
  print_network<2, 1>("mul_float 2", mul_float);
  print_network<3, 3>("add 3", add);
  print_network<3, 1>("add_float 3", add_float);
  print_network<3, 3>("mul 3", mul);
  print_network<3, 1>("mul_float 3", mul_float);
  print_network<4, 4>("add 4", add);
  print_network<4, 1>("add_float 4", add_float);
  print_network<4, 4>("mul 4", mul);
  print_network<4, 1>("mul_float 4", mul_float);
}
