// Attention by hyperbolic distance in time O((L + S) D (n + e)) for D features. The weights are
// inner products of positive features. They approximate a kernel that decreases with the distance.
//
// Let P_w(x) be the horocycle distance toward a direction w (hyla.hpp), rho = (n - 1) / 2 and |mu|
// <= rho. Take the mean of this product over all directions w:
//   e^((rho + mu) P_w(x)) e^((rho - mu) P_w(y))
// The mean depends only on the distance d of x and y. It is the spherical function phi of the
// eigenvalue mu^2 - rho^2 of the Laplacian. phi is positive and 1 at d = 0. It decreases with d for
// |mu| < rho. For large d, phi is proportional to e^(-(rho - |mu|) d), and for mu = 0 to d e^(-rho
// d). In three dimensions phi is sinh(mu d) / (mu sinh d). In two dimensions, for mu = 0, it is a
// complete elliptic integral. So mu acts as a temperature: at mu = 0 the weights fall fastest with
// the distance, and at |mu| = rho all keys weigh the same. mu may be learned. The feature map of
// Geometric Foundations is not used, because its kernel grows with the distance (docs/errata.md).
// Source: Helgason, Groups and geometric analysis, 1984, chapter IV, theorem 4.3 and section 4.
//
// The mean over D directions approximates phi. Random directions give an error of the order 1 /
// sqrt(D). Evenly spaced directions in two dimensions give an error below any power of 1 / D. The
// error grows with the distances of x and y from the origin, because few directions then contribute
// nearly the whole sum (docs/attention.md).
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "mctensor/attention/hyla.hpp"
#include "mctensor/base/number_text.hpp"
#include "mctensor/nn/attention.hpp"

namespace mct::attention {

/// D directions in n dimensions, (D, n). For n = 2 they are evenly spaced on the circle. For n = 3
/// they lie on Fibonacci's spiral, which gives each direction an equal area of the sphere. For
/// larger n they are random and uniform on the sphere; only these depend on the seed. Throws
/// DomainError unless D is positive and n at least 2.
template <class T>
Tensor<T> horocycle_directions(std::int64_t count, std::int64_t n, std::uint64_t seed = 0) {
  detail::require_count("horocycle_directions", count, n - 1);
  if (n > 3) return detail::unit_rows(randn<T>({count, n}, detail::stream(seed, 0)));
  const double turn = 2 * numbers::pi_v<f64x1>.limb[0];
  const double part = n == 2 ? 1 / double(count) : (3 - std::sqrt(5.0)) / 2;
  auto directions = Tensor<T>::uninitialized({count, n});
  for (std::int64_t i = 0; i < count; ++i) {
    const double z = n == 2 ? 0 : 1 - (2 * double(i) + 1) / double(count);
    const double r = std::sqrt((1 - z) * (1 + z));
    T* to = directions.data() + i * n;
    to[0] = T(r * std::cos(turn * part * double(i)));
    to[1] = T(r * std::sin(turn * part * double(i)));
    if (n == 3) to[2] = T(z);
  }
  return directions;
}

namespace detail {

/// Exponents or features of queries and keys.
template <class T>
struct LinearFeatures {
  Variable<T> query, key;
};

/// Features of queries (.., L, D) and keys (.., S, D) from their exponents. Exponents are shifted
/// so that no feature overflows: in each direction the largest feature of the keys is 1, and the
/// largest feature of each query is 1. The shifts cancel when the sums are divided, so they need no
/// gradient.
template <class T>
LinearFeatures<T> features_of(const Variable<T>& query, const Variable<T>& key) {
  const auto highest = mct::max(key.value(), {-2}, true);  // of each direction
  const auto from_keys = query + highest;
  return {exp(from_keys - mct::max(from_keys.value(), {-1}, true)), exp(key - highest)};
}

/// The products of features (.., S, D) and values (.., S, e), summed over keys: (.., D, e).
template <class T>
Variable<T> key_sums(const Variable<T>& key, const Variable<T>& v) {
  return matmul(key.transpose(-2, -1), v);
}

/// For each query, sums the values over the keys up to the query's own position. The sum is
/// computed in blocks: keys of the query's own block are weighed one by one, and earlier blocks are
/// added as one running sum.
template <class T>
Variable<T> prefix_sums(const LinearFeatures<T>& features, const Variable<T>& v) {
  constexpr std::int64_t block = 64;
  const std::int64_t length = v.size(-2);
  std::vector<Variable<T>> parts;
  Variable<T> before;
  for (std::int64_t first = 0; first < length; first += block) {
    const std::int64_t count = std::min(block, length - first);
    const auto query = features.query.narrow(-2, first, count);
    const auto key = features.key.narrow(-2, first, count);
    const auto values = v.narrow(-2, first, count);
    const auto weights =
        where(nn::causal_mask(count, count), T(0), matmul(query, key.transpose(-2, -1)));
    const auto own = matmul(weights, values);
    parts.push_back(first == 0 ? own : own + matmul(query, before));
    if (first + count == length) break;
    before = first == 0 ? key_sums(key, values) : before + key_sums(key, values);
  }
  return cat(parts, -2);
}

template <class T>
void require_linear_shapes(const Variable<T>& q, const Variable<T>& k, const Variable<T>& v,
                           const Tensor<T>& omega, bool causal) {
  const auto fail = [&](const std::string& what) {
    throw ShapeError("linear_distance_attention: " + what + " (queries of shape " +
                     to_string(q.shape()) + ", keys " + to_string(k.shape()) + ", values " +
                     to_string(v.shape()) + ", directions " + to_string(omega.shape()) + ")");
  };
  if (q.dim() < 2 || k.dim() < 2 || v.dim() < 2 || omega.dim() != 2)
    fail("queries, keys and values need at least two dimensions, directions need two");
  if (q.size(-1) != omega.size(-1) || k.size(-1) != omega.size(-1))
    fail("points and directions have different dimensions");
  if (k.size(-2) != v.size(-2)) fail("the number of values must be the number of keys");
  if (k.size(-2) == 0) fail("at least one key is needed");
  if (causal && q.size(-2) != k.size(-2)) fail("a causal mask needs as many queries as keys");
}

}  // namespace detail

/// The mean of the values v (.., S, e), weighted by the approximation of phi(distance of query and
/// key). q (.., L, n) and k (.., S, n) are points of a PoincareBall or HalfSpace, and omega (D, n)
/// are directions. The result has the shape (.., L, e). mu broadcasts to (.., L, D) and (.., S, D);
/// the shape (heads, 1, 1) gives each head its own mu. With `causal`, query i uses the keys up to
/// i, and L must be S. All operands but omega get gradients. Distances are in units of the
/// manifold's radius. T is float or double.
///
/// A weight is a sum of terms, one for each direction. A term may underflow to 0 if it is below
/// e^-80 (float) or e^-700 (double) times the query's largest term over all keys, also later ones.
/// Throws ShapeError if shapes do not fit or there is no key. Throws DomainError for |mu| > rho,
/// and if under a causal mask all terms of a query underflow. This needs a later key at a distance
/// of at least about 80 / (rho - mu) (double: 700 / (rho - mu)) from every key that the query may
/// use.
template <class M, class T>
Variable<T> linear_distance_attention(const M& manifold, const Variable<T>& q, const Variable<T>& k,
                                      const Variable<T>& v, const Tensor<T>& omega,
                                      const Variable<T>& mu, bool causal = false) {
  detail::require_linear_shapes(q, k, v, omega, causal);
  const T rho = T(double(omega.size(-1) - 1) / 2);
  if (!(mct::max(mct::abs(mu.value())).item() <= rho))
    throw DomainError("linear_distance_attention: |mu| is " +
                      number_text(double(mct::max(mct::abs(mu.value())).item())) +
                      ", at most (n - 1) / 2 = " + number_text(double(rho)) + " is allowed");
  const auto features = detail::features_of(horocycle_distance(manifold, q, omega) * (mu + rho),
                                            horocycle_distance(manifold, k, omega) * (rho - mu));
  Shape of_ones = v.shape();
  of_ones.back() = 1;
  auto ones = Tensor<T>::uninitialized(of_ones);
  ones.fill_(T(1));
  const auto columns = cat<T, 1, 1>({v, Variable<T>(ones)}, -1);
  const auto sums = causal ? detail::prefix_sums(features, columns)
                           : matmul(features.query, detail::key_sums(features.key, columns));
  const std::int64_t e = v.size(-1);
  const auto weights = sums.narrow(-1, e, 1);
  if (q.size(-2) > 0 && mct::min(weights.value()).item() == T(0))
    throw DomainError("linear_distance_attention: all weights of a query underflow");
  return sums.narrow(-1, 0, e) / weights;
}

}  // namespace mct::attention
