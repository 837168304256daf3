// Ours: single operations and chains, scalar and on SIMD batches; dot products and products of
// matrices of tensors. The peers of today stand beside them in builds that have them (bench/today).
#include "bench/arithmetic.hpp"

#include "bench/batches.hpp"
#include "mctensor/mctensor.hpp"

namespace mct::bench {
namespace {

namespace on = arithmetic;

/// The public operations, special values included.
template <int N>
struct Public {
  using Value = Expansion<double, N>;
  using Operations = on::Operators;
  static Value from(const Value& x) { return x; }
  static void read(const Value& x, validation::Real& out) { out.set_exact(x); }
};

/// The networks alone, for finite operands: what kernels are made of.
struct Networks {
  template <class X>
  static void apply(on::Add, X& r, const X& a, const X& b) {
    r = detail::add_limbs(a, b);
  }
  template <class X>
  static void apply(on::Sub, X& r, const X& a, const X& b) {
    r = detail::add_limbs(a, -b);
  }
  template <class X>
  static void apply(on::Mul, X& r, const X& a, const X& b) {
    r = detail::mul_limbs(a, b);
  }
  template <class X>
  static void apply(on::Div, X& r, const X& a, const X& b) {
    r = detail::quotient_limbs<X::components>(a, b);
  }
  template <class X>
  static void apply(on::Sqrt, X& r, const X& a, const X&) {
    r = detail::sqrt_limbs(a);
  }
};
template <int N>
struct Unguarded : Public<N> {
  using Operations = Networks;
};

#if MCT_WITH_XSIMD
template <int N>
struct Lanes {
  using Batch = xsimd::batch<double>;
  using Value = Expansion<Batch, N>;
  using Operations = on::Operators;
  static constexpr std::size_t width = Batch::size;
  static Value from(const Expansion<double, N>* first) {
    return batches(std::vector<Expansion<double, N>>(first, first + width))[0];
  }
  static Expansion<double, N> lane(const Value& x, std::size_t j) {
    Expansion<double, N> r;
    for (int k = 0; k < N; ++k) r.limb[k] = x.limb[k].get(j);
    return r;
  }
  static void read(const Value& x, std::size_t j, validation::Real& out) {
    out.set_exact(lane(x, j));
  }
  static Value broadcast(const Value& x, std::size_t j) {
    Value r;
    const Expansion<double, N> number = lane(x, j);
    for (int k = 0; k < N; ++k) r.limb[k] = Batch(number.limb[k]);
    return r;
  }
  static Value sum(const Value& x) {
    Expansion<double, N> total = lane(x, 0);
    for (std::size_t j = 1; j < width; ++j) total += lane(x, j);
    Value r;
    for (int k = 0; k < N; ++k) r.limb[k] = Batch(total.limb[k]);
    return r;
  }
};
template <int N>
struct UnguardedLanes : Lanes<N> {
  using Operations = Networks;
};
#endif

/// The public functions of tensors, on one thread.
template <int N>
struct Tensors {
  class Vector {
   public:
    explicit Vector(const std::vector<Expansion<double, N>>& numbers)
        : tensor({std::int64_t(numbers.size())}) {
      for (std::size_t i = 0; i < numbers.size(); ++i)
        for (int k = 0; k < N; ++k) tensor.data(k)[i] = numbers[i].limb[k];
    }
    Tensor<double, N> tensor;
  };
  static void read(const Vector& v, std::size_t i, validation::Real& out) {
    double limbs[N];
    for (int k = 0; k < N; ++k) limbs[k] = v.tensor.data(k)[i];
    out.set_exact(limbs, N);
  }
  static void dot(const Vector& x, const Vector& y, Vector& r) {
    r.tensor = mct::dot(x.tensor, y.tensor);
  }
  static void mm(const Vector& a, const Vector& b, Vector& r, std::size_t n) {
    const auto size = std::int64_t(n);
    r.tensor = mct::mm(a.tensor.reshape({size, size}), b.tensor.reshape({size, size}))
                   .reshape({size * size});
  }
};

/// Runs with one thread, whatever the number of processors.
void use_one_thread(Case& c) {
  c.run = [run = c.run](benchmark::State& state) {
    const int threads = num_threads();
    set_num_threads(1);
    run(state);
    set_num_threads(threads);
  };
}

template <int N>
void enter(std::vector<Case>& cases) {
  on::enter_operations<N, on::Values<N, Public<N>>>(cases, "ours");
  const std::size_t before = cases.size();
  on::enter_dot<N, Tensors<N>>(cases, "ours");
  on::enter_mm<N, Tensors<N>>(cases, "ours");
  std::for_each(cases.begin() + std::ptrdiff_t(before), cases.end(), use_one_thread);
  on::enter_operations<N, on::Values<N, Unguarded<N>>>(cases, "ours, no special values");
#if MCT_WITH_XSIMD
  on::enter_all<N, on::Batches<N, Lanes<N>>>(cases, "ours, SIMD");
  on::enter_all<N, on::Batches<N, UnguardedLanes<N>>>(cases, "ours, SIMD, no special values");
#endif
}

}  // namespace

void add_arithmetic(std::vector<Case>& cases) {
  enter<2>(cases);
  enter<3>(cases);
  enter<4>(cases);
}

}  // namespace mct::bench
