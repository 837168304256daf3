// Textbook formulas of the models of hyperbolic space in 3072 bits, where their cancellations do no
// harm. Everything goes through the hyperboloid: charts are written down, their derivatives are
// differences of the charts.
#pragma once

#include <functional>
#include <vector>

#include "mctensor/geometry/point.hpp"
#include "mctensor/geometry/tensors/operation.hpp"
#include "validation/core/big.hpp"

namespace mct::validation {

using BigVector = std::vector<Big>;

inline BigVector operator+(const BigVector& x, const BigVector& y) {
  BigVector r(x);
  for (std::size_t i = 0; i < r.size(); ++i) r[i] = r[i] + y[i];
  return r;
}
inline BigVector operator*(const BigVector& x, const Big& a) {
  BigVector r(x);
  for (auto& c : r) c = c * a;
  return r;
}
inline BigVector operator-(const BigVector& x, const BigVector& y) { return x + y * Big(-1); }
inline Big dot(const BigVector& x, const BigVector& y) {
  Big s;
  for (std::size_t i = 0; i < x.size(); ++i) s = s + x[i] * y[i];
  return s;
}
inline Big norm(const BigVector& x) { return sqrt(dot(x, x)); }

template <class V, int n>
BigVector big_vector(const geometry::Point<V, n>& x) {
  BigVector r;
  for (int i = 0; i < x.size(); ++i) r.push_back(Big(x[i]));
  return r;
}

using Model = geometry::Model;

/// A model of radius K.
class ManifoldOracle {
 public:
  ManifoldOracle(Model model, Big radius) : model_(model), k_(std::move(radius)) {}

  /// The spatial coordinates on the hyperboloid.
  BigVector to_space(const BigVector& x) const {
    const Big k2 = k_ * k_;
    switch (model_) {
      case Model::ball:
        return x * (Big(2) * k2 / (k2 - dot(x, x)));
      case Model::klein:
        return x * (k_ / sqrt(k2 - dot(x, x)));
      case Model::lorentz:
        return BigVector(x.begin() + 1, x.end());
      case Model::hemisphere:
        return BigVector(x.begin(), x.end() - 1) * (k_ / x.back());
      default: {
        const Big& h = x.back();
        BigVector r = x * (k_ / h);
        r.back() = k_ * (dot(x, x) - Big(1)) / (Big(2) * h);
        return r;
      }
    }
  }
  BigVector from_space(const BigVector& X) const {
    const Big time = time_of(X);
    switch (model_) {
      case Model::ball:
        return X * (k_ / (time + k_));
      case Model::klein:
        return X * (k_ / time);
      case Model::lorentz: {
        BigVector r(X);
        r.insert(r.begin(), time);
        return r;
      }
      case Model::hemisphere: {
        BigVector r = X * (k_ / time);
        r.push_back(k_ * k_ / time);
        return r;
      }
      default: {
        const Big h = k_ / (time - X.back());
        BigVector r = X * (h / k_);
        r.back() = h;
        return r;
      }
    }
  }

  Big dist(const BigVector& x, const BigVector& y) const {
    if (model_ == Model::euclidean) return norm(y - x);
    if (model_ == Model::sphere) return k_ * acos_of(dot(x, y) / (norm(x) * norm(y)));
    if (norm(y - x).is_zero()) return Big(0);
    return distance(to_space(x), to_space(y));
  }
  Big norm_at(const BigVector& x, const BigVector& u) const {
    if (is_flat()) return norm(u);
    return length(to_space(x), push(x, u));
  }
  Big inner(const BigVector& x, const BigVector& u, const BigVector& v) const {
    if (is_flat()) return dot(u, v);
    const BigVector X = to_space(x);
    return product(X, push(x, u), push(x, v));
  }
  BigVector expmap(const BigVector& x, const BigVector& u) const {
    if (model_ == Model::euclidean) return x + u;
    if (model_ == Model::sphere) {
      const Big s = norm(u);
      if (s.is_zero()) return x;
      return x * cos(s / k_) + u * (k_ * sin(s / k_) / s);
    }
    if (model_ == Model::half_space) return step_of_half_space(x, u);
    const BigVector X = to_space(x);
    const BigVector U = push(x, u);
    const Big s = length(X, U);
    if (s.is_zero()) return x;
    return from_space(X * cosh(s / k_) + U * (k_ * sinh(s / k_) / s));
  }
  BigVector logmap(const BigVector& x, const BigVector& y) const {
    if (model_ == Model::euclidean) return y - x;
    if (norm(y - x).is_zero()) return y - x;  // where even 3072 bits leave some noise
    if (model_ == Model::sphere) {
      const BigVector m = y - x * (dot(x, y) / dot(x, x));
      return m * (dist(x, y) / norm(m));
    }
    const BigVector X = to_space(x);
    const BigVector Y = to_space(y);
    const Big c = (time_of(X) * time_of(Y) - dot(X, Y)) / (k_ * k_);
    const BigVector M = Y - X * c;
    const Big size = length(X, M);
    if (size.is_zero()) return x - x;
    return pull(X, M * (distance(X, Y) / size));
  }
  /// The partial derivatives of dist by the coordinates of x: -<logmap, e_i> / dist.
  BigVector dist_gradient(const BigVector& x, const BigVector& y) const {
    const BigVector v = logmap(x, y);
    BigVector g = x - x;
    if (norm(v).is_zero()) return g;
    const Big d = dist(x, y);
    for (std::size_t i = 0; i < g.size(); ++i) {
      BigVector e = x - x;
      e[i] = Big(1);
      g[i] = Big(0) - inner(x, v, e) / d;
    }
    return g;
  }
  /// Of the hyperboloid: v + <x, v> / K^2 x for the point of x's spatial coordinates.
  BigVector proju(const BigVector& x, const BigVector& v) const {
    const BigVector X = from_space(to_space(x));
    const BigVector Y(X.begin() + 1, X.end());
    const Big product = dot(Y, BigVector(v.begin() + 1, v.end())) - X[0] * v[0];
    return v + X * (product / (k_ * k_));
  }
  /// On the hyperboloid (sinh((1 - t) d) X + sinh(t d) Y) / sinh d.
  BigVector geodesic(const Big& t, const BigVector& x, const BigVector& y) const {
    // rounding puts points off the sphere: those of a geodesic are as far off as its nearer end
    if (is_flat() && Big(0.5) < t) return expmap(y, logmap(y, x) * (Big(1) - t));
    if (is_flat()) return expmap(x, logmap(x, y) * t);
    if (model_ == Model::half_space && is_above(x, y)) {
      // far up the way, where the sum below cancels beyond any precision
      BigVector z = x;
      z.back() = x.back() * exp(t * log(y.back() / x.back()));
      return z;
    }
    const Big d = dist(x, y) / k_;
    if (d.is_zero()) return x;
    const BigVector sum = to_space(x) * sinh((Big(1) - t) * d) + to_space(y) * sinh(t * d);
    return from_space(sum * (Big(1) / sinh(d)));
  }
  BigVector ptransp(const BigVector& x, const BigVector& y, const BigVector& u) const {
    if (model_ == Model::euclidean) return u;
    if (model_ == Model::sphere) {  // the rotation from x to y
      const BigVector a = x * (Big(1) / norm(x));
      const BigVector b = y * (Big(1) / norm(y));
      return u - (a + b) * (dot(a + b, u) / (Big(1) + dot(a, b))) + b * (Big(2) * dot(a, u));
    }
    const BigVector X = to_space(x);
    const BigVector Y = to_space(y);
    const BigVector U = push(x, u);
    const Big a = time_of(X);
    const Big b = time_of(Y);
    const Big yu = dot(Y, U) - b * dot(X, U) / a;
    const Big c = yu / (k_ * k_ + a * b - dot(X, Y));
    return pull(Y, U + (X + Y) * c);
  }

  /// The derivative of the chart along u.
  BigVector push(const BigVector& x, const BigVector& u) const {
    if (model_ == Model::lorentz) return BigVector(u.begin() + 1, u.end());
    if (model_ == Model::half_space) {  // written down, too: far up differences lose all digits
      const Big& h = x.back();
      const Big up = u.back() / h;
      BigVector r = (u - x * up) * (k_ / h);
      r.back() = k_ / h * (dot(x, u) - (dot(x, x) - Big(1)) * up / Big(2));
      return r;
    }
    return along(
        x, u, [&](const BigVector& z) { return to_space(z); }, true);
  }
  BigVector pull(const BigVector& X, const BigVector& U) const {
    if (model_ == Model::half_space) {
      const Big time = time_of(X);
      const Big h = k_ / (time - X.back());
      const Big up = (U.back() - dot(X, U) / time) * h / k_;  // over the height
      BigVector r = (U + X * up) * (h / k_);
      r.back() = h * up;
      return r;
    }
    return along(
        X, U, [&](const BigVector& Z) { return from_space(Z); }, false);
  }
  Big time_of(const BigVector& X) const { return sqrt(k_ * k_ + dot(X, X)); }
  Model model() const { return model_; }
  const Big& radius() const { return k_; }

 private:
  bool is_flat() const { return model_ == Model::euclidean || model_ == Model::sphere; }
  /// Whether points of the half-space differ in height alone.
  static bool is_above(const BigVector& x, const BigVector& y) {
    BigVector across = x - y;
    across.pop_back();
    return norm(across).is_zero();
  }
  static Big acos_of(const Big& c) { return acos(c > Big(1) ? Big(1) : c < Big(-1) ? Big(-1) : c); }

  Big product(const BigVector& X, const BigVector& U, const BigVector& V) const {
    const Big a = time_of(X);
    return dot(U, V) - dot(X, U) / a * (dot(X, V) / a);
  }
  Big length(const BigVector& X, const BigVector& U) const {
    const Big s = product(X, U, U);
    return s < Big(0) ? Big(0) : sqrt(s);
  }
  Big distance(const BigVector& X, const BigVector& Y) const {
    const Big c = (time_of(X) * time_of(Y) - dot(X, Y)) / (k_ * k_);
    return c < Big(1) ? Big(0) : k_ * acosh(c);
  }

  /// As it is printed (Yu 2024, B.2.2), because far out the hyperboloid loses e^4r of an inward
  /// step: the height h / (cosh s - e_n sinh s), sideways x + h sinh s e / (cosh s - e_n sinh s).
  static BigVector step_of_half_space(const BigVector& x, const BigVector& u) {
    const Big size = norm(u);
    if (size.is_zero()) return x;
    const Big s = size / x.back();
    const BigVector e = u * (Big(1) / size);
    const Big fall = cosh(s) - e.back() * sinh(s);
    BigVector z = x + e * (x.back() * sinh(s) / fall);
    z.back() = x.back() / fall;
    return z;
  }

  /// The derivative of f at x along u: central differences of step 2^-900 of the smallest scale.
  BigVector along(const BigVector& x, const BigVector& u,
                  const std::function<BigVector(const BigVector&)>& f, bool from_chart) const {
    const Big size = norm(u);
    if (size.is_zero()) return f(x) * Big(0);
    Big scale = k_;
    if (from_chart) {
      if (model_ == Model::half_space || model_ == Model::hemisphere) scale = x.back();
      if (model_ == Model::ball || model_ == Model::klein) scale = k_ * k_ - dot(x, x);
    }
    const Big step = ldexp(scale, -900) / size;
    const BigVector difference = f(x + u * step) - f(x - u * step);
    return difference * (Big(0.5) / step);
  }

  Model model_;
  Big k_;
};

/// The sum over all coordinates of the inputs of changed(f there up, f there down), after a change
/// of the coordinate by the relative step 2^-bits.
template <class F, class Changed>
BigVector sum_of_changes(const std::vector<BigVector>& inputs, int bits, const F& f,
                         const Changed& changed) {
  BigVector sum;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    for (std::size_t j = 0; j < inputs[k].size(); ++j) {
      if (inputs[k][j].is_zero()) continue;
      std::vector<BigVector> up(inputs);
      std::vector<BigVector> down(inputs);
      up[k][j] = inputs[k][j] * (Big(1) + ldexp(Big(1), -bits));
      down[k][j] = inputs[k][j] * (Big(1) - ldexp(Big(1), -bits));
      const BigVector change = changed(f(up), f(down));
      sum = sum.empty() ? change : sum + change;
    }
  }
  if (sum.empty()) sum = f(inputs) * Big(0);
  return sum;
}
/// What perturbing each coordinate of the inputs by a relative u changes, in units of u: the vector
/// of sum_j |dz_i / d input_j| |input_j|.
template <class F>
BigVector condition(const std::vector<BigVector>& inputs, const F& f) {
  return sum_of_changes(inputs, 400, f, [](const BigVector& up, const BigVector& down) {
    BigVector change = up - down;
    for (auto& c : change) c = abs(ldexp(c, 399));
    return change;
  });
}
/// The same of a perturbation by 2^-bits itself, in units of 2^-bits. It has what grows by the
/// square of a perturbation, which the derivative lacks: far out in the Lorentz model a tangent
/// vector that leads straight outward is long in coordinates and short by the metric, so that a
/// unit in its last place turns it aside.
template <class F>
BigVector rounding_condition(const std::vector<BigVector>& inputs, int bits, const F& f) {
  const BigVector here = f(inputs);
  return sum_of_changes(inputs, bits, f, [&](BigVector up, const BigVector& down) {
    for (std::size_t i = 0; i < up.size(); ++i)
      up[i] = ldexp(std::max(abs(up[i] - here[i]), abs(down[i] - here[i])), bits);
    return up;
  });
}

/// What a relative u of the way from the nearer end changes in a geodesic's point, in units of u:
/// min(t, 1 - t) |dz_i / dt|.
inline BigVector geodesic_pace(const ManifoldOracle& oracle, const Big& t, const BigVector& x,
                               const BigVector& y) {
  const bool second = Big(0.5) < t;
  const Big part = second ? Big(1) - t : t;
  return condition({{part}}, [&](const std::vector<BigVector>& at) {
    return second ? oracle.geodesic(at[0][0], y, x) : oracle.geodesic(at[0][0], x, y);
  });
}

}  // namespace mct::validation
