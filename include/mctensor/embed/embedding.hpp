// An embedding: nodes of a graph as points of a hyperbolic space.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mctensor/base/names.hpp"
#include "mctensor/geometry/model_names.hpp"
#include "mctensor/graph/name_table.hpp"
#include "mctensor/tensor/tensor.hpp"

namespace mct::embed {

using geometry::PointStorage;

/// The names, in files and options, of the ways to store the points of an embedding.
inline constexpr Names<PointStorage, 7> storage_names{{
    {PointStorage::ball, "ball"},
    {PointStorage::lorentz, "lorentz"},
    {PointStorage::half_space, "half-space"},
    {PointStorage::xmc_half_space, "xmc-half-space"},
    {PointStorage::mc_half_space, "mc-half-space"},
    {PointStorage::l_tiling, "l-tiling"},
    {PointStorage::h_tiling, "h-tiling"},
}};
constexpr std::string_view name_of(PointStorage storage) { return storage_names.of(storage); }
/// Names in files and options of earlier versions that differ from the present names.
inline constexpr Names<PointStorage, 2> former_storage_names{
    {{PointStorage::ball, "poincare"}, {PointStorage::half_space, "halfspace"}}};
/// The storage of this present or former name. Throws DomainError for any other name; the message
/// lists all names.
inline PointStorage storage_from(std::string_view name) {
  const auto former = former_storage_names.find(name);
  return former ? *former : storage_names.value("there is no model", name);
}

/// Replaces former names by present names in a text, where they stand as words: "poincare, 2
/// dimensions" becomes "ball, 2 dimensions". Files of earlier versions have such texts.
std::string with_present_names(std::string text);

/// The space of the points: a single space, or a product of several equal spaces (factors). The
/// distance in a product is the root of the sum of the squares of the factors' distances.
struct EmbeddingSpace {
  PointStorage storage = PointStorage::xmc_half_space;
  int dimensions = 2;  ///< of one factor; at least 2; for the L-tiling exactly 2
  int components = 2;  ///< of every number, 1 to 3
  int factors = 1;
  double radius = 1;  ///< K: the curvature is -1 / K^2

  friend bool operator==(const EmbeddingSpace&, const EmbeddingSpace&) = default;

  /// The number of coordinates of a point in one factor.
  int columns() const;
  /// "xmc-half-space, 2 dimensions, 2 components".
  std::string text() const;
  /// Throws DomainError, which names the member that is out of range.
  void check() const;
};

/// The points of an embedding in multi-component half-spaces, one for each factor: tensors
/// [components, rows, n] as geometry::half_space_dist takes them, with heights of one component.
/// Half-spaces keep all digits of a point, so distances need no other model.
struct HalfSpacePoints {
  std::vector<Tensor<double>> factors;
  double radius = 1;

  /// The rows of a factor; 0 without factors.
  std::size_t size() const { return factors.empty() ? 0 : std::size_t(factors[0].size(1)); }
};

/// The nodes of a graph with their names and points.
class Embedding {
 public:
  /// Coordinates are [components, rows, factors * columns]; row i belongs to name i. They are
  /// shared, not copied. Throws ShapeError for other shapes. Throws DomainError for an invalid
  /// space and if `names` is null.
  Embedding(std::shared_ptr<const NameTable> names, const EmbeddingSpace& space,
            Tensor<double> coordinates);

  std::size_t size() const { return names_->size(); }
  /// Throws DomainError for a number that is not a node.
  std::string_view name(std::int32_t node) const { return names_->name(node); }
  /// The number of the node of this name; -1 if there is none.
  std::int32_t find(std::string_view name) const { return names_->find(name); }
  const std::shared_ptr<const NameTable>& names() const { return names_; }
  const EmbeddingSpace& space() const { return space_; }
  const Tensor<double>& coordinates() const { return coordinates_; }

  /// Further facts about the points, such as the cones for which they were trained (see
  /// note_cones). Each note is a text with a name, and files contain the notes.
  const std::map<std::string, std::string>& notes() const { return notes_; }
  void set_note(const std::string& name, std::string text) { notes_[name] = std::move(text); }

  /// The points in half-spaces. Throws DomainError if a node has no valid point of the space. The
  /// message names the first such node, and the file if points were read from a file.
  HalfSpacePoints half_space() const;

  /// Writes a safetensors file. An existing file is replaced as a whole. It has the tensors
  /// "coordinates" (F64) and "names" (I64: the names in UTF-8, one a line, in words of eight
  /// bytes). Space and notes are metadata. Throws IoError, also for names that read_graph refuses,
  /// because the file could not be read again.
  void save(const std::filesystem::path& path) const;
  /// Reads a file that save() wrote. Throws IoError, with the reason, if the file is not an
  /// embedding or has a coordinate that is not finite. Points are checked later, when they are
  /// used.
  static Embedding load(const std::filesystem::path& path);

 private:
  std::shared_ptr<const NameTable> names_;
  EmbeddingSpace space_;
  Tensor<double> coordinates_;
  std::map<std::string, std::string> notes_;
  std::string origin_ = "embedding";  // the file, for messages
};

}  // namespace mct::embed
