// The output of the experiments: tables, lines of JSON, plots.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "output/json_numbers.hpp"
#include "output/svg_plot.hpp"

namespace mct::cli::train {

/// Columns of texts as a Markdown table, which is also readable on a terminal: the first column is
/// aligned left, the others right.
std::string table_text(const std::vector<std::string>& header,
                       const std::vector<std::vector<std::string>>& rows);

/// Makes the directory if it does not exist and checks that it can be written to, before the work.
/// Throws IoError.
void prepare_directory(const std::filesystem::path& directory);

/// One JSON value per line, as a whole file or not at all. Numbers that are not finite, which JSON
/// does not have, become the texts "nan", "inf" and "-inf". Throws IoError.
void write_lines(const std::filesystem::path& path, std::vector<nlohmann::json> lines);
using output::number_from;
/// Reads such lines. Throws IoError naming file and line.
std::vector<nlohmann::json> read_lines(const std::filesystem::path& path);
/// Calls read(line) for each line. Throws IoError naming file and line, also for exceptions of
/// `read`: IoError, and nlohmann::json's exceptions for a value that is missing or has another
/// type.
void for_each_line(const std::filesystem::path& path,
                   const std::function<void(nlohmann::json& line)>& read);

/// Writes a plot as an SVG file by itself, with its own colours.
void write_plot(const std::filesystem::path& path, const output::LinePlot& plot);

}  // namespace mct::cli::train
