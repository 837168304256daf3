// Embeddings as matrices of doubles and as word vectors.
#include "mctensor/embed/export.hpp"

#include <string>
#include <string_view>
#include <utility>

#include "mctensor/base/byte_files.hpp"
#include "mctensor/base/number_text.hpp"
#include "mctensor/error.hpp"
#include "mctensor/geometry/convert.hpp"

namespace mct::embed {
namespace {

/// The balls of one factor, `first` columns from the left. Leading components alone would turn far
/// points by their rounding, so the second components are used, too.
void fill_ball(const Tensor<double>& points, double radius, Tensor<double>& out,
               std::int64_t first) {
  using V = Expansion<double, 2>;
  const geometry::HalfSpace<V> half_space{V(radius)};
  const std::int64_t rows = points.size(1);
  const std::int64_t n = points.size(2);
  const int dimensions = int(n);
  geometry::Point<V> x(dimensions);
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t i = 0; i < n; ++i) {
      const double* const number = points.data() + row * n + i;
      V sum(0.0);
      for (std::int64_t k = points.size(0); k-- > 0;) sum = sum + number[k * rows * n];
      x[int(i)] = sum;
    }
    const auto ball = geometry::convert<geometry::PoincareBall>(half_space, x);
    for (std::int64_t i = 0; i < n; ++i)
      out.data()[row * out.size(1) + first + i] = static_cast<double>(ball[int(i)]);
  }
}

/// The name as one word, and whether the word differs from the name.
std::pair<std::string, bool> word_of(std::string_view name) {
  std::string word(name);
  bool changed = false;
  for (char& c : word)
    if (static_cast<unsigned char>(c) <= ' ' || c == '\x7f') {
      c = '_';
      changed = true;
    }
  if (word.empty()) return {"_", true};
  return {std::move(word), changed};
}

}  // namespace

Tensor<double> ball_coordinates(const Embedding& embedding) {
  const EmbeddingSpace& space = embedding.space();
  if (space.storage == PointStorage::ball) return model_coordinates(embedding);
  const HalfSpacePoints points = embedding.half_space();
  const std::int64_t n = points.factors[0].size(2);
  Tensor<double> out({std::int64_t(embedding.size()), n * space.factors});
  for (std::size_t f = 0; f < points.factors.size(); ++f)
    fill_ball(points.factors[f], space.radius, out, std::int64_t(f) * n);
  return out;
}

Tensor<double> model_coordinates(const Embedding& embedding) {
  const Tensor<double>& all = embedding.coordinates();
  const std::int64_t count = all.size(1) * all.size(2);
  Tensor<double> out({all.size(1), all.size(2)});
  for (std::int64_t i = 0; i < count; ++i) {
    Expansion<double, 2> sum(0.0);
    for (std::int64_t k = all.size(0); k-- > 0;) sum = sum + all.data()[k * count + i];
    out.data()[i] = static_cast<double>(sum);
  }
  return out;
}

std::size_t save_word_vectors(const std::filesystem::path& path, const NameTable& names,
                              const Tensor<double>& rows) {
  if (rows.dim() != 2 || rows.size(0) != std::int64_t(names.size()))
    throw ShapeError("save_word_vectors: " + std::to_string(names.size()) +
                     " names for rows of shape " + to_string(rows.shape()));
  const Tensor<double> dense = rows.contiguous();
  const std::int64_t columns = dense.size(1);
  NameTable words;
  std::size_t changed = 0;
  ByteSink file(path);
  file.write(std::to_string(names.size()) + " " + std::to_string(columns) + "\n");
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string_view name = names.name(std::int32_t(i));
    const auto [word, other] = word_of(name);
    const auto [number, fresh] = words.enter(word);
    if (!fresh)
      throw IoError("cannot write '" + path.string() + "': '" + std::string(names.name(number)) +
                    "' and '" + std::string(name) + "' are both '" + word + "' there");
    changed += other ? 1 : 0;
    file.write(word);
    for (std::int64_t c = 0; c < columns; ++c) {
      file.write(" ");
      file.write(number_text(dense.data()[std::int64_t(i) * columns + c]));
    }
    file.write("\n");
  }
  file.commit();
  return changed;
}

void save_names(const std::filesystem::path& path, const NameTable& names) {
  ByteSink file(path);
  for (std::size_t i = 0; i < names.size(); ++i) {
    file.write(names.name(std::int32_t(i)));
    file.write("\n");
  }
  file.commit();
}

}  // namespace mct::embed
