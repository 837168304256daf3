// The optimizer of Collage, one parameter at a time: Yu 2024, Alg. 9.
//
// Error: the papers state no bound; docs/errata.md has the measured errors. Domain: finite numbers
// without overflow. Source: Yu 2024, Alg. 8, 9 and 23.
#pragma once

#include <cmath>

#include "mctensor/expansion/published/blocks.hpp"

namespace mct::published::inline MCT_ISA_NAMESPACE {

/// Alg. 8 in Alg. 9. The printed form begins with Fast2Sum, which needs |x| >= |a|. Alg. 9 does not
/// guarantee this: a weight near 0 is smaller than its update, and v may be smaller than the next
/// square. The corrected form uses Two-Sum, which gives the same result if |x| >= |a|.
template <class Policy, class T>
MCT_HD constexpr Components<T, 2> grow_of(const Components<T, 2>& x, T a) {
  if constexpr (Policy::corrected) {
    const auto [u, v] = two_sum(x[0], a);
    const auto [hi, lo] = fast_two_sum<T>(u, x[1] + v);
    return {{hi, lo}};
  } else {
    return grow(x, a);
  }
}

/// Alg. 23 in Alg. 9: as published::mul, and also for half and bfloat16, which std::fma does not
/// take.
template <class T>
MCT_HD constexpr Components<T, 2> mul_of(const Components<T, 2>& a, const Components<T, 2>& b) {
  using std::fma;
  const T p = a[0] * b[0];
  const T e = fma(a[0], b[0], -p);
  const auto [hi, lo] = fast_two_sum<T>(p, e + (a[0] * b[1] + a[1] * b[0]));
  return {{hi, lo}};
}

/// The constants of step t >= 1, rounded to T. beta2 is rounded to two T.
template <class T>
struct CollageConstants {
  T lr;
  T beta1;
  T one_minus_beta1;
  Components<T, 2> beta2;
  T one_minus_beta2;
  T correction1;  ///< 1 - beta1^t
  T correction2;  ///< 1 - beta2^t
  T eps;
  T weight_decay;

  CollageConstants(double lr_, double beta1_, double beta2_, double eps_, double weight_decay_,
                   int t)
      : lr(lr_),
        beta1(beta1_),
        one_minus_beta1(1 - beta1_),
        beta2{{T(beta2_), T(beta2_ - double(T(beta2_)))}},
        one_minus_beta2(1 - beta2_),
        correction1(1 - std::pow(beta1_, t)),
        correction2(1 - std::pow(beta2_, t)),
        eps(eps_),
        weight_decay(weight_decay_) {}
};

/// A parameter with its moments. Collage-light keeps v in one component, Collage-plus in two.
template <class T>
struct CollageParameter {
  Components<T, 2> theta{};
  T m{};
  Components<T, 2> v{};
};

/// Alg. 9: one step with the gradient g, every operation rounded to T.
template <class Policy, bool Plus, class T>
MCT_HD inline void collage_step(CollageParameter<T>& p, T g, const CollageConstants<T>& c) {
  using std::sqrt;
  p.m = c.beta1 * p.m + c.one_minus_beta1 * g;
  const T square = c.one_minus_beta2 * (g * g);
  if constexpr (Plus) {
    p.v = grow_of<Policy>(mul_of(c.beta2, p.v), square);
  } else {
    p.v[0] = c.beta2[0] * p.v[0] + square;
  }
  const T m_hat = p.m / c.correction1;
  const T v_hat = p.v[0] / c.correction2;
  const T update = -c.lr * (m_hat / (sqrt(v_hat) + c.eps) + c.weight_decay * p.theta[0]);
  p.theta = grow_of<Policy>(p.theta, update);
}

}  // namespace mct::published::inline MCT_ISA_NAMESPACE
