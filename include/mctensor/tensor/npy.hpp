// Tensors in NumPy's .npy files.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "mctensor/tensor/tensor.hpp"

namespace mct {

/// Writes a tensor as an array that numpy.load reads, in row-major order, as format 1.0.
///
/// A tensor of N > 1 components gets a leading axis of size N for its planes, so that the sum over
/// axis 0 is the value. The dtype is '<f8', '<f4', '<f2', '|b1' or '<i8'. NumPy has no dtype for
/// bfloat16: its two bytes are written as '<V2', which NumPy reads as raw bytes;
/// .view(ml_dtypes.bfloat16) makes them numbers.
///
/// An existing file is replaced as a whole; after an error it is as it was. Throws IoError, also
/// for more than 64 dimensions, which is NumPy's limit.
template <class T, int N>
void save_npy(const std::filesystem::path& path, const Tensor<T, N>& x);

/// Reads a file that save_npy or numpy.save wrote: formats 1.0, 2.0 and 3.0, both byte orders,
/// row-major or column-major. Numbers are not converted: the dtype must be the dtype of T, and for
/// N > 1 the leading axis must have size N.
///
/// Throws IoError, which names the file, for another type or shape than expected. Also throws
/// IoError for a file that is not exactly as long as its array needs, and for bytes other than 0
/// and 1 in a mask. Memory is allocated only for data that the file has. MemoryError names the
/// file, too.
template <class T, int N>
Tensor<T, N> load_npy(const std::filesystem::path& path);

/// The numbers of an .npy file that lies in memory, such as a member of an .npz archive
/// (base/zip_file.hpp), as doubles. Their type may be any real type: floats, integers, or truth
/// values, whose bytes become numbers. Throws IoError as load_npy does, with `name` for the file,
/// and for an integer beyond 2^53 in absolute value.
Tensor<double> npy_numbers(std::string_view bytes, const std::string& name);

#define MCT_EXTERN_NPY(T, N)                                                              \
  extern template void save_npy<T, N>(const std::filesystem::path&, const Tensor<T, N>&); \
  extern template Tensor<T, N> load_npy<T, N>(const std::filesystem::path&);
MCT_FOR_EACH_TENSOR(MCT_EXTERN_NPY)
#undef MCT_EXTERN_NPY

}  // namespace mct
