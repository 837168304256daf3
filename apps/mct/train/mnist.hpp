// Pictures of digits in the files of MNIST.
#pragma once

#include <cstdint>
#include <filesystem>

#include "apps/mct/train/dataset.hpp"

namespace mct::cli::train {

/// An array of an IDX file, plain or compressed by gzip, of any IDX type: bytes, signed bytes,
/// integers of 16 and 32 bits, float, double. Throws IoError naming the file, the byte and its
/// value if the beginning is not that of an IDX file, and naming the file if the data are cut off
/// or too long or have more than 2^31 numbers. Source: LeCun, Cortes, Burges, the MNIST database
/// (its page describes IDX).
Tensor<double> read_idx(const std::filesystem::path& path);

/// The training pictures of MNIST, or of data in the same form (Fashion-MNIST, KMNIST): from a
/// folder with train-images-idx3-ubyte and train-labels-idx1-ubyte (also with ".idx" for "-idx",
/// each also with .gz), or from an .npz archive with x_train and y_train. Rows are pictures of the
/// same size, features are pixels from 0 to 1, targets are classes 0 to 9. Throws IoError for other
/// data, naming the file and the number of the picture.
Dataset read_mnist(const std::filesystem::path& path);

/// `count` random rows of each class, or all rows of a smaller class.
Dataset some_of_each_class(const Dataset& data, std::int64_t count, std::uint64_t seed);

}  // namespace mct::cli::train
