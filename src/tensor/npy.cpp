// Tensors in NumPy's .npy files.
#include "mctensor/tensor/npy.hpp"

#include <bit>
#include <string>

#include "mctensor/base/atomic_file.hpp"
#include "mctensor/base/input_file.hpp"
#include "mctensor/error.hpp"
#include "src/tensor/file_elements.hpp"
#include "src/tensor/npy_header.hpp"

namespace mct {

namespace {

using tensor_detail::NpyHeader;

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

/// Throws IoError unless the array is one of N planes of T and fills the file.
template <class T, int N>
void check_array(const InputFile& file, const NpyHeader& header) {
  const Shape& shape = header.shape;
  if (!is_type<T>(header.descr) || (N > 1 && (shape.empty() || shape[0] != N)))
    throw IoError(file.name() + ": wanted '" + npy_descr<T>() + "'" +
                  (N > 1 ? " of shape (" + std::to_string(N) + ", ...)" : "") + ", found '" +
                  header.descr + "' of shape " + to_string(shape));
  const std::uint64_t bytes = file.size() - header.data_offset;
  const auto count = std::uint64_t(numel(shape));
  if (bytes % sizeof(T) != 0 || count != bytes / sizeof(T))
    throw IoError(file.name() + ": " + std::to_string(bytes) + " bytes of data do not fit '" +
                  header.descr + "' of shape " + to_string(shape));
}

/// The whole array of a column-major file: row-major it has the reversed shape.
template <class T>
Tensor<T, 1> read_transposed(const InputFile& file, const NpyHeader& header, std::endian order) {
  const Shape reversed(header.shape.rbegin(), header.shape.rend());
  const auto x = tensor_detail::tensor_for<T, 1>(reversed, file.name());
  tensor_detail::read_elements(file, header.data_offset, x.numel(), order, x.data(), file.name());
  Shape dims(reversed.size());
  for (std::size_t d = 0; d < dims.size(); ++d) dims[d] = std::int64_t(dims.size() - 1 - d);
  return x.permute(dims);
}

}  // namespace

template <class T, int N>
void save_npy(const std::filesystem::path& path, const Tensor<T, N>& x) {
  const Shape shape = file_shape(x);
  if (shape.size() > tensor_detail::max_file_dims)
    throw IoError("cannot write '" + path.string() + "': NumPy has no array of " +
                  std::to_string(shape.size()) + " dimensions");
  const std::string preamble = tensor_detail::npy_preamble(npy_descr<T>(), shape);
  AtomicFile file(path);
  file.write(preamble.data(), preamble.size());
  for (int k = 0; k < N; ++k) tensor_detail::write_elements(file, x.plane(k));
  file.commit();
}

template <class T, int N>
Tensor<T, N> load_npy(const std::filesystem::path& path) {
  const InputFile file(path);
  const NpyHeader header = tensor_detail::read_npy_header(file);
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

#define MCT_INSTANTIATE(T, N)                                                      \
  template void save_npy<T, N>(const std::filesystem::path&, const Tensor<T, N>&); \
  template Tensor<T, N> load_npy<T, N>(const std::filesystem::path&);
MCT_FOR_EACH_TENSOR(MCT_INSTANTIATE)
#undef MCT_INSTANTIATE

}  // namespace mct
