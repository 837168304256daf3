// Tensors in NumPy's .npy files.
#include "mctensor/tensor/npy.hpp"

#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "mctensor/base/atomic_file.hpp"
#include "mctensor/base/input_file.hpp"
#include "mctensor/error.hpp"
#include "src/tensor/file_elements.hpp"

namespace mct {

namespace {

using tensor_detail::max_file_dims;

/// What the header says, and where the data begin.
struct NpyHeader {
  std::string descr;  // the dtype, as "<f8"
  bool fortran_order = false;
  Shape shape;
  std::uint64_t data_offset = 0;  // in bytes
};

constexpr std::string_view magic = "\x93NUMPY";

/// Reads the dictionary {'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }, its entries in
/// any order.
class DictionaryReader {
 public:
  DictionaryReader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  void read(NpyHeader& header) {
    bool seen[3] = {};
    expect('{');
    while (!accept('}')) {
      read_entry(header, seen);
      if (accept(',')) continue;
      expect('}');
      break;
    }
    skip_space();
    if (position_ != text_.size()) fail("the end of the dictionary");
    constexpr const char* names[3] = {"descr", "fortran_order", "shape"};
    for (int i = 0; i < 3; ++i)
      if (!seen[i]) throw IoError(file_ + ": the header has no entry '" + names[i] + "'");
  }

 private:
  void read_entry(NpyHeader& header, bool* seen) {
    const std::string key = read_string();
    const int index = key == "descr" ? 0 : key == "fortran_order" ? 1 : key == "shape" ? 2 : -1;
    if (index < 0 || seen[index])
      throw IoError(file_ + ": the header has " + (index < 0 ? "an unknown" : "a second") +
                    " entry '" + key + "'");
    seen[index] = true;
    expect(':');
    if (index == 0) {
      header.descr = read_string();
    } else if (index == 1) {
      header.fortran_order = accept_word("True");
      if (!header.fortran_order && !accept_word("False")) fail("True or False");
    } else {
      header.shape = read_shape();
    }
  }

  Shape read_shape() {
    Shape shape;
    expect('(');
    while (!accept(')')) {
      if (shape.size() == max_file_dims)
        throw IoError(file_ + ": the shape has more than " + std::to_string(max_file_dims) +
                      " dimensions");
      shape.push_back(read_size());
      if (accept(',')) continue;
      // (3) is no tuple
      if (shape.size() == 1) fail("','");
      expect(')');
      break;
    }
    return shape;
  }

  std::int64_t read_size() {
    skip_space();
    std::int64_t size = 0;
    const char* const begin = text_.data() + position_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), size);
    if (error != std::errc() || size < 0) fail("a size below 2^63");
    position_ += std::size_t(end - begin);
    accept('L');  // Python 2 wrote long integers so
    return size;
  }

  /// A string in single or double quotes without escapes: names of dtypes need none.
  std::string read_string() {
    const char quote = accept('"') ? '"' : '\'';
    if (quote == '\'') expect('\'');
    const std::size_t end = text_.find(quote, position_);
    constexpr std::size_t longest = 32;
    if (end == std::string_view::npos || end - position_ > longest) fail("a short string");
    const std::string_view content = text_.substr(position_, end - position_);
    for (const char c : content)
      if (c < ' ' || c > '~' || c == '\\') fail("a string of plain characters");
    position_ = end + 1;
    return std::string(content);
  }

  void skip_space() {
    while (position_ < text_.size() &&
           std::string_view(" \t\r\n").find(text_[position_]) != std::string_view::npos)
      ++position_;
  }
  bool accept(char c) {
    skip_space();
    const bool found = position_ < text_.size() && text_[position_] == c;
    if (found) ++position_;
    return found;
  }
  bool accept_word(std::string_view word) {
    skip_space();
    const bool found = text_.substr(position_).starts_with(word);
    if (found) position_ += word.size();
    return found;
  }
  void expect(char c) {
    if (!accept(c)) fail("'" + std::string(1, c) + "'");
  }
  [[noreturn]] void fail(const std::string& wanted) const {
    throw IoError(file_ + ": " + wanted + " is expected at character " + std::to_string(position_) +
                  " of the header");
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t position_ = 0;
};

/// Of an InputFile or BytesInMemory. Throws IoError naming the file and what is wrong. The shape
/// has at most max_file_dims sizes, none negative, and at most 2^62 elements.
template <class File>
NpyHeader read_npy_header(const File& file) {
  unsigned char start[12] = {};
  const std::size_t present = std::size_t(std::min<std::uint64_t>(file.size(), sizeof start));
  file.read(0, start, present);
  if (present < magic.size() || std::memcmp(start, magic.data(), magic.size()) != 0)
    throw IoError(file.name() + " is not a .npy file: it does not begin with \\x93NUMPY");
  const unsigned major = start[6];
  const unsigned minor = start[7];
  if (present >= 8 && (major < 1 || major > 3 || minor != 0))
    throw IoError(file.name() + " has format " + std::to_string(major) + "." +
                  std::to_string(minor) + "; 1.0, 2.0 and 3.0 can be read");
  const std::size_t begin = major == 1 ? 10 : 12;
  std::uint64_t length = 0;
  for (std::size_t i = begin; i-- > 8;) length = length << 8 | start[i];
  if (present < begin || length > file.size() - begin)
    throw IoError(file.name() + " is truncated: it has " + std::to_string(file.size()) +
                  " bytes, its header needs " + std::to_string(begin + length));
  std::string text(std::size_t(length), '\0');
  file.read(begin, text.data(), text.size());
  NpyHeader header;
  DictionaryReader(text, file.name()).read(header);
  header.data_offset = begin + length;
  try {
    numel(header.shape);
  } catch (const ShapeError& error) {
    throw IoError(file.name() + ": " + error.what());
  }
  return header;
}

/// A file that somebody has read already.
class BytesInMemory {
 public:
  BytesInMemory(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  std::uint64_t size() const { return bytes_.size(); }
  const std::string& name() const { return name_; }
  void read(std::uint64_t offset, void* target, std::size_t bytes) const {
    std::memcpy(target, bytes_.data() + offset, bytes);
  }

 private:
  std::string_view bytes_;
  const std::string& name_;
};

/// The bytes before the data of a row-major array: magic, version 1.0, length, dictionary, and
/// spaces up to a multiple of 64.
std::string npy_preamble(const std::string& descr, const Shape& shape) {
  constexpr std::size_t alignment = 64;
  std::string text =
      "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + to_string(shape) + ", }";
  const std::size_t start = magic.size() + 4;
  text.append(alignment - 1 - (start + text.size()) % alignment, ' ');
  text += '\n';
  std::string preamble(magic);
  preamble += {'\1', '\0', char(text.size() & 0xff), char(text.size() >> 8)};
  return preamble + text;
}

/// NumPy's dtype without the byte order.
template <class T>
constexpr const char* npy_type() {
  if constexpr (std::is_same_v<T, double>) return "f8";
  if constexpr (std::is_same_v<T, float>) return "f4";
  if constexpr (std::is_same_v<T, half>) return "f2";
  if constexpr (std::is_same_v<T, bfloat16>) return "V2";
  if constexpr (std::is_same_v<T, bool>) return "b1";
  if constexpr (std::is_same_v<T, std::int64_t>) return "i8";
}

template <class T>
std::string npy_descr() {
  return (std::is_same_v<T, bool> ? "|" : "<") + std::string(npy_type<T>());
}

/// The shape in the file: N planes in front.
template <class T, int N>
Shape file_shape(const Tensor<T, N>& x) {
  Shape shape = x.shape();
  if (N > 1) shape.insert(shape.begin(), N);
  return shape;
}

/// True if the dtype in the file is T's in some byte order; a mask has none, and '|V2' is how NumPy
/// itself writes raw bytes.
template <class T>
bool is_type(const std::string& descr) {
  if (descr.empty() || descr.substr(1) != npy_type<T>()) return false;
  const bool unordered = std::is_same_v<T, bool> || std::is_same_v<T, bfloat16>;
  return descr[0] == '<' || descr[0] == '>' || (unordered && descr[0] == '|');
}

/// Throws IoError unless an array of elements of this size fills the file.
template <class File>
void check_length(const File& file, const NpyHeader& header, std::size_t element) {
  const std::uint64_t bytes = file.size() - header.data_offset;
  const auto count = std::uint64_t(numel(header.shape));
  if (bytes % element != 0 || count != bytes / element)
    throw IoError(file.name() + ": " + std::to_string(bytes) + " bytes of data do not fit '" +
                  header.descr + "' of shape " + to_string(header.shape));
}

/// Throws IoError unless the array is one of N planes of T and fills the file.
template <class T, int N>
void check_array(const InputFile& file, const NpyHeader& header) {
  const Shape& shape = header.shape;
  if (!is_type<T>(header.descr) || (N > 1 && (shape.empty() || shape[0] != N)))
    throw IoError(file.name() + ": wanted '" + npy_descr<T>() + "'" +
                  (N > 1 ? " of shape (" + std::to_string(N) + ", ...)" : "") + ", found '" +
                  header.descr + "' of shape " + to_string(shape));
  check_length(file, header, sizeof(T));
}

/// All dimensions the other way round.
template <class T>
Tensor<T, 1> reversed(const Tensor<T, 1>& x) {
  Shape dims(x.shape().size());
  for (std::size_t d = 0; d < dims.size(); ++d) dims[d] = std::int64_t(dims.size() - 1 - d);
  return x.permute(dims);
}

/// The shape of the elements as they lie in the file: a column-major array has the reversed one.
Shape shape_in_file(const NpyHeader& header) {
  const Shape& shape = header.shape;
  return header.fortran_order ? Shape(shape.rbegin(), shape.rend()) : shape;
}

/// The whole array of a column-major file.
template <class T>
Tensor<T, 1> read_transposed(const InputFile& file, const NpyHeader& header, std::endian order) {
  const auto x = tensor_detail::tensor_for<T, 1>(shape_in_file(header), file.name());
  tensor_detail::read_elements(file, header.data_offset, x.numel(), order, x.data(), file.name());
  return reversed(x);
}

/// Elements of type T in either byte order as doubles.
template <class T>
Tensor<double> read_numbers(const BytesInMemory& file, const NpyHeader& header) {
  check_length(file, header, sizeof(T));
  const auto x = tensor_detail::tensor_for<double, 1>(shape_in_file(header), file.name());
  const bool swapped = header.descr[0] == (std::endian::native == std::endian::little ? '>' : '<');
  for (std::int64_t i = 0; i < x.numel(); ++i) {
    T value;
    file.read(header.data_offset + std::uint64_t(i) * sizeof(T), &value, sizeof(T));
    if (swapped) tensor_detail::reverse_bytes(&value, 1);
    x.data()[i] = double(value);
    if constexpr (sizeof(T) == 8 && std::is_integral_v<T>)
      if (value > T(1) << 53 || (std::is_signed_v<T> && value < -(T(1) << 53)))
        throw IoError(file.name() + ": element " + std::to_string(i) + " is " +
                      std::to_string(value) + ", which is not a double");
  }
  return header.fortran_order ? reversed(x) : x;
}

}  // namespace

template <class T, int N>
void save_npy(const std::filesystem::path& path, const Tensor<T, N>& x) {
  const Shape shape = file_shape(x);
  if (shape.size() > max_file_dims)
    throw IoError("cannot write '" + path.string() + "': NumPy has no array of " +
                  std::to_string(shape.size()) + " dimensions");
  const std::string preamble = npy_preamble(npy_descr<T>(), shape);
  AtomicFile file(path);
  file.write(preamble.data(), preamble.size());
  for (int k = 0; k < N; ++k) tensor_detail::write_elements(file, x.plane(k));
  file.commit();
}

template <class T, int N>
Tensor<T, N> load_npy(const std::filesystem::path& path) {
  const InputFile file(path);
  const NpyHeader header = read_npy_header(file);
  check_array<T, N>(file, header);
  const std::endian order = header.descr[0] == '>' ? std::endian::big : std::endian::little;
  const Shape shape(header.shape.begin() + (N > 1 ? 1 : 0), header.shape.end());
  auto x = tensor_detail::tensor_for<T, N>(shape, file.name());
  if (header.fortran_order) {
    const Tensor<T, 1> all = read_transposed<T>(file, header, order);
    for (int k = 0; k < N; ++k) x.plane(k).copy_(N > 1 ? all.select(0, k) : all);
    return x;
  }
  const std::uint64_t plane_bytes = std::uint64_t(x.numel()) * sizeof(T);
  for (int k = 0; k < N; ++k)
    tensor_detail::read_elements(file, header.data_offset + std::uint64_t(k) * plane_bytes,
                                 x.numel(), order, x.data(k), file.name());
  return x;
}

Tensor<double> npy_numbers(std::string_view bytes, const std::string& name) {
  struct Type {
    std::string_view name;
    Tensor<double> (*read)(const BytesInMemory&, const NpyHeader&);
  };
  static constexpr Type types[] = {
      {"f8", read_numbers<double>},        {"f4", read_numbers<float>},
      {"f2", read_numbers<half>},          {"i1", read_numbers<std::int8_t>},
      {"i2", read_numbers<std::int16_t>},  {"i4", read_numbers<std::int32_t>},
      {"i8", read_numbers<std::int64_t>},  {"u1", read_numbers<std::uint8_t>},
      {"u2", read_numbers<std::uint16_t>}, {"u4", read_numbers<std::uint32_t>},
      {"u8", read_numbers<std::uint64_t>}, {"b1", read_numbers<std::uint8_t>}};
  const BytesInMemory file(bytes, name);
  const NpyHeader header = read_npy_header(file);
  for (const Type& type : types)
    if (!header.descr.empty() && std::string_view(header.descr).substr(1) == type.name)
      return type.read(file, header);
  throw IoError(name + ": '" + header.descr + "' is not a supported type of numbers");
}

#define MCT_INSTANTIATE(T, N)                                                      \
  template void save_npy<T, N>(const std::filesystem::path&, const Tensor<T, N>&); \
  template Tensor<T, N> load_npy<T, N>(const std::filesystem::path&);
MCT_FOR_EACH_TENSOR(MCT_INSTANTIATE)
#undef MCT_INSTANTIATE

}  // namespace mct
