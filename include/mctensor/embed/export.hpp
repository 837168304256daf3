// Exports embeddings for other programs: plain matrices and word vectors.
#pragma once

#include <cstddef>
#include <filesystem>

#include "mctensor/embed/embedding.hpp"

namespace mct::embed {

/// The points in the Poincaré ball of the same radius, [rows, factors * dimensions], as plain
/// doubles, for plots and most other programs. Error below 1e-15 of the radius. A ball of doubles
/// ends at a distance of about 37 radii from the origin. Points that are farther out become points
/// next to the border, in the right direction. Throws DomainError as Embedding::half_space.
Tensor<double> ball_coordinates(const Embedding& embedding);

/// The points in the coordinates of their own model, [rows, factors * columns]. The components of
/// each number are added up to one double.
Tensor<double> model_coordinates(const Embedding& embedding);

/// Writes rows as word vectors in word2vec's text format, which gensim's
/// KeyedVectors.load_word2vec_format reads: a line "rows columns", then for each node its name and
/// its numbers, each with the fewest digits from which a reader gets the same double. The format
/// has no quotes, so a blank or control character in a name becomes "_". Returns how many names
/// were changed. Throws ShapeError unless there is a row for each name, and IoError with two names
/// that became equal.
std::size_t save_word_vectors(const std::filesystem::path& path, const NameTable& names,
                              const Tensor<double>& rows);

/// Writes the names, one a line, in the order of the rows.
void save_names(const std::filesystem::path& path, const NameTable& names);

}  // namespace mct::embed
