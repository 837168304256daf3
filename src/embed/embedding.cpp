// Embeddings: spaces, names, files.
#include "mctensor/embed/embedding.hpp"

#include <cctype>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <utility>

#include "mctensor/base/number_in.hpp"
#include "mctensor/base/number_text.hpp"
#include "mctensor/error.hpp"
#include "mctensor/tensor/safetensors.hpp"
#include "src/embed/description.hpp"
#include "src/graph/node_names.hpp"

namespace mct::embed {
namespace {

constexpr int most_components = 3;
constexpr int most_dimensions = 512;
constexpr int most_factors = 64;

constexpr const char* format_key = "mctensor.embedding";
constexpr const char* format_version = "1";
const std::string note_prefix = "note.";

void check_range(const char* what, int value, int from, int to) {
  if (value < from || value > to)
    throw DomainError("embedding: " + std::to_string(value) + " " + what + ", expected " +
                      std::to_string(from) +
                      (from == to ? std::string() : " to " + std::to_string(to)));
}

/// All names, each with the end of its line, in words of eight bytes.
Tensor<std::int64_t> packed(const NameTable& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += names.name(std::int32_t(i));
    text += '\n';
  }
  std::vector<std::int64_t> words((text.size() + 7) / 8, 0);
  std::memcpy(words.data(), text.data(), text.size());
  return Tensor<std::int64_t>::from_values(words);
}

/// Throws IoError for names that are there twice or do not end.
std::shared_ptr<const NameTable> unpacked(const std::string& file,
                                          const Tensor<std::int64_t>& words) {
  const auto values = words.values();
  std::string text(values.size() * 8, '\0');
  std::memcpy(text.data(), values.data(), text.size());
  text.resize(text.find_last_not_of('\0') + 1);
  auto names = std::make_shared<NameTable>();
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    if (end == std::string::npos) throw IoError(file + ": the last of its names has no end");
    const std::string_view name = std::string_view(text).substr(at, end - at);
    if (!names->enter(name).second)
      throw IoError(file + ": the name '" + std::string(name) + "' occurs twice");
    at = end + 1;
  }
  return names;
}

/// Throws DomainError naming the first node that has a coordinate which is not finite.
void require_finite(const Embedding& embedding) {
  const Tensor<double>& all = embedding.coordinates();
  for (std::int64_t i = 0; i < all.numel(); ++i) {
    const double x = all.data()[i];
    if (std::isfinite(x)) continue;
    const auto node = std::int32_t(i / all.size(2) % all.size(1));
    throw DomainError("a coordinate of '" + std::string(embedding.name(node)) + "' is " +
                      number_text(x));
  }
}

/// The metadata of a file, number by number.
class Metadata {
 public:
  Metadata(std::string file, const std::map<std::string, std::string>& values)
      : file_(std::move(file)), values_(values) {}

  const std::string& text(const std::string& key) const {
    const auto found = values_.find(key);
    if (found == values_.end()) throw IoError(file_ + ": no embedding, its " + key + " is missing");
    return found->second;
  }
  template <class T>
  T number(const std::string& key) const {
    const std::string& from = text(key);
    const std::optional<T> value = number_in<T>(from);
    if (!value) throw IoError(file_ + ": its " + key + " '" + from + "' is not a number");
    return *value;
  }

 private:
  std::string file_;
  const std::map<std::string, std::string>& values_;
};

}  // namespace

int EmbeddingSpace::columns() const {
  switch (storage) {
    case PointStorage::lorentz:
      return dimensions + 1;
    case PointStorage::l_tiling:
      return 9 + 2;
    case PointStorage::h_tiling:
      return 2 * dimensions;
    default:
      return dimensions;
  }
}

std::string with_present_names(std::string text) {
  const auto is_letter = [&](std::size_t at) {
    return at < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
  };
  for (const auto& [storage, former] : former_storage_names)
    for (std::size_t at = 0; (at = text.find(former, at)) != std::string::npos; ++at)
      if ((at == 0 || !is_letter(at - 1)) && !is_letter(at + former.size()))
        text.replace(at, former.size(), name_of(storage));
  return text;
}

std::string EmbeddingSpace::text() const {
  std::string r(name_of(storage));
  r += ", " + std::to_string(dimensions) + " dimensions, " + std::to_string(components) +
       (components == 1 ? " component" : " components");
  if (factors > 1) r += ", " + std::to_string(factors) + " factors";
  if (radius != 1) r += ", radius " + number_text(radius);
  return r;
}

void EmbeddingSpace::check() const {
  if (name_of(storage).empty())
    throw DomainError("embedding: points are stored as " + storage_names.list() +
                      ", not by the logarithm of the height");
  check_range("dimensions", dimensions, 2, storage == PointStorage::l_tiling ? 2 : most_dimensions);
  check_range("components", components, 1,
              storage == PointStorage::half_space ? 1 : most_components);
  check_range("factors", factors, 1, most_factors);
  if (!(radius > 0) || !std::isfinite(radius))
    throw DomainError("embedding: radius " + number_text(radius) + " is not a positive number");
}

Embedding::Embedding(std::shared_ptr<const NameTable> names, const EmbeddingSpace& space,
                     Tensor<double> coordinates)
    : names_(std::move(names)), space_(space), coordinates_(std::move(coordinates)) {
  if (!names_) throw DomainError("embedding: no names given, but a null pointer");
  space_.check();
  const Shape expected{space_.components, std::int64_t(names_->size()),
                       std::int64_t(space_.factors) * space_.columns()};
  if (coordinates_.shape() != expected)
    throw ShapeError("embedding: coordinates of shape " + to_string(coordinates_.shape()) +
                     ", expected " + to_string(expected) + " of " + space_.text());
  coordinates_ = coordinates_.contiguous();
}

void Embedding::save(const std::filesystem::path& path) const {
  for (std::size_t i = 0; i < names_->size(); ++i)
    if (const std::string problem = problem_of_name(names_->name(std::int32_t(i)));
        !problem.empty())
      throw IoError("cannot write '" + path.string() + "': node " + std::to_string(i) + ": " +
                    problem);
  SafetensorsWriter writer;
  writer.set_metadata(format_key, format_version);
  writer.set_metadata("model", std::string(name_of(space_.storage)));
  writer.set_metadata("dimensions", std::to_string(space_.dimensions));
  writer.set_metadata("components", std::to_string(space_.components));
  writer.set_metadata("factors", std::to_string(space_.factors));
  writer.set_metadata("radius", number_text(space_.radius));
  for (const auto& [name, text] : notes_) writer.set_metadata(note_prefix + name, text);
  writer.add("coordinates", coordinates_);
  writer.add("names", packed(*names_));
  writer.save(path);
}

Embedding Embedding::load(const std::filesystem::path& path) {
  const SafetensorsReader reader(path);
  const std::string file = path.string();
  const Metadata description(file, reader.metadata());
  if (description.text(format_key) != format_version)
    throw IoError(file + ": an embedding of version '" + description.text(format_key) +
                  "', expected '" + format_version + "'");
  try {
    EmbeddingSpace space;
    space.storage = storage_from(description.text("model"));
    space.dimensions = description.number<int>("dimensions");
    space.components = description.number<int>("components");
    space.factors = description.number<int>("factors");
    space.radius = description.number<double>("radius");
    Embedding embedding(unpacked(file, reader.load<std::int64_t, 1>("names")), space,
                        reader.load<double, 1>("coordinates"));
    require_finite(embedding);
    embedding.origin_ = file;
    for (const auto& [key, text] : reader.metadata())
      if (key.starts_with(note_prefix)) embedding.set_note(key.substr(note_prefix.size()), text);
    return embedding;
  } catch (const IoError&) {
    throw;
  } catch (const Error& error) {
    throw IoError(file + ": " + error.what());
  }
}

}  // namespace mct::embed
