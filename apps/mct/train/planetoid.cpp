// Citation graphs as Planetoid's pickles.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>

#include "apps/mct/train/node_graph.hpp"
#include "apps/mct/train/pickle.hpp"
#include "mctensor/base/number_in.hpp"
#include "mctensor/base/text_lines.hpp"
#include "mctensor/error.hpp"

namespace mct::cli::train {

namespace {

namespace fs = std::filesystem;
using Kind = PickleValue::Kind;

constexpr std::int64_t validation_nodes = 500;

/// Reads the kinds of values in these pickles.
class Reader {
 public:
  explicit Reader(const fs::path& path) : pickle_(path) {}

  /// numpy's array: its numbers and its shape.
  struct Array {
    std::vector<double> values;
    std::vector<std::int64_t> shape;
  };
  Array array(const PickleValue& value) const {
    // (version, shape, dtype, Fortran's order, bytes)
    const PickleValue& state = state_of(value, "multiarray _reconstruct");
    if (state.kind != Kind::list || state.items.size() != 5) fail("an array without its 5 parts");
    Array result;
    std::uint64_t count = 1;
    for (const std::uint32_t i : part(state, 1).items) {
      result.shape.push_back(integer(pickle_[i]));
      if (result.shape.back() < 0 || result.shape.back() > most_features)
        fail(fmt::format("an array has a dimension of size {}, expected 0 to 2^28",
                         result.shape.back()));
      count *= std::uint64_t(result.shape.back());
      if (count > std::uint64_t(most_features)) fail("an array of more than 2^28 numbers");
    }
    const std::string bytes = bytes_of(part(state, 4));
    const std::string type = type_of(part(state, 2));
    if (part(state, 3).integer != 0 && result.shape.size() > 1) fail("an array in Fortran's order");
    const auto size = std::uint64_t(type.back() - '0');
    if (bytes.size() != count * size)
      fail(fmt::format("{} bytes for {} numbers of type {}", bytes.size(), count, type));
    result.values.resize(std::size_t(count));
    for (std::size_t i = 0; i < result.values.size(); ++i)
      result.values[i] = number_at(bytes.data() + i * size, type);
    return result;
  }

  /// scipy's sparse matrix by rows.
  SparseMatrix matrix() const {
    const PickleValue& state = state_of(pickle_.root(), "csr_matrix");
    if (state.kind != Kind::dict) fail("a sparse matrix without its parts");
    const auto member = [&](const char* key) -> const PickleValue& {
      const PickleValue* const found = pickle_.find(state.items, key);
      if (found == nullptr) fail(fmt::format("a sparse matrix without '{}'", key));
      return *found;
    };
    const PickleValue& shape = member("_shape");
    if (shape.items.size() != 2) fail("a sparse matrix that has not 2 dimensions");
    const std::int64_t rows = integer(part(shape, 0));
    const std::int64_t columns = integer(part(shape, 1));
    if (rows < 0 || columns < 1 || rows > most_features / columns)
      fail(fmt::format("a matrix of shape ({}, {}): at most 2^28 features", rows, columns));
    return sparse_of(rows, columns, array(member("indptr")).values, array(member("indices")).values,
                     array(member("data")).values, pickle_.name());
  }

  /// The labels of one-hot rows: the first column with the largest number of each row.
  std::vector<std::int64_t> labels(std::int64_t& classes) const {
    const Array hot = array(pickle_.root());
    if (hot.shape.size() != 2 || hot.shape[1] < 2) fail("labels that are not one-hot rows");
    if (classes != 0 && classes != hot.shape[1])
      fail(fmt::format("{} classes, in another file {}", hot.shape[1], classes));
    classes = hot.shape[1];
    std::vector<std::int64_t> result(std::size_t(hot.shape[0]));
    for (std::size_t r = 0; r < result.size(); ++r) {
      const auto row = hot.values.begin() + std::ptrdiff_t(r) * classes;
      result[r] = std::max_element(row, row + classes) - row;
    }
    return result;
  }

  /// A dictionary from nodes to lists of neighbours.
  NeighbourList edges(std::int64_t nodes) const {
    const PickleValue& root = pickle_.root();
    const auto& all = root.kind == Kind::object ? root.entries : root.items;
    if (root.kind == Kind::object && part(root, 0).text != "collections defaultdict")
      fail("a graph made by " + shortened(part(root, 0).text) + ", which is not a dictionary");
    if (root.kind != Kind::object && root.kind != Kind::dict)
      fail("a graph that is not a dictionary");
    NeighbourList result;
    const auto node = [&](const PickleValue& value) {
      const std::int64_t v = integer(value);
      if (v < 0 || v >= nodes)
        fail(fmt::format("node {} does not exist; there are {} nodes, counted from 0", v, nodes));
      return v;
    };
    for (std::size_t i = 0; i + 1 < all.size(); i += 2) {
      const std::int64_t from = node(pickle_[all[i]]);
      const PickleValue& list = pickle_[all[i + 1]];
      if (list.kind != Kind::list)
        fail(fmt::format("the neighbours of node {} are not a list", from));
      for (const std::uint32_t to : list.items) {
        const std::int64_t other = node(pickle_[to]);
        result.emplace_back(from, other);
      }
    }
    return result;
  }

  [[noreturn]] void fail(const std::string& what) const { pickle_.fail(what); }

 private:
  const PickleValue& part(const PickleValue& list, std::size_t i) const {
    if (i >= list.items.size()) fail("a list that is too short");
    return pickle_[list.items[i]];
  }
  std::int64_t integer(const PickleValue& value) const {
    if (value.kind != Kind::integer) fail("an integer is expected, found another value");
    return value.integer;
  }
  /// The state of an object whose class or function has a name with this ending.
  const PickleValue& state_of(const PickleValue& value, const std::string& ending) const {
    if (value.kind != Kind::object || !part(value, 0).text.ends_with(ending))
      fail(fmt::format("{} is expected, found another value", ending));
    return pickle_[value.state];
  }
  /// In pickles of Python 3 for Python 2, bytes are an encoded text.
  std::string bytes_of(const PickleValue& value) const {
    if (value.kind == Kind::text) return value.text;
    if (value.kind != Kind::object || part(value, 0).text != "_codecs encode")
      fail("an array without bytes");
    const std::string& text = part(part(value, 1), 0).text;  // Latin 1 in UTF-8
    std::string bytes;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const auto c = std::uint8_t(text[i]);
      if (c < 0x80) {
        bytes.push_back(text[i]);
      } else {
        if (c > 0xc3 || i + 1 == text.size()) fail("bytes that are not in Latin 1");
        bytes.push_back(char((c << 6) | (std::uint8_t(text[++i]) & 0x3f)));
      }
    }
    return bytes;
  }
  /// 'f', 'i', 'u' or 'b' and the number of bytes, little-endian.
  std::string type_of(const PickleValue& value) const {
    const PickleValue& state = state_of(value, "numpy dtype");
    const std::string& type = part(part(value, 1), 0).text;
    for (const char* known : {"f4", "f8", "i1", "i2", "i4", "i8", "u1", "b1"})
      if (type == known && (type[1] == '1' || part(state, 1).text == "<")) return type;
    fail("numbers of type " + shortened(part(state, 1).text + type) + " cannot be read");
  }
  template <class T>
  static double as(const char* from) {
    T value;
    std::memcpy(&value, from, sizeof(T));
    return double(value);
  }
  static double number_at(const char* from, const std::string& type) {
    static_assert(std::endian::native == std::endian::little);
    if (type == "f4") return as<float>(from);
    if (type == "f8") return as<double>(from);
    if (type == "i8") return as<std::int64_t>(from);
    if (type == "i4") return as<std::int32_t>(from);
    if (type == "i2") return as<std::int16_t>(from);
    return type == "i1" ? as<std::int8_t>(from) : as<std::uint8_t>(from);
  }

  Pickle pickle_;
};

/// A node number in each line.
std::vector<std::int64_t> read_index(const fs::path& path, std::int64_t first) {
  TextLines rows(path);
  std::vector<std::int64_t> nodes;
  for (std::vector<std::string_view> words; rows.next_words(words);) {
    const auto node = number_in<std::int64_t>(words[0]);
    if (words.size() != 1 || !node || *node < first || *node - first > most_features)
      rows.fail(fmt::format("{} is not a node from {} on", shortened(words[0]), first));
    nodes.push_back(*node);
  }
  if (nodes.empty()) throw IoError(rows.name() + ": no nodes");
  return nodes;
}

Tensor<std::int64_t> range(std::int64_t begin, std::int64_t end) {
  Tensor<std::int64_t> result({end - begin});
  for (std::int64_t i = begin; i < end; ++i) result.data()[i - begin] = i;
  return result;
}

}  // namespace

NodeGraph read_planetoid(const fs::path& folder, const std::string& name) {
  const auto file = [&](const char* part) { return Reader(folder / ("ind." + name + "." + part)); };
  const Reader all_file = file("allx");
  const auto all = all_file.matrix();
  const Reader test_file = file("tx");
  const auto test = test_file.matrix();
  if (test.columns != all.columns)
    test_file.fail(fmt::format("{} columns, allx has {}", test.columns, all.columns));
  NodeGraph graph;
  graph.classes = 0;
  const auto trained = file("y").labels(graph.classes);
  const auto labels = file("ally").labels(graph.classes);
  const auto test_labels = file("ty").labels(graph.classes);
  const std::int64_t known = all.rows();
  const auto index = read_index(folder / ("ind." + name + ".test.index"), known);
  if (std::int64_t(labels.size()) != known || std::int64_t(test_labels.size()) != test.rows() ||
      index.size() != test_labels.size() || std::int64_t(trained.size()) + validation_nodes > known)
    all_file.fail(fmt::format(
        "{} rows for {} labels; tx {} rows, ty {}, test.index {}; y {} rows, of which and {} more "
        "allx must have",
        known, labels.size(), test.rows(), test_labels.size(), index.size(), trained.size(),
        validation_nodes));
  const std::int64_t nodes = 1 + *std::max_element(index.begin(), index.end());
  if (nodes > most_features / all.columns) all_file.fail("more than 2^28 features");
  graph.labels = Tensor<std::int64_t>(Shape{nodes});
  std::copy(labels.begin(), labels.end(), graph.labels.data());
  std::vector<std::int64_t> row_of(std::size_t(nodes), -1);  // in tx
  for (std::size_t i = 0; i < index.size(); ++i) {
    row_of[std::size_t(index[i])] = std::int64_t(i);
    graph.labels.data()[index[i]] = test_labels[i];
  }
  graph.features = all;
  for (std::int64_t v = known; v < nodes; ++v) {
    const std::int64_t row = row_of[std::size_t(v)];
    for (std::int64_t i = row < 0 ? 0 : test.starts[std::size_t(row)];
         row >= 0 && i < test.starts[std::size_t(row) + 1]; ++i)
      graph.features.add(test.places[std::size_t(i)], test.values[std::size_t(i)]);
    graph.features.end_row();
  }
  graph.edges = file("graph").edges(nodes);
  const auto first = std::int64_t(trained.size());
  graph.train = range(0, first);
  graph.validation = range(first, first + validation_nodes);
  graph.test = Tensor<std::int64_t>::from_values(index);
  return graph;
}

}  // namespace mct::cli::train
