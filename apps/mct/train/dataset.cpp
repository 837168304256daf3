// Tables of numbers: reading, scaling, splitting.
#include "apps/mct/train/dataset.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <vector>

#include "apps/mct/train/counter_random.hpp"
#include "mctensor/eft/half.hpp"
#include "mctensor/error.hpp"
#include "mctensor/tensor/elementwise.hpp"
#include "mctensor/tensor/indexing.hpp"
#include "mctensor/tensor/reduce.hpp"

namespace mct::cli::train {

namespace fs = std::filesystem;

namespace {

/// The numbers of one line are added to `values`; returns how many.
std::size_t parse_line(const std::string& line, const std::string& place,
                       std::vector<double>& values) {
  std::size_t count = 0;
  for (std::size_t from = 0; from <= line.size();) {
    const std::size_t to = std::min(line.find(',', from), line.size());
    double value = 0;
    const char* const end = line.data() + to;
    const auto [used, error] = std::from_chars(line.data() + from, end, value);
    ++count;
    if (error != std::errc() || used != end || !std::isfinite(value))
      throw IoError(fmt::format("{}: field {}, '{}', is not a number", place, count,
                                line.substr(from, to - from)));
    values.push_back(value);
    from = to + 1;
  }
  return count;
}

/// Beside the program, wherever the installed tree was moved to.
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

Dataset read_csv(const fs::path& path, int skip) {
  std::ifstream file(path);
  if (!file) throw IoError(fmt::format("cannot read '{}': {}", path.string(), strerror(errno)));
  std::vector<double> values;
  std::size_t columns = 0;
  std::int64_t rows = 0;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    if (number <= skip) continue;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    const std::string place = fmt::format("{}:{}", path.string(), number);
    const std::size_t count = parse_line(line, place, values);
    if (rows == 0) columns = count;
    if (count < 2 || count != columns)
      throw IoError(fmt::format("{}: {} fields where {} are needed", place, count,
                                std::max<std::size_t>(columns, 2)));
    if (values.back() < 0 || values.back() != std::floor(values.back()))
      throw IoError(fmt::format("{}: the class {} is not 0, 1, ...", place, values.back()));
    ++rows;
  }
  if (file.bad() || rows == 0) throw IoError(fmt::format("'{}' has no rows", path.string()));
  const auto table = Tensor<double>::from_values(values, {rows, std::int64_t(columns)});
  const auto last = std::int64_t(columns) - 1;
  return {table.narrow(1, 0, last).contiguous(), table.select(1, last).contiguous()};
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
