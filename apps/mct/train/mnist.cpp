// Pictures of digits in the files of MNIST.
#include "apps/mct/train/mnist.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "apps/mct/train/counter_random.hpp"
#include "mctensor/base/byte_files.hpp"
#include "mctensor/base/zip_file.hpp"
#include "mctensor/error.hpp"
#include "mctensor/tensor/elementwise.hpp"
#include "mctensor/tensor/indexing.hpp"
#include "mctensor/tensor/npy.hpp"

namespace mct::cli::train {

namespace {

namespace fs = std::filesystem;

/// A number of an IDX file, which has the highest byte first.
template <class T>
double number_of(const unsigned char* bytes) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i) bits = bits << 8 | bytes[i];
  if constexpr (std::is_same_v<T, float>) return double(std::bit_cast<float>(std::uint32_t(bits)));
  if constexpr (std::is_same_v<T, double>) return std::bit_cast<double>(bits);
  return double(T(bits));
}

struct IdxType {
  unsigned code;
  std::size_t size;
  double (*number)(const unsigned char*);
};
constexpr IdxType idx_types[] = {
    {0x08, 1, number_of<std::uint8_t>}, {0x09, 1, number_of<std::int8_t>},
    {0x0B, 2, number_of<std::int16_t>}, {0x0C, 4, number_of<std::int32_t>},
    {0x0D, 4, number_of<float>},        {0x0E, 8, number_of<double>}};

/// The pieces of an IDX file, one after the other.
class IdxReader {
 public:
  explicit IdxReader(const fs::path& path) : source_(path) {}

  Tensor<double> read() {
    const auto start = take(4);
    for (const std::size_t i : {0, 1})
      if (start[i] != 0) fail_at(i, start[i], "an IDX file begins with two zeros");
    const IdxType* type = nullptr;
    for (const IdxType& known : idx_types)
      if (known.code == start[2]) type = &known;
    if (type == nullptr) fail_at(2, start[2], "no type of IDX (8, 9 and 11 to 14)");
    if (start[3] == 0 || start[3] > 8) fail_at(3, start[3], "1 to 8 dimensions can be read");
    Shape shape;
    std::int64_t count = 1;
    for (unsigned i = 0; i < start[3]; ++i) {
      const auto size = std::int64_t(number_of<std::uint32_t>(take(4).data()));
      constexpr std::int64_t most = std::int64_t(1) << 31;
      if (size > 0 && count > most / size)
        throw IoError(fmt::format("{}, byte {}: size {} makes more than 2^31 numbers", name(),
                                  place_ - 4, size));
      count *= size;
      shape.push_back(size);
    }
    // in pieces, so that a wrong size allocates no memory for missing data
    std::vector<double> values;
    constexpr std::int64_t at_once = 1 << 16;
    while (std::int64_t(values.size()) < count) {
      const auto more = std::size_t(std::min(at_once, count - std::int64_t(values.size())));
      const auto bytes = take(more * type->size);
      for (std::size_t i = 0; i < more; ++i)
        values.push_back(type->number(bytes.data() + i * type->size));
    }
    char behind = 0;
    if (source_.read(&behind, 1) > 0)
      throw IoError(
          fmt::format("{}: the {} numbers of shape {} end at byte {}, but the file does not",
                      name(), count, to_string(shape), place_));
    return Tensor<double>::from_values(values, shape);
  }

 private:
  const std::string& name() const { return source_.file().name(); }
  std::vector<unsigned char> take(std::size_t count) {
    std::vector<unsigned char> bytes(count);
    std::size_t have = 0;
    while (have < count) {
      const auto more = source_.read(reinterpret_cast<char*>(bytes.data()) + have, count - have);
      if (more == 0)
        throw IoError(
            fmt::format("{} is cut off: it ends at byte {}, {} bytes are wanted from byte "
                        "{} on",
                        name(), place_ + have, count, place_));
      have += more;
    }
    place_ += count;
    return bytes;
  }
  [[noreturn]] void fail_at(std::size_t byte, unsigned value, const char* what) const {
    throw IoError(fmt::format("{}, byte {}: {}; {}", name(), byte, value, what));
  }

  ByteSource source_;
  std::size_t place_ = 0;  // of unpacked bytes
};

/// The first existing file of these names in the folder.
fs::path file_of(const fs::path& folder, const std::string& part, const char* dimensions) {
  std::error_code ignored;
  for (const char* const joint : {"-", "."})
    for (const char* const ending : {"", ".gz"}) {
      fs::path path = folder / (part + joint + dimensions + "-ubyte" + ending);
      if (fs::is_regular_file(path, ignored)) return path;
    }
  throw IoError(
      fmt::format("'{}' has no {}-{}-ubyte, nor with .gz", folder.string(), part, dimensions));
}

/// Pictures (n, height, width) or (n, pixels) of bytes and their labels.
Dataset dataset_of(const Tensor<double>& pictures, const Tensor<double>& labels,
                   const std::string& images_name, const std::string& labels_name) {
  constexpr double brightest = 255;
  constexpr double classes = 10;
  if (pictures.dim() < 2 || pictures.numel() == 0)
    throw IoError(images_name + ": pictures of shape " + to_string(pictures.shape()) +
                  ", expected (n, height, width) or (n, pixels)");
  const std::int64_t rows = pictures.size(0);
  if (labels.dim() != 1 || labels.size(0) != rows)
    throw IoError(fmt::format("{}: labels of shape {} for {} pictures", labels_name,
                              to_string(labels.shape()), rows));
  const auto table = pictures.contiguous().reshape({rows, pictures.numel() / rows});
  for (std::int64_t i = 0; i < table.numel(); ++i)
    if (const double x = table.data()[i]; !(x >= 0 && x <= brightest))
      throw IoError(fmt::format("{}: pixel {} of picture {} is {}, not from 0 to 255", images_name,
                                i % table.size(1), i / table.size(1), x));
  const auto answers = labels.contiguous();
  for (std::int64_t i = 0; i < rows; ++i)
    if (const double x = answers.data()[i]; !(x >= 0 && x < classes) || x != std::floor(x))
      throw IoError(fmt::format("{}: label {} is {}, not one of 0 to 9", labels_name, i, x));
  return {table / brightest, answers};
}

}  // namespace

Tensor<double> read_idx(const fs::path& path) { return IdxReader(path).read(); }

Dataset read_mnist(const fs::path& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    const fs::path images = file_of(path, "train-images", "idx3");
    const fs::path labels = file_of(path, "train-labels", "idx1");
    const auto pictures = read_idx(images);
    return dataset_of(pictures, read_idx(labels), "'" + images.string() + "'",
                      "'" + labels.string() + "'");
  }
  const ZipFile archive(path);
  const auto part = [&](const char* name) { return archive.name() + ", " + name; };
  const auto array = [&](const char* name) {
    return npy_numbers(archive.content(name), part(name));
  };
  const auto pictures = array("x_train.npy");
  return dataset_of(pictures, array("y_train.npy"), part("x_train.npy"), part("y_train.npy"));
}

Dataset some_of_each_class(const Dataset& data, std::int64_t count, std::uint64_t seed) {
  constexpr std::uint64_t stream = 1;  // of the seed's random numbers; split() has 0
  std::vector<std::int64_t> taken;
  std::vector<std::int64_t> chosen;
  for (const std::int64_t row : permutation(data.rows(), seed, stream)) {
    const auto label = std::size_t(data.targets.data()[row]);
    if (label >= taken.size()) taken.resize(label + 1, 0);
    if (taken[label]++ < count) chosen.push_back(row);
  }
  const auto index = Tensor<std::int64_t>::from_values(chosen);
  return {index_select(data.features, 0, index), index_select(data.targets, 0, index)};
}

}  // namespace mct::cli::train
