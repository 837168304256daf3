// The header of a .npy file.
#pragma once

#include <cstdint>
#include <string>

#include "mctensor/base/input_file.hpp"
#include "mctensor/tensor/shape.hpp"

namespace mct::tensor_detail {

/// What the header says, and where the data begin.
struct NpyHeader {
  std::string descr;  // the dtype, as "<f8"
  bool fortran_order = false;
  Shape shape;
  std::uint64_t data_offset = 0;  // in bytes
};

/// Throws IoError naming the file and what is wrong. The shape has at most max_file_dims sizes,
/// none negative, and at most 2^62 elements.
NpyHeader read_npy_header(const InputFile& file);

/// The bytes before the data of a row-major array: magic, version 1.0, length, dictionary, and
/// spaces up to a multiple of 64.
std::string npy_preamble(const std::string& descr, const Shape& shape);

}  // namespace mct::tensor_detail
