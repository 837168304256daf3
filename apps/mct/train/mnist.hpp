// Pictures of digits in the files in which MNIST is given away.
#pragma once

#include <cstdint>
#include <filesystem>

#include "apps/mct/train/dataset.hpp"

namespace mct::cli::train {

/// An array of an IDX file, plain or compressed by gzip, of any of its types: bytes, signed bytes,
/// integers of 16 and 32 bits, float, double. Throws IoError naming the file, the byte and its
/// value for another beginning, and the file for data that are cut off or too long, or more than
/// 2^31 numbers. Source: LeCun, Cortes, Burges, the MNIST database (its page describes IDX).
Tensor<double> read_idx(const std::filesystem::path& path);

/// The training pictures of MNIST, or of what has its form (Fashion-MNIST, KMNIST): from a folder
/// with train-images-idx3-ubyte and train-labels-idx1-ubyte (also with ".idx" for "-idx", each
/// also with .gz), or from an .npz archive with x_train and y_train. Rows are pictures of the same
/// size, features pixels from 0 to 1, targets classes 0 to 9. Throws IoError naming the file and
/// the number of the picture for what is not so.
Dataset read_mnist(const std::filesystem::path& path);

/// `count` random rows of each class, or all rows of a smaller class.
Dataset some_of_each_class(const Dataset& data, std::int64_t count, std::uint64_t seed);

}  // namespace mct::cli::train
