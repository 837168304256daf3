// The output of the experiments: tables, lines of JSON, plots.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "output/json_numbers.hpp"
#include "output/svg_plot.hpp"

namespace mct::cli::train {

/// Columns of texts as a Markdown table, which also reads well on a terminal: the first column to
/// the left, the others to the right.
std::string table_text(const std::vector<std::string>& header,
                       const std::vector<std::vector<std::string>>& rows);

/// Makes the directory if it is not there and finds out whether it can be written to: before the
/// work. Throws IoError.
void prepare_directory(const std::filesystem::path& directory);

/// One JSON value per line, as a whole file or not at all. Numbers that are not finite, which JSON
/// does not have, become the texts "nan", "inf" and "-inf". Throws IoError.
void write_lines(const std::filesystem::path& path, std::vector<nlohmann::json> lines);
using output::number_from;
/// Reads them. Throws IoError naming file and line.
std::vector<nlohmann::json> read_lines(const std::filesystem::path& path);
/// Calls read(line) for each of them. Throws IoError naming file and line, also for what `read`
/// throws: IoError, and nlohmann::json's exceptions for what is missing or of another type.
void for_each_line(const std::filesystem::path& path,
                   const std::function<void(nlohmann::json& line)>& read);

/// A plot as an SVG file of its own, with colours of its own.
void write_plot(const std::filesystem::path& path, const output::LinePlot& plot);

}  // namespace mct::cli::train
