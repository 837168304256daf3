// The state of every row of a Riemannian optimizer, and its file.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "mctensor/base/number_text.hpp"
#include "mctensor/geometry/optim/row_blocks.hpp"
#include "mctensor/geometry/optim/row_rules.hpp"
#include "mctensor/optim/state_file.hpp"

namespace mct::geometry::optim_detail {

/// The square of a length: one share for each part of a product.
template <class Rows>
using Squares = std::array<double, Rows::parts>;
template <std::size_t n>
double total(const std::array<double, n>& squares) {
  return std::accumulate(squares.begin() + 1, squares.end(), squares[0]);
}
/// The tangent vectors at the row's point and the squares of lengths that are kept for every row.
/// They begin as 0. States that are not kept have no rows.
template <class Rows>
class RowStates {
 public:
  using VectorTensor = typename Rows::VectorTensor;

  RowStates(std::vector<RowState> kept, std::int64_t rows, std::int64_t columns)
      : kept_(std::move(kept)), rows_(rows), vectors_({0, columns}) {
    for (const RowState state : kept_)
      if (is_square(state)) {
        squares_of(state) = Tensor<double>(parts == 1 ? Shape{rows} : Shape{rows, parts});
      } else {
        vectors_ = VectorTensor({rows, columns});
      }
  }

  /// The names of the states, each followed by a space.
  std::string names() const {
    std::string all;
    for (const RowState state : kept_) all += row_state_names[int(state)] + std::string(" ");
    return all;
  }

  const VectorTensor& vectors() const { return vectors_; }
  const Tensor<double>& squares(RowState kept) const {
    return squares_[kept == RowState::v_max ? 1 : 0];
  }
  /// Copies the squares of these rows into a block; put_squares copies those of good rows back.
  std::vector<Squares<Rows>> take_squares(RowState kept, RowNumbers rows) const {
    std::vector<Squares<Rows>> block(rows.size());
    const double* from = squares(kept).data();
    for (std::size_t i = 0; i < rows.size(); ++i)
      std::copy_n(from + rows[i] * parts, parts, block[i].begin());
    return block;
  }
  void put_squares(RowState kept, RowNumbers rows, const std::vector<Squares<Rows>>& block,
                   const RowFlags& good) const {
    double* to = squares(kept).data();
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (good[i]) std::copy_n(block[i].begin(), parts, to + rows[i] * parts);
  }

  /// The same states, with every vector replaced by f(row, vector).
  template <class F>
  RowStates with_vectors(const Rows& space, const F& f) const {
    RowStates r(*this);
    r.vectors_ = vectors_.clone();
    for (std::int64_t row = 0; row < vectors_.size(0); ++row)
      space.store_vector(r.vectors_, row, f(row, space.load_vector(vectors_, row)));
    return r;
  }
  /// Multiplies the kept squares by the squares of the factors.
  void scale_squares(const Squares<Rows>& factors) const {
    for (const auto& tensor : squares_)
      for (std::int64_t i = 0; i < tensor.numel(); ++i) {
        const double factor = factors[std::size_t(i % parts)];
        tensor.data()[i] *= factor * factor;
      }
  }

  void save(optim::StateWriter& writer) const {
    for (const RowState state : kept_)
      if (is_square(state)) {
        writer.add(name_in_file(state), squares(state));
      } else {
        writer.add(name_in_file(state), vectors_);
      }
  }
  /// Reads states of the same names and shapes from a file. Throws IoError if the file lacks them
  /// or their values are not valid.
  RowStates loaded(optim::StateReader& reader, const Rows& space) const {
    using optim::StateValues;
    RowStates r(*this);
    for (const RowState state : kept_) {
      const std::string name = name_in_file(state);
      if (is_square(state)) {
        r.squares_of(state) = reader.template state<double, 1>(name, squares(state).shape(),
                                                               StateValues::not_negative);
        continue;
      }
      r.vectors_ =
          reader.template state<typename VectorTensor::Component, VectorTensor::components>(
              name, vectors_.shape(), StateValues::finite);
      for (std::int64_t row = 0; row < rows_; ++row)
        if (!space.is_finite(space.load_vector(r.vectors_, row)))
          reader.fail(name, "is not finite in row " + std::to_string(row));
    }
    return r;
  }

 private:
  static std::string name_in_file(RowState kept) {
    return (is_square(kept) ? "number." : "vector.") + std::string(row_state_names[int(kept)]);
  }
  Tensor<double>& squares_of(RowState kept) { return squares_[kept == RowState::v_max ? 1 : 0]; }

  static constexpr auto parts = std::int64_t(Rows::parts);
  std::vector<RowState> kept_;
  std::int64_t rows_;
  VectorTensor vectors_;
  std::array<Tensor<double>, 2> squares_{Tensor<double>({0}), Tensor<double>({0})};
};

/// The radii of a space, and the logarithm of the first radius.
struct RadiiInFile {
  double log_radius;
  std::vector<double> radii;
};
/// The metadata in a file of an optimizer of rows.
inline optim::StateDescription description_of_rows(const std::string& kind,
                                                   const std::string& space,
                                                   const std::string& states) {
  return {{"mctensor.optimizer", kind}, {"mctensor.space", space}, {"mctensor.states", states}};
}
/// Writes the file of an optimizer of rows. Throws IoError.
template <class States>
void save_rows(const std::filesystem::path& path, const std::string& kind, const std::string& space,
               const optim::StateCounts& counts, const RadiiInFile& radii, const States& states) {
  optim::StateWriter writer(description_of_rows(kind, space, states.names()), counts);
  writer.add("log_radius", Tensor<double>::from_values({radii.log_radius}));
  writer.add("radii", Tensor<double>::from_values(radii.radii));
  states.save(writer);
  writer.save(path);
}
/// Throws IoError unless there are `count` radii and the logarithm fits the first one.
inline RadiiInFile read_radii(optim::StateReader& reader, std::size_t count) {
  using optim::StateValues;
  const auto log_radius = reader.state<double, 1>("log_radius", {1}, StateValues::finite).item();
  auto radii =
      reader.state<double, 1>("radii", {std::int64_t(count)}, StateValues::finite).values();
  // a float radius may differ that much from the exponential of its logarithm
  if (!(std::fabs(std::log(radii[0]) - log_radius) < 1e-6))
    reader.fail("radii", "begins with " + number_text(radii[0]) +
                             ", but the entry log_radius holds " + number_text(log_radius) +
                             ", which is not its logarithm");
  return {log_radius, std::move(radii)};
}

}  // namespace mct::geometry::optim_detail
