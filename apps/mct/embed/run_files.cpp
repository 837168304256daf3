// The files of a run.
#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>

#include "apps/mct/embed/run.hpp"
#include "apps/mct/embed/run_directory.hpp"
#include "apps/mct/train/outputs.hpp"
#include "mctensor/error.hpp"
#include "validation/files/parse_json.hpp"

namespace mct::cli {

namespace fs = std::filesystem;

namespace {

constexpr const char* log_name = "log.jsonl";
constexpr const char* checkpoint_name = "checkpoint.safetensors";

nlohmann::json to_json(const EpochRow& row) {
  nlohmann::json json{
      {"epoch", row.epoch}, {"loss", row.loss}, {"radius", row.radius}, {"stayed", row.stayed}};
  if (row.map) json["map"] = *row.map;
  if (row.mean_rank) json["mean_rank"] = *row.mean_rank;
  return json;
}

EpochRow row_from(const nlohmann::json& json) {
  EpochRow row;
  row.epoch = json.at("epoch");
  row.loss = train::number_from(json.at("loss"));
  row.radius = train::number_from(json.at("radius"));
  row.stayed = json.at("stayed");
  if (json.contains("map")) row.map = train::number_from(json.at("map"));
  if (json.contains("mean_rank")) row.mean_rank = train::number_from(json.at("mean_rank"));
  return row;
}

}  // namespace

void RunFiles::open(const nlohmann::ordered_json& description, bool resume) const {
  RunDirectory run{directory_, {log_name, checkpoint_name}, checkpoint_name, {}};
  run.files.insert(run.files.end(), std::begin(result_file::all), std::end(result_file::all));
  // more epochs are what a run is resumed for
  run.may_differ = {"epochs", "patience", "evaluate-every"};
  run.open(description, resume);
}

void RunFiles::save(const embed::Trainer& trainer, const std::vector<EpochRow>& rows) const {
  std::vector<nlohmann::json> lines;
  lines.reserve(rows.size());
  for (const auto& row : rows) lines.push_back(to_json(row));
  train::write_lines(directory_ / log_name, std::move(lines));
  trainer.save(directory_ / checkpoint_name);
}

bool RunFiles::load(embed::Trainer& trainer, std::vector<EpochRow>& rows) const {
  if (!fs::exists(directory_ / checkpoint_name)) return false;
  trainer.load(directory_ / checkpoint_name);
  const fs::path file = directory_ / log_name;
  rows.clear();
  for (const auto& line : train::read_lines(file)) {
    try {
      rows.push_back(row_from(line));
    } catch (const nlohmann::json::exception& error) {
      throw IoError(
          fmt::format("{}:{}: {}", file.string(), rows.size() + 1, validation::words_of(error)));
    }
    if (rows.back().epoch > trainer.epochs()) rows.pop_back();
  }
  if (std::int64_t(rows.size()) != trainer.epochs())
    throw IoError(fmt::format("'{}' has {} epochs, the checkpoint beside it {}", file.string(),
                              rows.size(), trainer.epochs()));
  return true;
}

}  // namespace mct::cli
