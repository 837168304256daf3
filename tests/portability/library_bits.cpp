// Prints a fingerprint of what the compiled library computes: random numbers, elements, sums,
// products, decompositions, tensors of points, tilings, steps of optimizers. Processors with fma,
// compilers and standard libraries must print the same lines (docs/portability.md).
#include <string>
#include <vector>

#include "mctensor/mctensor.hpp"
#include "tests/portability/fingerprint.hpp"

namespace mct::portability {
namespace {

template <class T, int N>
void print(const char* operation, const std::string& type, const Tensor<T, N>& x) {
  Fingerprint fingerprint;
  const auto whole = x.contiguous();
  for (int i = 0; i < N; ++i)
    for (std::int64_t k = 0; k < whole.numel(); ++k) fingerprint.add(whole.plane(i).data()[k]);
  fingerprint.print(operation, type.c_str());
}

template <class T, int N>
void tensors(const std::string& type) {
  const auto a = randn<T, N>({67, 133}, 1), b = randn<T, N>({133, 41}, 2);
  const auto positive = rand<T, N>({67, 133}, 3);
  print("rand", type, positive);
  print("randn", type, a);
  print("mul_add", type, a * positive + a);
  print("div", type, a / (positive + T(1)));
  print("sqrt", type, sqrt(positive));
  print("exp", type, exp(a));
  print("log", type, log(positive));
  print("tanh", type, tanh(a));
  print("sin", type, sin(a));
  print("sigmoid", type, sigmoid(a));
  print("sum", type, sum(a));
  print("sum_rows", type, sum(a, {0}));
  print("dot", type, dot(a.select(0, 0), positive.select(0, 1)));
  print("mm", type, mm(a, b));
}

template <class T, int N>
void large_products(const std::string& type) {
  const auto a = randn<T, N>({130, 150}, 1), b = randn<T, N>({150, 140}, 2);
  print("mm_normwise", type, mm(a, b, MatmulAccuracy::normwise));
  const auto square = mm(a, a.t()) + eye<T, N>(130);
  print("solve", type, linalg::solve(square, a));
  print("qr", type, linalg::qr(a).r);
  print("cholesky", type, linalg::cholesky(square));
}

template <class T, int N>
void small_decompositions(const std::string& type) {
  // the last bits of four normal doubles depend on fma
  const auto a = convert<T, N>(randn<T, 2>({20, 20}, 1));
  const auto square = mm(a, a.t());
  print("small qr", type, linalg::qr(a).r);
  print("small cholesky", type, linalg::cholesky(square));
  print("eigh", type, linalg::eigh(square).eigenvectors);
  print("svd", type, linalg::svd(a).u);
  print("svdvals", type, linalg::svdvals(a));
  print("det", type, linalg::det(a));
  print("slogdet", type, linalg::slogdet(a).logabsdet);
}

template <class M, class T, int N>
void points(const std::string& type) {
  const M model(1);
  const auto x = geometry::expmap0(model, randn<T, N>({200, 3}, 1) * T(0.5));
  const auto y = geometry::expmap0(model, randn<T, N>({200, 3}, 2) * T(0.5));
  print("dist", type, geometry::dist(model, x, y));
  print("logmap", type, geometry::logmap(model, x, y));
  print("expmap", type, geometry::expmap(model, x, geometry::logmap(model, x, y)));
}

void tilings() {
  const geometry::LTiling<double> plane;
  Fingerprint fingerprint;
  Numbers numbers;
  for (int i = 0; i < 20; ++i) {
    const auto far = plane.from_polar(10 + 30 * i, {0.6, 0.8});
    fingerprint.add(plane.dist(far, plane.expmap(far, {numbers.number(3), numbers.number(3)})));
  }
  fingerprint.print("dist", "LTiling<double>");
}

void optimizer(optim::Strategy strategy, const char* name) {
  constexpr std::int64_t n = 500;
  Numbers numbers;
  std::vector<std::uint16_t> theta(n), low(n), m(n), v(n), v_low(n), grad(n);
  const auto random = [&](double scale) {
    return std::bit_cast<std::uint16_t>(bfloat16(float(scale * numbers.number(4))));
  };
  for (auto& w : theta) w = random(1);
  optim::AdamWMemory memory;
  memory.theta = theta.data();
  memory.low = low.data();
  memory.m = m.data();
  memory.v = v.data();
  memory.v_low = v_low.data();
  memory.grad = grad.data();
  memory.count = n;
  for (std::int64_t step = 1; step <= 20; ++step) {
    for (auto& g : grad) g = random(0.1);
    optim::adamw_step(strategy, optim::Format::bfloat16, memory, {.lr = 1e-3}, step);
  }
  Fingerprint fingerprint;
  for (const auto* array : {&theta, &low, &m, &v, &v_low})
    for (const std::uint16_t x : *array) fingerprint.add(x);
  fingerprint.print("adamw", name);
}

}  // namespace
}  // namespace mct::portability

int main() {
  using namespace mct;
  using namespace mct::portability;
  tensors<double, 1>("f64x1");
  tensors<double, 2>("f64x2");
  tensors<double, 3>("f64x3");
  tensors<float, 1>("f32x1");
  tensors<float, 2>("f32x2");
  tensors<bfloat16, 1>("bf16x1");
  tensors<bfloat16, 2>("bf16x2");
  tensors<half, 1>("f16x1");
  large_products<double, 1>("f64x1");
  large_products<double, 2>("f64x2");
  small_decompositions<double, 1>("f64x1");
  small_decompositions<double, 2>("f64x2");
  small_decompositions<double, 3>("f64x3");
  small_decompositions<double, 4>("f64x4");
  points<geometry::PoincareBall<double>, double, 1>("PoincareBall<double>");
  points<geometry::PoincareBall<f64x2>, double, 2>("PoincareBall<f64x2>");
  points<geometry::Lorentz<f64x2>, double, 2>("Lorentz<f64x2>");
  tilings();
  optimizer(optim::Strategy::split16_plus, "split16_plus");
  optimizer(optim::Strategy::split16_stochastic, "split16_stochastic");
  optimizer(optim::Strategy::plus, "plus");
}
