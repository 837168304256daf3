// Reads an operand of `mct check`.
#include <fmt/format.h>

#include "apps/mct/check_results.hpp"
#include "mctensor/base/input_file.hpp"
#include "mctensor/base/number_in.hpp"
#include "mctensor/base/text_lines.hpp"
#include "mctensor/error.hpp"
#include "mctensor/tensor/npy.hpp"

namespace mct::cli::check_command {

Tensor<double> read_operand(const std::filesystem::path& path) {
  if (path.extension() == ".npy") {
    const InputFile file(path);
    return npy_numbers(file.content(), file.name());
  }
  TextLines lines(path);
  std::vector<double> values;
  std::int64_t rows = 0;
  std::size_t columns = 0;
  for (std::string_view line; lines.next(line);) {
    const auto words = words_of(line.substr(0, line.find('#')), " \t\r,;");
    if (words.empty()) continue;
    const auto place = [&] { return fmt::format("'{}', line {}", path.string(), lines.number()); };
    if (rows++ == 0) columns = words.size();
    if (words.size() != columns)
      throw IoError(fmt::format("{}: {} numbers where the lines before have {}", place(),
                                words.size(), columns));
    for (const std::string_view word : words) {
      const auto value = number_in<double>(word);
      if (!value)
        throw IoError(
            fmt::format("{}: {} is not a number that a double holds", place(), shortened(word)));
      values.push_back(*value);
    }
  }
  if (rows == 0) throw IoError(fmt::format("'{}' has no numbers", path.string()));
  if (columns == 1) return Tensor<double>::from_values(values);
  return Tensor<double>::from_values(values, {rows, std::int64_t(columns)});
}

}  // namespace mct::cli::check_command
