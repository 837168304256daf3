// States of optimizers in files: read, and then a step is taken.
#include <string>

#include "fuzz/target.hpp"
#include "mctensor/error.hpp"
#include "mctensor/geometry/optim/radam.hpp"
#include "mctensor/geometry/optim/tiling_rows.hpp"
#include "mctensor/optim/adam.hpp"
#include "mctensor/optim/checkpoint.hpp"
#include "mctensor/optim/lion.hpp"
#include "mctensor/optim/mc_adamw.hpp"

namespace mct::fuzz {
namespace {

using geometry::LTiling;
using geometry::Radam;
using Rows = geometry::TilingRows<LTiling<double>>;
using McAdamW = optim::McAdamW<bfloat16>;

/// An optimizer of each kind with parameters of its own.
template <class Optimizer>
struct Kind;

template <class T, int N>
struct Kind<optim::Adam<T, N>> {
  Variable<T, N> parameter{Tensor<T, N>({2}), true};
  optim::AdamOptions options{.eps = 1e-3, .amsgrad = true};
  optim::Adam<T, N> optimizer{{parameter}, options};

  void step() {
    parameter.set_grad(Tensor<T>::from_values({T(1), T(-2)}));
    optimizer.step();
  }
};

template <>
struct Kind<McAdamW> {
  explicit Kind(optim::Strategy strategy) : optimizer({parameter}, strategy) {}
  Variable<float> parameter{Tensor<float>({2}), true};
  McAdamW optimizer;

  void step() {
    parameter.set_grad(Tensor<float>::from_values({1, -2}));
    optimizer.step();
  }
};

/// A checkpoint, which is saved and loaded by functions.
struct CheckpointedLion {
  Variable<float, 2> parameter{Tensor<float, 2>({2}), true};
  optim::Lion<float, 2> lion{{parameter}};

  optim::NamedParameters<float, 2> names() const { return {{"weight", parameter}}; }
  void save(const std::filesystem::path& path) { save_checkpoint(path, names(), lion); }
  void load(const std::filesystem::path& path) { load_checkpoint(path, names(), lion); }
  std::int64_t steps() const { return lion.steps(); }
};

template <>
struct Kind<CheckpointedLion> {
  CheckpointedLion optimizer;

  void step() {
    optimizer.parameter.set_grad(Tensor<float>::from_values({1, -2}));
    optimizer.lion.step();
  }
};

template <>
struct Kind<Radam<Rows>> {
  Rows::Points points{2, LTiling<double>().origin()};
  Radam<Rows> optimizer{Rows(), points, {}};

  void step() { optimizer.step(Tensor<double>::from_values({0.5, 0, -1, 0.25}, {2, 2})); }
};

template <class K>
void read(K kind, const std::filesystem::path& path) {
  try {
    kind.optimizer.load(path);
  } catch (const IoError&) {
    return;
  }
  const std::int64_t steps = kind.optimizer.steps();
  require(steps >= 0, "steps are not negative");
  kind.step();
  require(kind.optimizer.steps() >= steps, "a step more is no step less");
}

template <class K>
void write(K kind, const std::filesystem::path& path) {
  for (int i = 0; i < 3; ++i) kind.step();
  kind.optimizer.save(path);
}

/// One call for each kind, with the name of its seed.
template <class Call>
void for_each_kind(const Call& call) {
  call("adam_float", [] { return Kind<optim::Adam<float, 1>>(); });
  call("adam_f64x2", [] { return Kind<optim::Adam<double, 2>>(); });
  call("light", [] { return Kind<McAdamW>(optim::Strategy::light); });
  call("split8", [] { return Kind<McAdamW>(optim::Strategy::split8); });
  call("full", [] { return Kind<McAdamW>(optim::Strategy::full); });
  call("checkpoint", [] { return Kind<CheckpointedLion>(); });
  call("tiling", [] { return Kind<Radam<Rows>>(); });
}

}  // namespace

void write_seeds(const std::filesystem::path& directory) {
  for_each_kind([&](const char* name, const auto& make) { write(make(), directory / name); });
}

}  // namespace mct::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto path = mct::fuzz::as_file("state.safetensors", data, size);
  mct::fuzz::for_each_kind([&](const char*, const auto& make) { mct::fuzz::read(make(), path); });
  return 0;
}
