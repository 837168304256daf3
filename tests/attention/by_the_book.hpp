// Attention with all its weights, in more components: what the tiles are compared with.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "mctensor/attention/streaming.hpp"
#include "mctensor/tensor/create.hpp"

namespace mct::testing {

using attention::Mask;
using attention::Operands;
using attention::Score;

/// Results for one group, in the layout of the operands.
template <class V>
struct ByTheBook {
  std::vector<V> values;
  std::vector<V> x, a, y, b, v;  // gradients
  std::vector<V> bias;           // of the scores (L, S)
  std::vector<V> total;          // of a query: the sum of e^score
};

/// An element in more components.
template <class V, class X>
V whole(const X& x) {
  if constexpr (is_expansion_v<X>) {
    return V(x);
  } else {
    return V(double(x));
  }
}

/// All elements in more components, as fast to read as an array.
template <class V, class T, int N>
std::vector<V> whole_elements(const Tensor<T, N>& x) {
  std::vector<V> r;
  for (const auto& each : x.values()) r.push_back(whole<V>(each));
  return r;
}

/// Whether query i of so many sees key j.
template <class T, int N>
bool is_seen(const Mask<T, N>& mask, std::int64_t queries, std::int64_t keys, std::int64_t i,
             std::int64_t j) {
  if (mask.causal && j > i + keys - queries) return false;
  if (!mask.seen.is_everything()) {
    const std::int64_t* const columns = mask.seen.columns.data();
    const std::int64_t* const end = columns + mask.seen.starts.data()[i + 1];
    return std::find(columns + mask.seen.starts.data()[i], end, j) != end;
  }
  return mask.hidden.numel() == 0 || !mask.hidden.at({i, j});
}

/// The element of a bias (.., L, S), or of offsets, of a pair.
template <class T, int N>
Shape bias_index(const Mask<T, N>& mask, std::int64_t queries, std::int64_t i, std::int64_t j) {
  const Shape& shape = mask.bias.shape();
  const std::int64_t dims = std::int64_t(shape.size());
  const auto at = [&](std::int64_t dim, std::int64_t k) {
    return shape[std::size_t(dims + dim)] == 1 ? 0 : k;
  };
  if (mask.by_offset) return {at(-1, j - i + queries - 1)};
  if (dims == 1) return {at(-1, j)};
  return {at(-2, i), at(-1, j)};
}

/// Of one group: x (L, d), a (L, numbers) and so on; g: the gradient of the values. What is hidden
/// is (L, S), a bias has one or two dimensions. V: what it is computed in.
template <class V = f64x2, class T, int N>
ByTheBook<V> attend_by_the_book(Score score, const Operands<T, N>& of, const Mask<T, N>& mask,
                                const Tensor<T, N>& g) {
  return attention::with_score(score, [&](auto which) {
    using S = decltype(which);
    const std::int64_t queries = of.x.size(0), keys = of.y.size(0), d = of.x.size(1),
                       e = of.v.size(1);
    const auto all = [](std::int64_t n) { return std::vector<V>(std::size_t(n), V(0)); };
    ByTheBook<V> r = {all(queries * e),    all(queries * d),    all(queries * S::queries),
                      all(keys * d),       all(keys * S::keys), all(keys * e),
                      all(queries * keys), all(queries)};
    const auto vectors_x = whole_elements<V>(of.x), vectors_y = whole_elements<V>(of.y),
               vectors_v = whole_elements<V>(of.v), vectors_g = whole_elements<V>(g);
    const auto x_at = [&](std::int64_t i, std::int64_t c) {
      return vectors_x[std::size_t(i * d + c)];
    };
    const auto y_at = [&](std::int64_t j, std::int64_t c) {
      return vectors_y[std::size_t(j * d + c)];
    };
    const auto v_at = [&](std::int64_t j, std::int64_t c) {
      return vectors_v[std::size_t(j * e + c)];
    };
    const auto g_at = [&](std::int64_t i, std::int64_t c) {
      return vectors_g[std::size_t(i * e + c)];
    };
    for (std::int64_t i = 0; i < queries; ++i) {
      std::vector<V> t(std::size_t(keys), V(0)), weights(std::size_t(keys), V(0));
      V a[S::queries + 1] = {}, b[S::keys + 1] = {};
      for (int c = 0; c < S::queries; ++c) a[c] = whole<V>(of.a.at({i, c}));
      const auto load = [&](std::int64_t j) {
        for (int c = 0; c < S::keys; ++c) b[c] = whole<V>(of.b.at({j, c}));
      };
      V total(0);
      for (std::int64_t j = 0; j < keys; ++j) {
        for (std::int64_t c = 0; c < d; ++c) {
          const V difference = x_at(i, c) - y_at(j, c);
          t[std::size_t(j)] = t[std::size_t(j)] + (S::from_distance ? difference * difference
                                                                    : x_at(i, c) * y_at(j, c));
        }
        if (!is_seen(mask, queries, keys, i, j)) continue;
        load(j);
        V s = S::value(t[std::size_t(j)], a, b);
        if (mask.bias.numel() > 0) s = s + whole<V>(mask.bias.at(bias_index(mask, queries, i, j)));
        using std::exp;
        weights[std::size_t(j)] = exp(s);
        total = total + weights[std::size_t(j)];
      }
      r.total[std::size_t(i)] = total;
      if (total == V(0)) continue;
      V mean(0);
      std::vector<V> slopes(std::size_t(keys), V(0));
      for (std::int64_t j = 0; j < keys; ++j) {
        V& w = weights[std::size_t(j)];
        w = w / total;
        for (std::int64_t c = 0; c < e; ++c) {
          r.values[std::size_t(i * e + c)] = r.values[std::size_t(i * e + c)] + w * v_at(j, c);
          r.v[std::size_t(j * e + c)] = r.v[std::size_t(j * e + c)] + w * g_at(i, c);
          slopes[std::size_t(j)] = slopes[std::size_t(j)] + g_at(i, c) * v_at(j, c);
        }
        mean = mean + w * slopes[std::size_t(j)];
      }
      for (std::int64_t j = 0; j < keys; ++j) {
        if (weights[std::size_t(j)] == V(0)) continue;
        load(j);
        const V by_score = weights[std::size_t(j)] * (slopes[std::size_t(j)] - mean);
        r.bias[std::size_t(i * keys + j)] = by_score;
        const auto slope = S::slopes(t[std::size_t(j)], a, b);
        for (std::int64_t c = 0; c < d; ++c) {
          const V difference = V(2) * (x_at(i, c) - y_at(j, c));
          V& to_x = r.x[std::size_t(i * d + c)];
          V& to_y = r.y[std::size_t(j * d + c)];
          to_x = to_x + by_score * slope.t * (S::from_distance ? difference : y_at(j, c));
          to_y = to_y + by_score * slope.t * (S::from_distance ? -difference : x_at(i, c));
        }
        for (int c = 0; c < S::queries; ++c)
          r.a[std::size_t(i * S::queries + c)] =
              r.a[std::size_t(i * S::queries + c)] + by_score * slope.query[c];
        for (int c = 0; c < S::keys; ++c)
          r.b[std::size_t(j * S::keys + c)] =
              r.b[std::size_t(j * S::keys + c)] + by_score * slope.key[c];
      }
    }
    return r;
  });
}

}  // namespace mct::testing
