// Times the library on a GPU, beside cuBLAS and a copy, and prints a table in Markdown. Without a
// device it says why and ends with 2. bench/cuda_report.sh builds and runs it.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "bench/cuda/copy.hpp"
#include "bench/cuda/cublas.hpp"
#include "bench/cuda/embedding.hpp"
#include "bench/cuda/table.hpp"
#include "cuda/attention/attention_launch.hpp"
#include "mctensor/attention/device_attention.hpp"
#include "mctensor/device/all.hpp"
#include "mctensor/error.hpp"
#include "mctensor/linalg/device_products.hpp"
#include "mctensor/optim/device_adamw.hpp"
#include "mctensor/optim/precision_loss.hpp"
#include "mctensor/tensor/all.hpp"

namespace {

using namespace mct::cuda;
using mct::bfloat16;
using mct::bench::Table;
using mct::bench::Work;

constexpr double flops = 2;  // of a multiply-add

template <class T, int N>
DeviceTensor<T, N> matrix(std::int64_t rows, std::int64_t columns, std::uint64_t seed) {
  return rand<T, N>({rows, columns}, seed);
}

/// Limbs that are random numbers: products take as long as those of expansions.
template <int N>
DeviceTensor<bfloat16, N> bfloat16_matrix(std::int64_t n) {
  const auto numbers = rand<bfloat16, 2>({2 * n, n}, 1);
  return DeviceTensor<bfloat16, N>::from_memory(numbers.data(), {n, n}, default_stream(), n * n,
                                                [numbers] {});
}

/// Cycles of all multiprocessors together for so many multiply-adds, from those of the hot loop of
/// a warp.
double cycles(const Device& device, double multiply_adds, double of_loop, double in_loop) {
  return multiply_adds * of_loop / in_loop / device.multiprocessors;
}

template <class T, int N>
void measure_vector_product(Table& table, const Device& device, const char* name, double of_loop) {
  // deeper than the integers go, so that it is the vector units
  constexpr std::int64_t edge = 1024, depth = 66048;
  const auto a = matrix<T, N>(edge, depth, 1);
  const auto b = matrix<T, N>(depth, edge, 2);
  const double count = double(edge) * double(edge) * double(depth);
  table.measure(default_stream(),
                {std::string("product ") + name + ", vector units", "1024 x 66048 x 1024",
                 flops * count, "Tflop/s", cycles(device, count, of_loop, 4096)},
                [&] { mm(a, b); });
}

template <int N>
void measure_integer_product(Table& table, const Device& device, const char* name,
                             mct::MatmulAccuracy accuracy) {
  constexpr std::int64_t n = 8192;
  const auto a = matrix<double, N>(n, n, 1);
  const double count = double(n) * double(n) * double(n);
  const int moduli = integer_moduli(a, a, accuracy);
  // of a warp between two barriers (docs/cuda.md): 128 instructions of 4096 multiply-adds
  table.measure(default_stream(),
                {fmt::format("product {}, INT8 tensor cores, {} moduli", name, moduli), "8192^3",
                 flops * count, "Tflop/s", cycles(device, count * moduli, 176, 128 * 4096)},
                [&] { mm(a, a, accuracy); });
}

void measure_products(Table& table, const Device& device) {
  measure_vector_product<double, 2>(table, device, "f64x2", 864);
  measure_vector_product<double, 3>(table, device, "f64x3", 3264);
  measure_vector_product<float, 2>(table, device, "f32x2", 452);
  measure_integer_product<2>(table, device, "f64x2 normwise", mct::MatmulAccuracy::normwise);
  measure_integer_product<2>(table, device, "f64x2", mct::MatmulAccuracy::componentwise);
  {
    constexpr std::int64_t n = 8192;
    const double count = double(n) * double(n) * double(n);
    const auto x = bfloat16_matrix<2>(n);
    table.measure(default_stream(),
                  {"product bf16x2 to floats", "8192^3", flops * count, "Tflop/s",
                   cycles(device, count, 128, 65536)},
                  [&] { mm_to_float(x, x); });
    const auto y = bfloat16_matrix<3>(n);
    table.measure(default_stream(),
                  {"product bf16x3 to floats", "8192^3", flops * count, "Tflop/s",
                   cycles(device, count, 192, 65536)},
                  [&] { mm_to_float(y, y); });
  }
}

template <class T, class Result>
void measure_cublas(Table& table, const char* name, const DeviceTensor<T>& a) {
  const std::int64_t n = a.size(0);
  const auto c = DeviceTensor<Result>::uninitialized({n, n});
  table.measure(
      default_stream(),
      {name, std::to_string(n) + "^3", flops * double(n) * double(n) * double(n), "Tflop/s"},
      [&] { mct::bench::cublas_product(default_stream(), n, a.data(), a.data(), c.data()); });
}
void measure_cublas(Table& table) {
  if (!mct::bench::has_cublas()) return;
  constexpr std::int64_t n = 8192;
  measure_cublas<double, double>(table, "cuBLAS dgemm", matrix<double, 1>(n, n, 1));
  measure_cublas<float, float>(table, "cuBLAS sgemm", matrix<float, 1>(n, n, 1));
  measure_cublas<bfloat16, float>(table, "cuBLAS bfloat16", bfloat16_matrix<1>(n));
}

/// A step of one tensor of bfloat16 (float for full), and cycles of a multiprocessor for 256
/// parameters where they were counted, else 0: docs/cuda.md has them as shares of the memory's time
/// at 4.8 TB/s and 132 multiprocessors of 1.755 GHz.
void measure_adamw(Table& table, const Device& device, mct::optim::Strategy strategy,
                   double issue_share) {
  constexpr std::int64_t count = std::int64_t(1) << 26;
  const mct::optim::Layout layout = mct::optim::layout_of(strategy);
  std::vector<DeviceMemory> arrays;
  mct::optim::AdamWMemory memory;
  memory.count = count;
  const auto allocate = [&](std::int64_t elements, std::size_t size) {
    arrays.push_back(DeviceMemory::zeros(std::size_t(elements) * size, default_stream()));
    return arrays.back().data();
  };
  for (const auto& array : mct::optim::kept_arrays)
    if (array.is_needed(layout))
      memory.*array.data = allocate(array.elements(count, layout), layout.*array.size);
  const auto floats = rand<float>({layout.grad == 4 ? count : 0}, 1);
  const auto shorts = rand<bfloat16, 2>({layout.grad == 2 ? count : 0}, 1);
  memory.grad = layout.grad == 4 ? static_cast<const void*>(floats.data()) : shorts.data();
  AdamWList list(strategy, mct::optim::Format::bfloat16, {&memory, 1});
  const double kept = layout.bytes() - double(layout.grad);
  // the gradients are read twice, first for their norm
  const double bytes = double(count) * (2 * kept + 2 * double(layout.grad));
  const double of_step = double(count) * (2 * kept + double(layout.grad));
  const double issue = issue_share * of_step / 4.8e12 * 132 * 1.755e9 / device.multiprocessors;
  std::int64_t step = 0;
  table.measure(default_stream(),
                {"AdamW " + to_string(strategy) + ", with the norm", "2^26 parameters", bytes,
                 "TB/s", issue, bytes},
                [&] { list.step({}, ++step); });
}

void measure_optimizers(Table& table, const Device& device) {
  using enum mct::optim::Strategy;
  struct Counted {
    mct::optim::Strategy strategy;
    double issue_share;
  };
  for (const Counted& c : std::initializer_list<Counted>{{plain, 0.55},
                                                         {light, 0.50},
                                                         {plus, 0.45},
                                                         {stochastic, 0.76},
                                                         {stochastic_states, 1.04},
                                                         {residual, 0},
                                                         {residual_states, 0},
                                                         {split16, 0.29},
                                                         {split16_stochastic, 0.97},
                                                         {split16_plus, 0},
                                                         {split8, 2.7},
                                                         {float_states, 0.31},
                                                         {master, 0.23},
                                                         {full, 0.23}})
    measure_adamw(table, device, c.strategy, c.issue_share);
}

/// Numbers of queries or keys in the domain of a score: a column for each.
DeviceTensor<float> numbers_of(mct::attention::Score score, bool query, const mct::Shape& vectors) {
  using enum mct::attention::Score;
  if (score != umbral && score != penumbral && score != distance) return {};
  mct::Shape shape = vectors;
  shape.push_back(1);
  const mct::Tensor<float> first = mct::rand<float>(shape, 3) + 0.25F;  // heights, or weights
  std::vector<mct::Tensor<float>> columns{first};
  if (score == penumbral) columns.push_back(sqrt((1.5F - first) * (1.5F + first)));
  if (query && score != umbral) columns.push_back(first * 0.0F + 1.5F);
  return to_device(mct::cat(columns, -1));
}

constexpr std::int64_t attention_groups = 64, attention_length = 4096;

/// Operands of a score at one width.
AttentionOperands<bfloat16> attention_operands(mct::attention::Score score, std::int64_t d) {
  constexpr std::int64_t groups = attention_groups, length = attention_length;
  const auto eighth = to_device(mct::Tensor<bfloat16, 2>::scalar(mct::bf16x2(0.125)));
  const auto vectors = [&](std::uint64_t seed) {
    return apply(mct::Binary::mul, rand<bfloat16, 2>({groups, length, d}, seed), eighth).plane(0);
  };
  return {vectors(1), numbers_of(score, true, {groups, length}), vectors(2),
          numbers_of(score, false, {groups, length}), vectors(3)};
}
std::string attention_size(std::int64_t d) { return "64 x 4096 x 4096, d " + std::to_string(d); }
double attention_products(std::int64_t d) {
  return double(attention_groups) * double(attention_length) * double(attention_length) * double(d);
}

/// Cycles in which the tensor cores of a device make the products of all queries and keys.
double attention_cycles(std::int64_t d, const Device& device) {
  return attention_products(d) / 2048 / device.multiprocessors;
}

/// Multiples of the tensor cores' time are from docs/cuda.md, 0: not counted.
void measure_forward(Table& table, const Device& device, mct::attention::Score score,
                     const AttentionOperands<bfloat16>& of, const char* name, std::int64_t d,
                     double multiple) {
  table.measure(default_stream(),
                {std::string("attention ") + name, attention_size(d), 2 * 2 * attention_products(d),
                 "Tflop/s", 2 * attention_cycles(d, device) * multiple},
                [&] { attend(score, of); });
}
/// The same and gradients.
void measure_attention(Table& table, const Device& device, mct::attention::Score score,
                       const char* name, std::int64_t d, double forward, double backward) {
  const auto of = attention_operands(score, d);
  measure_forward(table, device, score, of, name, d, forward);
  const auto result = attend(score, of, {}, true);
  table.measure(
      default_stream(),
      {std::string("attention ") + name + ", gradients", attention_size(d),
       5 * 2 * attention_products(d), "Tflop/s", 7 * attention_cycles(d, device) * backward},
      [&] { attend_backward(score, of, {}, result, of.v); });
}

void measure_attention(Table& table, const Device& device) {
  using enum mct::attention::Score;
  for (const std::int64_t d : {64, 128}) {
    const bool narrow = d == 64;
    measure_attention(table, device, dot_product, "dot product", d, narrow ? 1.56 : 1.81,
                      narrow ? 1 / 0.67 : 1 / 0.43);
    measure_attention(table, device, gaussian, "Gaussian", d, 0, 0);
    measure_attention(table, device, laplacian, "Laplacian", d, 0, 0);
    measure_attention(table, device, umbral, "umbral", d, narrow ? 2.35 : 2.05, 0);
    measure_attention(table, device, penumbral, "penumbral", d, 0, 0);
    measure_attention(table, device, distance, "distance", d, 0, 0);
    // what nobody gets yet who does not ask for it
    mct::cuda::warpgroups_are_wanted() = true;
    measure_forward(table, device, dot_product, attention_operands(dot_product, d),
                    "dot product by warpgroups", d, narrow ? 1.06 : 1.03);
    measure_forward(table, device, umbral, attention_operands(umbral, d), "umbral by warpgroups", d,
                    narrow ? 2.36 : 1.23);
    mct::cuda::warpgroups_are_wanted() = false;
  }
}

template <class T, int N>
void measure_elementwise(Table& table, const char* name) {
  constexpr std::int64_t count = std::int64_t(1) << 25;
  const auto x = rand<T, N>({count}, 1);
  const auto y = rand<T, N>({count}, 2);
  const auto row = [&](const char* operation, double arrays, const auto& start) {
    const double bytes = arrays * double(count) * N * sizeof(T);
    table.measure(default_stream(),
                  {std::string(operation) + " " + name, "2^25", bytes, "TB/s", 0, bytes}, start);
  };
  row("add", 3, [&] { apply(mct::Binary::add, x, y); });
  row("mul", 3, [&] { apply(mct::Binary::mul, x, y); });
  row("div", 3, [&] { apply(mct::Binary::div, x, y); });
  row("sum of", 1, [&] { sum(x); });
}

void measure_all() {
  const Device device = devices().front();
  constexpr std::int64_t bytes = std::int64_t(1) << 30;
  const auto from = DeviceMemory::allocate(std::size_t(bytes), default_stream());
  const auto to = DeviceMemory::allocate(std::size_t(bytes), default_stream());
  const auto copied = [&] {
    mct::bench::copy_by_kernel(to.data(), from.data(), std::size_t(bytes), device.multiprocessors,
                               default_stream().handle());
  };
  const double seconds = mct::bench::time_of(default_stream(), copied).seconds;
  fmt::print("{}: compute capability {}.{}, {} multiprocessors, at most {:.0f} MHz, {:.1f} GB\n\n",
             device.name, device.major, device.minor, device.multiprocessors, 1e-6 * device.clock,
             1e-9 * double(device.memory));
  Table table(device, 2.0 * double(bytes) / seconds);
  table.measure(default_stream(), {"copy kernel", "2^30 bytes", 2.0 * double(bytes), "TB/s"},
                copied);
  table.measure(default_stream(), {"copy by cudaMemcpy", "2^30 bytes", 2.0 * double(bytes), "TB/s"},
                [&] { copy_async(to.data(), from.data(), std::size_t(bytes), default_stream()); });
  measure_products(table, device);
  measure_cublas(table);
  measure_optimizers(table, device);
  measure_attention(table, device);
  measure_elementwise<float, 1>(table, "f32");
  measure_elementwise<double, 1>(table, "f64");
  measure_elementwise<double, 2>(table, "f64x2");
  measure_elementwise<double, 3>(table, "f64x3");
  mct::bench::measure_geometry(table, device);
}

}  // namespace

int main() {
  try {
    require_device();
    mct::optim::set_precision_warnings(false);
    measure_all();
    return 0;
  } catch (const mct::Error& error) {
    fmt::print(stderr, "mct_bench_cuda: {}\n", error.what());
    return 2;
  }
}
