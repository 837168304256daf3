// What `mct check` computes: an operation in double and with more digits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "mctensor/geometry/model_names.hpp"
#include "mctensor/tensor/tensor.hpp"

namespace mct::cli::check_command {

/// A result in double, and the result of more digits. A row has one count of right digits: it is an
/// element, or a point or vector of geometry.
struct Results {
  Tensor<double> plain;      ///< computed by the library in double, or by another program
  Tensor<double, 2> better;  ///< in f64x2
  Tensor<double> radius;     ///< how far each exact number is at most from `better`
  /// The radius is certain if the stated bounds of operations hold (docs/certified.md). If not, it
  /// is the distance from the result in f64x3, an estimate.
  bool certified = false;
  std::int64_t width = 1;  ///< numbers of a row

  std::int64_t rows() const { return width == 0 ? 0 : plain.numel() / width; }
};

/// How many decimal digits of a row of `plain` are right: -log10 of its error over its size, both
/// of the row's largest number. The error includes the radius. From 0 to most_digits. A row of
/// zeros with an error of at most 64 subnormals also gets most_digits. NaN if nothing is known,
/// because `better` or its radius is not finite.
constexpr double most_digits = 17;
std::vector<double> right_digits(const Results& results);

/// An operation that needs no model: its name, its number of operands, and its results on operands
/// that count as exact.
struct PlainOperation {
  std::string name;
  std::size_t operands;
  Results (*run)(const std::vector<Tensor<double>>&);
};
const std::vector<PlainOperation>& plain_operations();

/// An operation without a model on operands that count as exact. Throws ShapeError for operands
/// that do not fit, DomainError for an unknown name or a wrong number of operands.
Results check_plain(const std::string& operation, const std::vector<Tensor<double>>& operands);
/// An operation of the registry on a model of the radius.
Results check_in_model(const std::string& operation, geometry::Model model, double radius,
                       const std::vector<Tensor<double>>& operands);

/// The operations of a model that are compiled for f64x3.
std::vector<std::string> model_operations(geometry::Model model);

/// A tensor of doubles from a file: .npy of any real type, or text. In text, each line has the same
/// number of decimal numbers between blanks, tabs, commas or semicolons, and # begins a comment. If
/// a line has one number, the tensor is a vector. Throws IoError naming file, line and value.
Tensor<double> read_operand(const std::filesystem::path& path);

}  // namespace mct::cli::check_command
