// Shapes of attention's operands on a device, checked.
#pragma once

#include <algorithm>
#include <string>

#include "cuda/attention/operands.hpp"
#include "cuda/device/run.hpp"
#include "mctensor/attention/device_attention.hpp"

namespace mct::cuda {

inline constexpr std::int64_t widest_vector = 128, most_vectors = std::int64_t(1) << 30;

[[noreturn]] inline void refuse_shapes(const std::string& what) {
  throw ShapeError("attend: " + what);
}

/// Whether two shapes are equal except in the last `differing` dimensions.
inline bool is_beside(const Shape& one, const Shape& other, std::ptrdiff_t differing) {
  return one.size() == other.size() &&
         std::equal(one.begin(), one.end() - differing, other.begin());
}

template <class T>
void require_vectors(const char* name, const DeviceTensor<T>& x) {
  const std::int64_t width = x.size(-1);
  if (width < 8 || width % 8 != 0 || width > widest_vector)
    refuse_shapes(std::string(name) + " of shape " + to_string(x.shape()) + ": vectors have " +
                  std::to_string(width) + " coordinates, not a multiple of 8 up to " +
                  std::to_string(widest_vector));
  if (reinterpret_cast<std::uintptr_t>(x.data()) % 16 != 0)
    throw DomainError("attend: " + std::string(name) + " does not begin at a multiple of 16 bytes");
}

/// Throws ShapeError unless `numbers` has `count` numbers for each vector of x.
template <class T>
void require_numbers(const char* name, const DeviceTensor<float>& numbers, const DeviceTensor<T>& x,
                     int count) {
  if (count == 0) return;
  if (!is_beside(numbers.shape(), x.shape(), 1) || numbers.size(-1) != count)
    refuse_shapes(std::string(name) + " of shape " + to_string(numbers.shape()) + ", not " +
                  std::to_string(count) + " numbers for each vector of shape " +
                  to_string(x.shape()));
}

/// How many numbers a score has for a query and for a key.
struct NumberCounts {
  int queries, keys;
  bool for_forward;  // whether the forward program reads them or the squared lengths

  explicit NumberCounts(attention::Score score) {
    attention::with_score(score, [&]<class S>(S /*score*/) {
      queries = S::queries;
      keys = S::keys;
      for_forward = S::from_distance;
    });
  }
};

/// Groups, queries and keys of operands that fit together, and that programs can read as tiles.
struct AttentionSizes {
  std::int64_t groups = 1, queries, keys;

  template <class T>
  AttentionSizes(const NumberCounts& counts, const AttentionOperands<T>& of, bool as_tiles = true) {
    if (of.x.dim() < 2 || !is_beside(of.x.shape(), of.y.shape(), 2) ||
        of.x.size(-1) != of.y.size(-1) || !is_beside(of.y.shape(), of.v.shape(), 1))
      refuse_shapes("queries of shape " + to_string(of.x.shape()) + ", keys of " +
                    to_string(of.y.shape()) + ", values of " + to_string(of.v.shape()));
    if (as_tiles) {
      require_vectors("x", of.x);
      require_vectors("y", of.y);
      require_vectors("v", of.v);
    }
    require_numbers("a", of.a, of.x, counts.queries);
    require_numbers("b", of.b, of.y, counts.keys);
    for (int d = 0; d + 2 < of.x.dim(); ++d) groups *= of.x.size(d);
    queries = of.x.size(-2);
    keys = of.y.size(-2);
    if (groups > Grid::max_y || std::max(queries, keys) > most_vectors)
      refuse_shapes("queries of shape " + to_string(of.x.shape()) + " and keys of " +
                    to_string(of.y.shape()) + " are more than " + std::to_string(Grid::max_y) +
                    " groups of 2^30");
  }
  PairSizes pairs(const AttentionMask& mask) const {
    return {int(queries), int(keys), mask.causal};
  }
};

/// Throws ShapeError unless the gradient has the shape of the result.
template <class T>
void require_gradient(const AttentionOperands<T>& of, const Attended<T>& result,
                      const DeviceTensor<T>& gradient) {
  if (!is_beside(gradient.shape(), of.x.shape(), 1) || gradient.size(-1) != of.v.size(-1) ||
      result.values.shape() != gradient.shape())
    refuse_shapes("a gradient of shape " + to_string(gradient.shape()) + " for a result of " +
                  to_string(result.values.shape()));
}

template <class T>
void wait_for_operands(Ordered& ordered, const NumberCounts& counts,
                       const AttentionOperands<T>& of) {
  ordered.add(of.y.stream());
  ordered.add(of.v.stream());
  if (counts.queries > 0) ordered.add(of.a.stream());
  if (counts.keys > 0) ordered.add(of.b.stream());
}

}  // namespace mct::cuda
