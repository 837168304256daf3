// Tables, lines of JSON, plots.
#include "apps/mct/train/outputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "mctensor/base/atomic_file.hpp"
#include "mctensor/error.hpp"

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
  mct::check_writable(directory / "writable");
}

void write_lines(const fs::path& path, const std::vector<nlohmann::json>& lines) {
  std::string text;
  for (const auto& line : lines) text += line.dump() + "\n";
  mct::write_file_atomically(path, text);
}

std::vector<nlohmann::json> read_lines(const fs::path& path) {
  std::ifstream file(path);
  if (!file) throw IoError(fmt::format("cannot read '{}'", path.string()));
  std::vector<nlohmann::json> lines;
  std::string text;
  for (int number = 1; std::getline(file, text); ++number) {
    try {
      lines.push_back(nlohmann::json::parse(text));
    } catch (const nlohmann::json::exception& error) {
      throw IoError(fmt::format("{}:{}: {}", path.string(), number, error.what()));
    }
  }
  return lines;
}

void write_plot(const fs::path& path, const validation::LinePlot& plot) {
  mct::write_file_atomically(path, validation::svg_text(plot) + "\n");
}

}  // namespace mct::cli::train
