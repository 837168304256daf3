// Operands of attention in the domain of each score.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "mctensor/attention/streaming.hpp"
#include "mctensor/tensor/create.hpp"
#include "mctensor/tensor/elementwise.hpp"
#include "mctensor/tensor/reduce.hpp"

namespace mct::testing {

using attention::Operands;
using attention::Score;

inline const std::vector<Score> scores = [] {
  std::vector<Score> all;
  for (const auto& item : attention::score_names) all.push_back(item.value);
  return all;
}();

inline std::string name_of(Score score) { return std::string(attention::score_names.of(score)); }

/// Numbers of queries or keys that are in the score's domain, from uniform ones.
template <class T, int N>
Tensor<T, N> numbers(Score score, bool query, const Shape& lead, std::uint64_t seed) {
  const auto between = [&](double low, double high, std::uint64_t k) {
    Shape shape = lead;
    shape.push_back(1);
    return rand<T, N>(shape, 10 * seed + k) * T(high - low) + T(low);
  };
  switch (score) {
    case Score::umbral:
      return between(0.05, 2, 1);
    case Score::penumbral: {
      const Tensor<T, N> height = between(0.05, 1.45, 1);
      const Tensor<T, N> reach = sqrt((T(1.5) - height) * (T(1.5) + height));
      if (!query) return cat(std::vector<Tensor<T, N>>{height, reach}, -1);
      return cat(std::vector<Tensor<T, N>>{height, reach, height * T(0) + T(1.5)}, -1);
    }
    case Score::entailment: {
      const Tensor<T, N> angle = between(0.05, 0.6, 1);
      const std::vector<Tensor<T, N>> of_angle = {cos(angle), sin(angle)};
      if (!query) return cat(of_angle, -1);
      return cat(std::vector<Tensor<T, N>>{of_angle[0], of_angle[1], between(0.2, 2, 2)}, -1);
    }
    case Score::distance:
    case Score::distance_squared: {
      if (!query) return between(0.3, 6, 1);
      const bool squared = score == Score::distance_squared;  // distances are from 0 to 7
      const auto beta = squared ? between(0.05, 0.5, 2) : between(0.2, 2, 2);
      return cat(std::vector<Tensor<T, N>>{between(0.3, 6, 1), beta}, -1);
    }
    default:
      return {};
  }
}

/// 1 / sqrt(d), in all components.
template <class T, int N>
auto attention_size(std::int64_t d) {
  if constexpr (N == 1) {
    return T(1 / std::sqrt(double(d)));
  } else {
    return rsqrt(Expansion<T, N>(double(d)));
  }
}

/// Points of which some keys are queries, or near them.
template <class T, int N = 1>
Operands<T, N> operands(Score score, const Shape& lead, std::int64_t queries, std::int64_t keys,
                        std::int64_t d, std::int64_t e, std::uint64_t seed) {
  const auto shape = [&](std::initializer_list<std::int64_t> last) {
    Shape s = lead;
    s.insert(s.end(), last);
    return s;
  };
  const auto size = attention_size<T, N>(d);
  Operands<T, N> of = {randn<T, N>(shape({queries, d}), seed) * size,
                       numbers<T, N>(score, true, shape({queries}), seed + 1),
                       randn<T, N>(shape({keys, d}), seed + 2) * size,
                       numbers<T, N>(score, false, shape({keys}), seed + 3),
                       randn<T, N>(shape({keys, e}), seed + 4)};
  if (score == Score::entailment)  // directions
    for (Tensor<T, N>* const each : {&of.x, &of.y})
      *each = *each * T(0.5) / sqrt(sum(square(*each), {-1}, true));
  const std::int64_t same = std::min<std::int64_t>({queries, keys, 3});
  if (seed % 2 == 0 && same > 0) {
    of.y.narrow(-2, 0, same).copy_(of.x.narrow(-2, 0, same));
    of.y.narrow(-2, same - 1, 1).copy_(of.x.narrow(-2, same - 1, 1) * T(1 + 1e-4));
  }
  return of;
}

}  // namespace mct::testing
