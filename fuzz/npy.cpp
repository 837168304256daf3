// NumPy's .npy files, read as every type of tensor.
#include "mctensor/tensor/npy.hpp"
#include "fuzz/target.hpp"
#include "fuzz/tensors.hpp"
#include "mctensor/error.hpp"

namespace mct::fuzz {
namespace {

template <class T, int N>
void read(const std::filesystem::path& path) {
  try {
    touch(load_npy<T, N>(path));
  } catch (const IoError&) {
    return;
  }
}

}  // namespace

void write_seeds(const std::filesystem::path& directory) {
  save_npy(directory / "matrix_f8",
           Tensor<double>::from_values({1, -2, 0.1, 1e300, 0, -0.0}, {2, 3}));
  save_npy(directory / "planes_f4", two_planes());
  save_npy(directory / "half", Tensor<half>::from_values({half(1.5), half(-6e-8)}));
  save_npy(directory / "bfloat16", Tensor<bfloat16>::from_values({bfloat16(3)}, {1, 1, 1}));
  save_npy(directory / "mask", Tensor<bool>::from_values({true, false, true}));
  save_npy(directory / "scalar_i8", Tensor<std::int64_t>::scalar(-7));
  save_npy(directory / "empty", Tensor<double>({0, 4}));
}

}  // namespace mct::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace mct;  // NOLINT(google-build-using-namespace)
  const auto path = fuzz::as_file("array.npy", data, size);
  fuzz::read<double, 1>(path);
  fuzz::read<float, 2>(path);
  fuzz::read<half, 1>(path);
  fuzz::read<bfloat16, 3>(path);
  fuzz::read<bool, 1>(path);
  fuzz::read<std::int64_t, 1>(path);
  return 0;
}
