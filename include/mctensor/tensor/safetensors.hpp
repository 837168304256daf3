// Named tensors of different types in one file: the safetensors format.
//
// A file is the length of its header in 8 bytes (little-endian), a JSON header, and the elements of
// the tensors (row-major, little-endian). A tensor of N > 1 components is one entry with a leading
// axis of size N for its planes.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "mctensor/tensor/tensor.hpp"

namespace mct {

/// Collects tensors and writes them as a safetensors file with dtypes F64, F32, F16, BF16, BOOL and
/// I64.
class SafetensorsWriter {
 public:
  SafetensorsWriter();
  SafetensorsWriter(SafetensorsWriter&&) noexcept;
  SafetensorsWriter& operator=(SafetensorsWriter&&) noexcept;
  ~SafetensorsWriter();

  /// Adds a tensor under a name. save() reads the elements, so the file has all changes that you
  /// make before save(). Throws DomainError for a name that is already used, is "__metadata__" or
  /// is not UTF-8, and for more than 64 dimensions.
  template <class T, int N>
  void add(const std::string& name, const Tensor<T, N>& x);

  /// Stores a text with the tensors. A second text with the same key replaces the first. Throws
  /// DomainError if key or text is not UTF-8.
  void set_metadata(const std::string& key, const std::string& value);

  /// Writes the file. An existing file is replaced as a whole; after an error it is as it was.
  /// Elements begin at multiples of their size, in the order that the reference implementation
  /// uses. Throws IoError, also for a header beyond that implementation's limit of 10^8 bytes.
  void save(const std::filesystem::path& path) const;

 private:
  struct Content;
  std::unique_ptr<Content> content_;
};

/// A safetensors file. Opening it reads and checks the header; load() reads elements. Copies share
/// the open file, which stays readable if another file takes its name. Functions may be called from
/// several threads.
///
/// All functions throw IoError. The message names the file, the entry and the wrong values.
class SafetensorsReader {
 public:
  /// Accepts a file only if its entries fill it without gap or overlap. Each entry must have as
  /// many bytes as its dtype and shape (at most 64 dimensions) need. Refuses everything that the
  /// format does not allow: unknown keys and keys given twice, a header that is not UTF-8 or longer
  /// than 10^8 bytes, and data that do not begin at a multiple of 8 bytes. Memory is allocated in
  /// proportion to the length of the header, not to the sizes that it states.
  explicit SafetensorsReader(const std::filesystem::path& path);

  /// The names of all entries, in alphabetical order.
  std::vector<std::string> names() const;
  bool contains(const std::string& name) const;
  /// The shape in the file, with the leading axis of N if there is one.
  const Shape& shape(const std::string& name) const;
  /// "F64", "F32", "F16", "BF16", "BOOL" or "I64", or a type of the format that no Tensor holds:
  /// "I32", "I16", "I8", "U64", "U32", "U16", "U8", "F8_E4M3", "F8_E5M2", "F8_E8M0", "C64".
  const std::string& dtype(const std::string& name) const;
  const std::map<std::string, std::string>& metadata() const;

  /// Reads a tensor without conversion: the dtype must be the dtype of T, and for N > 1 the leading
  /// axis must have size N. Bytes other than 0 and 1 in a mask are an error. If memory does not
  /// suffice, throws MemoryError, which names the file and the entry.
  template <class T, int N>
  Tensor<T, N> load(const std::string& name) const;

 private:
  struct Content;
  std::shared_ptr<const Content> content_;
};

#define MCT_EXTERN_SAFETENSORS(T, N)                                                          \
  extern template void SafetensorsWriter::add<T, N>(const std::string&, const Tensor<T, N>&); \
  extern template Tensor<T, N> SafetensorsReader::load<T, N>(const std::string&) const;
MCT_FOR_EACH_TENSOR(MCT_EXTERN_SAFETENSORS)
#undef MCT_EXTERN_SAFETENSORS

}  // namespace mct
