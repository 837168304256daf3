// Second derivatives of an operation on tensors, point by point (registry/second.hpp).
#pragma once

#include <optional>
#include <vector>

#include "mctensor/geometry/tensors/points.hpp"
#include "mctensor/tensor/reduce.hpp"
#include "src/geometry/registry/second.hpp"
#include "src/geometry/tensors/blocks.hpp"

namespace mct::geometry::tensor_detail {

template <class T, int N>
using Cotangents = std::vector<std::optional<Tensor<T, N>>>;

/// Numbers of tensors in a row: of points, or numbers that are points of one coordinate.
template <class T, int N>
class RowReader {
 public:
  RowReader(const Tensor<T, N>& x, bool is_number, const Shape& leading)
      : reader_(is_number ? x.unsqueeze(-1) : x, leading) {}
  void append(std::vector<geometry_detail::Wide>& row, std::int64_t point) const {
    const T* const begin = reader_.at(point);
    for (int c = 0; c < reader_.coordinates(); ++c)
      row.emplace_back(detail::to_work(reader_.coordinate(begin, c)));
  }

 private:
  detail::PointReader<T, N> reader_;
};

/// Leaves all points: each is taken alone.
struct PointByPoint {
  template <class T, int N>
  std::uint64_t operator()(std::int64_t, std::size_t, const std::vector<Tensor<T, N>>&) const {
    return ~std::uint64_t(0);
  }
};

/// The results of Registered::second_derivatives: by the radii (k) and, not summed over the
/// dimensions that broadcasting stretched, by operands and `grad`. corners: of the result's shape,
/// 0 where first derivatives are 0 by definition; or none. make(): of a thread, a function that
/// gives the results of so many points from one on, a block at most, and the bits of those that are
/// left.
template <class T, int N, class Make>
std::vector<Tensor<T, N>> second_on_tensors(const geometry_detail::SecondOperation& operation,
                                            const Tensor<T, N>& radii,
                                            const std::vector<Tensor<T, N>>& operands,
                                            const Shape& leading, const Tensor<T, N>& grad,
                                            const std::optional<Tensor<T, N>>& corners,
                                            const Cotangents<T, N>& cotangents,
                                            const std::vector<bool>& wanted, const Make& make) {
  using geometry_detail::Wide;
  using V = typename Tensor<T, N>::Value;
  using Reader = RowReader<T, N>;
  const std::size_t count = operands.size();
  if (cotangents.size() != count + 1 || wanted.size() != count + 2)
    throw ShapeError(operation.name + ": " + std::to_string(cotangents.size()) +
                     " cotangents and " + std::to_string(wanted.size()) +
                     " flags of wanted derivatives; there are a radius, " + std::to_string(count) +
                     " operands and a gradient");
  const auto is_number = [&](std::size_t i) {
    return i <= count ? operation.kinds[i - 1] == 'n' : operation.gives_number;
  };
  const Tensor<T, N> all_radii = radii.flatten();
  std::vector<int> coordinates{int(all_radii.numel())};
  for (std::size_t i = 1; i <= count; ++i) coordinates.push_back(is_number(i) ? 1 : operation.n);
  coordinates.push_back(operation.gives_number ? 1 : int(grad.size(-1)));

  std::vector<Reader> points{Reader(all_radii, false, leading)};
  std::vector<std::optional<Reader>> directions(count + 1);
  for (std::size_t i = 0; i <= count; ++i) {
    const Tensor<T, N>& of = i == 0 ? radii : operands[i - 1];
    if (i > 0) points.emplace_back(of, is_number(i), leading);
    if (!cotangents[i]) continue;
    const Tensor<T, N>& direction = *cotangents[i];
    if (i > 0 ? direction.shape() != of.shape() : direction.numel() != of.numel())
      throw ShapeError(operation.name + ": a cotangent of shape " + to_string(direction.shape()) +
                       " for an operand of shape " + to_string(of.shape()));
    directions[i] = i == 0 ? Reader(direction.flatten(), false, leading)
                           : Reader(direction, is_number(i), leading);
  }
  points.emplace_back(grad, operation.gives_number, leading);
  std::optional<Reader> corner;
  if (corners) corner.emplace(*corners, true, leading);

  std::vector<Tensor<T, N>> results(count + 2);
  for (std::size_t i = 0; i < count + 2; ++i) {
    if (!wanted[i]) continue;
    Shape shape(leading);
    if (i == 0 || !is_number(i)) shape.push_back(coordinates[i]);
    results[i] = Tensor<T, N>::uninitialized(shape);
  }
  const auto at_point = [&](std::int64_t p) {
    geometry_detail::SecondPoint point;
    for (std::size_t i = 0; i < points.size(); ++i) {
      points[i].append(point.inputs, p);
      if (i > count) break;  // the gradient has no cotangent
      if (directions[i]) directions[i]->append(point.cotangents, p);
      point.cotangents.resize(point.inputs.size(), Wide(0.0));
    }
    if (corner) {
      std::vector<Wide> value;
      corner->append(value, p);
      point.at_corner = value[0].limb[0] == 0;
    }
    const auto derivatives = operation.at(point, p);
    auto next = derivatives.begin();
    for (std::size_t i = 0; i < count + 2; ++i)
      for (int c = 0; c < coordinates[i]; ++c, ++next)
        if (wanted[i])
          detail::PointWriter<T, N>(results[i], coordinates[i])
              .set(p, c, detail::from_work<V>(detail::shortened<work_t<V>>(*next)));
  };
  for_each_block(numel(leading), operation.n * 3000.0, make,
                 [&](std::int64_t first, std::size_t here, auto& quick) {
                   const std::uint64_t left = quick(first, here, results);
                   for (std::size_t p = 0; p < here; ++p)
                     if ((left >> p & 1) != 0) at_point(first + std::int64_t(p));
                 });
  // as those of every point its own, of the radii the sum
  if (wanted[0]) results[0] = sum(results[0].reshape({-1, coordinates[0]}), {0});
  return results;
}

}  // namespace mct::geometry::tensor_detail
