#include "mctensor/tensor/safetensors.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <utility>

#include "mctensor/base/atomic_file.hpp"
#include "mctensor/base/input_file.hpp"
#include "mctensor/error.hpp"
#include "src/tensor/file_elements.hpp"
#include "src/tensor/safetensors_header.hpp"

namespace mct {

namespace {

using tensor_detail::SafetensorsEntry;
using tensor_detail::SafetensorsHeader;

constexpr std::size_t length_bytes = 8;

template <class T>
constexpr const char* dtype_of() {
  if constexpr (std::is_same_v<T, double>) return "F64";
  if constexpr (std::is_same_v<T, float>) return "F32";
  if constexpr (std::is_same_v<T, half>) return "F16";
  if constexpr (std::is_same_v<T, bfloat16>) return "BF16";
  if constexpr (std::is_same_v<T, bool>) return "BOOL";
  if constexpr (std::is_same_v<T, std::int64_t>) return "I64";
}

/// The place of a dtype in the file: as in the reference implementation, wide elements first.
int order_of(const std::string& dtype) {
  static constexpr const char* order[] = {"I64", "F64", "F32", "BF16", "F16", "BOOL"};
  return int(std::find(std::begin(order), std::end(order), dtype) - std::begin(order));
}

SafetensorsHeader read_header(const InputFile& file, std::uint64_t& data_offset) {
  unsigned char start[length_bytes] = {};
  if (file.size() < length_bytes)
    throw IoError(file.name() + " is not a safetensors file: it has only " +
                  std::to_string(file.size()) + " bytes");
  file.read(0, start, length_bytes);
  std::uint64_t length = 0;
  for (std::size_t i = length_bytes; i-- > 0;) length = length << 8 | start[i];
  if (length > file.size() - length_bytes)
    throw IoError(file.name() + " is truncated: its header has " + std::to_string(length) +
                  " bytes, the file " + std::to_string(file.size()));
  if (length > tensor_detail::max_safetensors_header)
    throw IoError(file.name() + ": the header has " + std::to_string(length) +
                  " bytes, more than the " + std::to_string(tensor_detail::max_safetensors_header) +
                  " that are allowed");
  data_offset = length_bytes + length;
  if (data_offset % 8 != 0)
    throw IoError(file.name() + ": the data begin at byte " + std::to_string(data_offset) +
                  ", which is not a multiple of 8");
  std::string text(std::size_t(length), '\0');
  file.read(length_bytes, text.data(), text.size());
  return tensor_detail::parse_safetensors_header(text, file.size() - data_offset, file.name());
}

}  // namespace

struct SafetensorsWriter::Content {
  struct Item {
    std::string dtype;
    Shape shape;
    std::uint64_t bytes;
    std::function<void(AtomicFile&)> write;
  };
  std::map<std::string, Item> items;
  std::map<std::string, std::string> metadata;
};

SafetensorsWriter::SafetensorsWriter() : content_(std::make_unique<Content>()) {}
SafetensorsWriter::SafetensorsWriter(SafetensorsWriter&&) noexcept = default;
SafetensorsWriter& SafetensorsWriter::operator=(SafetensorsWriter&&) noexcept = default;
SafetensorsWriter::~SafetensorsWriter() = default;

template <class T, int N>
void SafetensorsWriter::add(const std::string& name, const Tensor<T, N>& x) {
  tensor_detail::require_utf8(name, "the tensor's name");
  Shape shape = x.shape();
  if (N > 1) shape.insert(shape.begin(), N);
  if (shape.size() > tensor_detail::max_file_dims)
    throw DomainError("tensor " + tensor_detail::in_quotes(name) + " has " +
                      std::to_string(shape.size()) + " dimensions in the file, more than " +
                      std::to_string(tensor_detail::max_file_dims));
  const auto write = [x](AtomicFile& file) {
    for (int k = 0; k < N; ++k) tensor_detail::write_elements(file, x.plane(k));
  };
  const std::uint64_t bytes = std::uint64_t(x.numel()) * N * sizeof(T);
  const bool is_new =
      name != tensor_detail::metadata_key &&
      content_->items.try_emplace(name, Content::Item{dtype_of<T>(), shape, bytes, write}).second;
  if (!is_new)
    throw DomainError("a tensor cannot have the name " + tensor_detail::in_quotes(name) +
                      ": it is taken");
}

void SafetensorsWriter::set_metadata(const std::string& key, const std::string& value) {
  tensor_detail::require_utf8(key, "the key");
  tensor_detail::require_utf8(value, "the value");
  content_->metadata[key] = value;
}

void SafetensorsWriter::save(const std::filesystem::path& path) const {
  using Item = std::pair<const std::string, Content::Item>;
  std::vector<const Item*> items;
  for (const Item& item : content_->items) items.push_back(&item);
  std::stable_sort(items.begin(), items.end(), [](const Item* a, const Item* b) {
    return order_of(a->second.dtype) < order_of(b->second.dtype);
  });
  SafetensorsHeader header;
  header.metadata = content_->metadata;
  std::uint64_t position = 0;
  for (const Item* item : items) {
    const auto& [name, tensor] = *item;
    header.entries[name] = {tensor.dtype, tensor.shape, position, position + tensor.bytes};
    position += tensor.bytes;
  }
  const std::string text = tensor_detail::safetensors_header_text(header);
  if (text.size() > tensor_detail::max_safetensors_header)
    throw IoError("cannot write '" + path.string() + "': the header has " +
                  std::to_string(text.size()) + " bytes, more than the " +
                  std::to_string(tensor_detail::max_safetensors_header) + " that are allowed");
  unsigned char length[length_bytes];
  for (std::size_t i = 0; i < length_bytes; ++i)
    length[i] = static_cast<unsigned char>(std::uint64_t(text.size()) >> (8 * i));
  AtomicFile file(path);
  file.write(length, length_bytes);
  file.write(text.data(), text.size());
  for (const Item* item : items) item->second.write(file);
  file.commit();
}

struct SafetensorsReader::Content {
  explicit Content(const std::filesystem::path& path)
      : file(path), header(read_header(file, data_offset)) {}

  const SafetensorsEntry& entry(const std::string& name) const {
    const auto found = header.entries.find(name);
    if (found == header.entries.end())
      throw IoError(file.name() + " has no entry " + tensor_detail::in_quotes(name) +
                    " among its " + std::to_string(header.entries.size()));
    return found->second;
  }

  InputFile file;
  std::uint64_t data_offset = 0;
  SafetensorsHeader header;
};

SafetensorsReader::SafetensorsReader(const std::filesystem::path& path)
    : content_(std::make_shared<const Content>(path)) {}

std::vector<std::string> SafetensorsReader::names() const {
  std::vector<std::string> names;
  for (const auto& [name, entry] : content_->header.entries) names.push_back(name);
  return names;
}

bool SafetensorsReader::contains(const std::string& name) const {
  return content_->header.entries.count(name) > 0;
}

const Shape& SafetensorsReader::shape(const std::string& name) const {
  return content_->entry(name).shape;
}

const std::string& SafetensorsReader::dtype(const std::string& name) const {
  return content_->entry(name).dtype;
}

const std::map<std::string, std::string>& SafetensorsReader::metadata() const {
  return content_->header.metadata;
}

template <class T, int N>
Tensor<T, N> SafetensorsReader::load(const std::string& name) const {
  const SafetensorsEntry& entry = content_->entry(name);
  const InputFile& file = content_->file;
  const std::string place = file.name() + ": entry " + tensor_detail::in_quotes(name);
  if (entry.dtype != dtype_of<T>() || (N > 1 && (entry.shape.empty() || entry.shape[0] != N)))
    throw IoError(place + ": wanted " + dtype_of<T>() +
                  (N > 1 ? " of shape (" + std::to_string(N) + ", ...)" : "") + ", found " +
                  entry.dtype + " of shape " + to_string(entry.shape));
  const Shape shape(entry.shape.begin() + (N > 1 ? 1 : 0), entry.shape.end());
  auto x = tensor_detail::tensor_for<T, N>(shape, place);
  const std::uint64_t plane_bytes = std::uint64_t(x.numel()) * sizeof(T);
  const std::uint64_t begin = content_->data_offset + entry.begin;
  for (int k = 0; k < N; ++k)
    tensor_detail::read_elements(file, begin + std::uint64_t(k) * plane_bytes, x.numel(),
                                 std::endian::little, x.data(k), place);
  return x;
}

#define MCT_INSTANTIATE(T, N)                                                          \
  template void SafetensorsWriter::add<T, N>(const std::string&, const Tensor<T, N>&); \
  template Tensor<T, N> SafetensorsReader::load<T, N>(const std::string&) const;
MCT_FOR_EACH_TENSOR(MCT_INSTANTIATE)
#undef MCT_INSTANTIATE

}  // namespace mct
