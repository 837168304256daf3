// Tables of numbers: reading, scaling, splitting.
#include "apps/mct/train/dataset.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include "apps/mct/train/counter_random.hpp"
#include "mctensor/base/number_in.hpp"
#include "mctensor/base/text_lines.hpp"
#include "mctensor/eft/half.hpp"
#include "mctensor/error.hpp"
#include "mctensor/tensor/elementwise.hpp"
#include "mctensor/tensor/indexing.hpp"
#include "mctensor/tensor/reduce.hpp"

namespace mct::cli::train {

namespace fs = std::filesystem;

namespace {

constexpr double largest_feature = 1e100;
constexpr std::int64_t fewest_rows = 5;

/// Adds the numbers of one line to `values`; returns their count.
std::size_t parse_line(std::string_view line, const std::string& place,
                       std::vector<double>& values) {
  std::size_t count = 0;
  for (std::size_t from = 0; from <= line.size();) {
    const std::size_t to = std::min(line.find(',', from), line.size());
    const std::string_view field = line.substr(from, to - from);
    const std::optional<double> value = number_in<double>(field);
    ++count;
    if (!value || !(std::abs(*value) <= largest_feature))
      throw IoError(fmt::format("{}: field {}, '{}', is not a number from -{:g} to {:g}", place,
                                count, field, largest_feature, largest_feature));
    values.push_back(*value);
    from = to + 1;
  }
  return count;
}

/// The data beside the program, even if the installed tree was moved.
fs::path installed_data() {
  std::error_code unknown;
  const fs::path program = fs::read_symlink("/proc/self/exe", unknown);
  return (program.parent_path() / MCT_DATA_FROM_PROGRAM).lexically_normal();
}

Dataset take(const Dataset& data, const std::vector<std::int64_t>& rows) {
  const auto index = Tensor<std::int64_t>::from_values(rows);
  return {index_select(data.features, 0, index), index_select(data.targets, 0, index)};
}

}  // namespace

Dataset read_csv(const fs::path& path, const TableShape& shape) {
  const auto columns = std::size_t(shape.features) + 1;
  std::vector<double> values;
  std::int64_t rows = 0;
  TextLines lines(path);
  for (std::string_view line; lines.next(line);) {
    if (int(lines.number()) <= shape.skip) continue;
    const std::string place = fmt::format("{}:{}", path.string(), lines.number());
    const std::size_t count = parse_line(line, place, values);
    if (count != columns)
      throw IoError(fmt::format("{}: {} fields where {} are needed", place, count, columns));
    const double label = values.back();
    if (!(label >= 0 && label < shape.classes) || label != std::floor(label))
      throw IoError(fmt::format("{}: the class {:g} is not one of 0, 1 ... {}", place, label,
                                shape.classes - 1));
    ++rows;
  }
  if (rows < fewest_rows)
    throw IoError(
        fmt::format("'{}' has {} rows; at least {} are needed", path.string(), rows, fewest_rows));
  const auto table = Tensor<double>::from_values(values, {rows, std::int64_t(columns)});
  return {table.narrow(1, 0, shape.features).contiguous(),
          table.select(1, shape.features).contiguous()};
}

Split split(const Dataset& data, double share, std::uint64_t seed) {
  const auto order = permutation(data.rows(), seed, 0);
  const auto cut = order.begin() + std::int64_t(std::llround(share * double(data.rows())));
  return {take(data, {order.begin(), cut}), take(data, {cut, order.end()})};
}

Split standardized(const Split& data) {
  const auto& x = data.train.features;
  const auto centre = mean(x, {0}, true);
  const auto deviation = sqrt(mean(square(x - centre), {0}, true));
  // a constant feature becomes zero
  const auto scale = where(deviation > 0.0, deviation, 1.0);
  return {{(x - centre) / scale, data.train.targets},
          {(data.test.features - centre) / scale, data.test.targets}};
}

Tensor<double> short_numbers(const Tensor<double>& x) {
  auto result = x.contiguous().clone();
  double* const values = result.data();
  for (std::int64_t i = 0; i < result.numel(); ++i)
    values[i] = double(half(double(bfloat16(values[i]))));
  return result;
}

fs::path find_data(const std::string& name, const fs::path& given) {
  std::vector<fs::path> places{given};
  if (given.empty()) places = {installed_data(), MCT_SOURCE_DATA_DIR};
  std::string tried;
  for (const auto& place : places) {
    std::error_code ignored;
    if (fs::is_regular_file(place / name, ignored)) return place / name;
    tried += (tried.empty() ? "'" : ", '") + place.string() + "'";
  }
  throw IoError(fmt::format("no file '{}' in {} (--data DIR names another place)", name, tried));
}

}  // namespace mct::cli::train
