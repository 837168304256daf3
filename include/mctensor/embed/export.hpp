// Exports embeddings for other programs, as plain matrices and as word vectors.
#pragma once

#include <cstddef>
#include <filesystem>

#include "mctensor/embed/embedding.hpp"

namespace mct::embed {

/// The points in the Poincaré ball of the same radius, [rows, factors * dimensions], as plain
/// doubles, for plots and most other programs. Error below 1e-15 of the radius. A ball of doubles
/// ends at a distance of about 37 radii from the origin. Points farther out become points next to
/// the border, in the right direction. Throws DomainError as Embedding::half_space does, unless the
/// points are stored in the ball: these are not checked.
Tensor<double> ball_coordinates(const Embedding& embedding);

/// The points in the coordinates of their own model, [rows, factors * columns]. The components of
/// each number are added up to one double.
Tensor<double> model_coordinates(const Embedding& embedding);

/// Writes rows as word vectors in word2vec's text format, which gensim's
/// KeyedVectors.load_word2vec_format reads. The first line is "rows columns". Then each node has a
/// line with its name and its numbers, each with the fewest digits that give the same double. The
/// format has no quotes, so a blank or control character in a name becomes "_", and so does an
/// empty name. Returns the number of names that were changed. Throws ShapeError unless there is a
/// row for each name. Throws IoError if two names became equal; the message has both.
std::size_t save_word_vectors(const std::filesystem::path& path, const NameTable& names,
                              const Tensor<double>& rows);

/// Writes the names, one in each line, in the order of the rows.
void save_names(const std::filesystem::path& path, const NameTable& names);

}  // namespace mct::embed
