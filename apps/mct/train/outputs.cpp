// Tables, lines of JSON, plots.
#include "apps/mct/train/outputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "mctensor/base/atomic_file.hpp"
#include "mctensor/base/input_file.hpp"
#include "mctensor/error.hpp"
#include "output/parse_json.hpp"

namespace mct::cli::train {

namespace fs = std::filesystem;

std::string table_text(const std::vector<std::string>& header,
                       const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  widths.reserve(header.size());
  for (const auto& name : header) widths.push_back(std::max<std::size_t>(3, name.size()));
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  const auto line = [&](const std::vector<std::string>& cells) {
    std::string text = "|";
    for (std::size_t i = 0; i < cells.size(); ++i)
      text += i == 0 ? fmt::format(" {:<{}} |", cells[i], widths[i])
                     : fmt::format(" {:>{}} |", cells[i], widths[i]);
    return text + "\n";
  };
  std::string text = line(header) + "|";
  for (std::size_t i = 0; i < widths.size(); ++i)
    text += std::string(widths[i] + (i == 0 ? 2 : 1), '-') + (i == 0 ? "|" : ":|");
  text += "\n";
  for (const auto& row : rows) text += line(row);
  return text;
}

void prepare_directory(const fs::path& directory) {
  mct::make_directory(directory);
  const fs::path file = directory / "writable";
  mct::remove_abandoned_files(file);  // from a run that was killed in the next line
  mct::check_writable(file);
}

void write_lines(const fs::path& path, std::vector<nlohmann::json> lines) {
  std::string text;
  for (auto& line : lines) {
    output::name_nonfinite(line);
    text += line.dump() + "\n";
  }
  mct::write_file_atomically(path, text);
}

std::vector<nlohmann::json> read_lines(const fs::path& path) {
  constexpr std::uint64_t most_bytes = std::uint64_t(1) << 30;
  const std::string text = InputFile(path).content(most_bytes);
  std::vector<nlohmann::json> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.emplace_back(output::parse_json(std::string_view(text).substr(at, end - at),
                                          fmt::format("{}:{}", path.string(), lines.size() + 1)));
    at = end + 1;
  }
  return lines;
}

void for_each_line(const fs::path& path, const std::function<void(nlohmann::json&)>& read) {
  std::size_t number = 0;
  const auto fail = [&](const std::string& what) {
    throw IoError(fmt::format("{}:{}: {}", path.string(), number, what));
  };
  for (nlohmann::json& line : read_lines(path)) {
    ++number;
    try {
      read(line);
    } catch (const IoError& error) {
      fail(error.what());
    } catch (const nlohmann::json::exception& error) {
      fail(output::words_of(error));
    }
  }
}

void write_plot(const fs::path& path, const output::LinePlot& plot) {
  mct::write_file_atomically(path, output::svg_text(plot) + "\n");
}

}  // namespace mct::cli::train
