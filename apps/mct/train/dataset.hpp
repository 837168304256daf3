// Tables of numbers with a class: reading, scaling, splitting.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "mctensor/tensor/tensor.hpp"

namespace mct::cli::train {

/// Rows of features (n, k) and their targets (n): numbers, or classes 0, 1, ...
struct Dataset {
  Tensor<double> features;
  Tensor<double> targets;

  std::int64_t rows() const { return features.size(0); }
};

struct Split {
  Dataset train;
  Dataset test;
};

/// The conditions of a model on a table.
struct TableShape {
  int features;
  int classes;
  int skip = 0;  // lines at the beginning that are not read
};

/// A file of comma-separated numbers: each line has the features, then the class, below
/// shape.classes. Throws IoError naming file and line for anything else, also for features beyond
/// 1e100 in absolute value, whose squares have no mean, and for fewer than 5 rows, which do not
/// make two parts.
Dataset read_csv(const std::filesystem::path& path, const TableShape& shape);

/// The rows in random order, the first `share` of them for training.
Split split(const Dataset& data, double share, std::uint64_t seed);

/// Every feature minus its mean in the training data, divided by its deviation there.
Split standardized(const Split& data);

/// The nearest numbers of 8 significant bits that are also halves: bfloat16, half, float and double
/// hold them exactly.
Tensor<double> short_numbers(const Tensor<double>& x);

/// A file of the data directory: of the given one, or else of the installed or the source one,
/// whichever has the file first. Throws IoError with the places that were tried.
std::filesystem::path find_data(const std::string& name, const std::filesystem::path& given);

}  // namespace mct::cli::train
