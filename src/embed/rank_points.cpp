#include "src/embed/rank_points.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "mctensor/error.hpp"

namespace mct::embed {
namespace {

using embed_detail::RankPlanes;
using embed_detail::RankTable;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
/// Heights and coordinates whose squares, added up and divided by a height, stay in range.
constexpr double largest_plain = 0x1p250;

const RankTable& table_of(std::int64_t components) {
  using embed_detail::most_rank_components;
  if (components < 1 || components > most_rank_components)
    throw DomainError("evaluate: points of " + std::to_string(components) +
                      " components, expected 1 to " + std::to_string(most_rank_components));
  return embed_detail::find_rank_table(components);
}

std::int64_t whole_registers(std::int64_t count) {
  using embed_detail::rank_lanes;
  return (count + rank_lanes - 1) / rank_lanes * rank_lanes;
}

/// Horizontal coordinates with their components, the height and its inverse.
std::int64_t planes_of(const Tensor<double>& factor) {
  return factor.size(0) * (factor.size(2) - 1) + 2;
}

/// Throws ShapeError unless there are so many rows, DomainError for one that is no point; says
/// whether squares stay in range.
bool check(const Tensor<double>& points, std::int64_t expected_rows) {
  if (points.dim() != 3 || points.size(1) != expected_rows || points.size(2) < 2)
    throw ShapeError("evaluate: points of shape " + to_string(points.shape()) + ", expected " +
                     std::to_string(expected_rows) + " rows in [components, rows, n] with n >= 2");
  const std::int64_t rows = points.size(1);
  const std::int64_t n = points.size(2);
  bool plain = true;
  for (std::int64_t row = 0; row < rows; ++row) {
    bool finite = true;
    for (std::int64_t k = 0; k < points.size(0); ++k)
      for (std::int64_t i = 0; i < n; ++i) {
        const double x = points.data()[(k * rows + row) * n + i];
        finite = finite && std::isfinite(x);
        plain = plain && std::abs(x) <= largest_plain;
      }
    const double height = points.data()[row * n + n - 1];
    if (!finite || !(height > 0))
      throw DomainError("evaluate: row " + std::to_string(row) + " is not a point of a half-space");
    plain = plain && height >= 1 / largest_plain;
  }
  return plain;
}

}  // namespace

RankPoints::RankPoints(const HalfSpacePoints& points)
    : size_(std::int64_t(points.size())), by_distance_(points.factors.size() > 1) {
  std::int64_t width = 0;
  std::vector<Tensor<double>> dense;
  for (const auto& factor : points.factors) {
    dense.push_back(factor.contiguous());
    by_distance_ = !check(dense.back(), size_) || by_distance_;
    factors_.push_back({&table_of(factor.size(0)), width, int(factor.size(2))});
    width += planes_of(factor);
  }
  planes_ = Tensor<double>({width, whole_registers(size_)});
  for (std::size_t f = 0; f < factors_.size(); ++f) add_planes(factors_[f].first, dense[f]);
}

void RankPoints::add_planes(std::int64_t first, const Tensor<double>& points) {
  const std::int64_t components = points.size(0);
  const std::int64_t n = points.size(2);
  const std::int64_t height = first + (n - 1) * components;
  double* const to = planes_.data();
  for (std::int64_t row = 0; row < size_; ++row) {
    const double* const from = points.data() + row * n;
    for (std::int64_t c = 0; c + 1 < n; ++c)
      for (std::int64_t k = 0; k < components; ++k)
        to[(first + c * components + k) * padded() + row] = from[k * size_ * n + c];
    to[height * padded() + row] = from[n - 1];
    to[(height + 1) * padded() + row] = 1 / from[n - 1];
  }
  for (std::int64_t row = size_; row < padded(); ++row)
    to[height * padded() + row] = to[(height + 1) * padded() + row] = nan;
}

void RankPoints::copy_query(std::int32_t node, double* query) const {
  for (std::int64_t plane = 0; plane < width(); ++plane)
    query[plane] = planes_.data()[plane * padded() + node];
}

void RankPoints::values_in(const double* planes, std::int64_t stride, const double* query,
                           std::int64_t count, double* out) const {
  if (!by_distance_) {
    factors_[0].kernels->value(factors_[0].n, count, {planes, stride}, query, out);
    return;
  }
  std::fill(out, out + count, 0.0);
  for (const Factor& factor : factors_)
    factor.kernels->add_square(factor.n, count, {planes + factor.first * stride, stride},
                               query + factor.first, out);
}

void RankPoints::values(const double* query, std::int64_t begin, std::int64_t count,
                        double* out) const {
  values_in(planes_.data() + begin, padded(), query, count, out);
}

std::vector<double> RankPoints::values_of(const double* query,
                                          const std::vector<std::int32_t>& nodes) const {
  const std::int64_t stride = whole_registers(std::int64_t(nodes.size()));
  std::vector<double> some(std::size_t(width() * stride), nan);
  for (std::int64_t plane = 0; plane < width(); ++plane)
    for (std::size_t i = 0; i < nodes.size(); ++i)
      some[std::size_t(plane * stride) + i] = planes_.data()[plane * padded() + nodes[i]];
  std::vector<double> out(std::size_t(stride), 0);
  values_in(some.data(), stride, query, stride, out.data());
  out.resize(nodes.size());
  return out;
}

}  // namespace mct::embed
