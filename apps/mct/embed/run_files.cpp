// The files of a run.
#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <type_traits>

#include "apps/mct/embed/run.hpp"
#include "apps/mct/train/outputs.hpp"
#include "mctensor/error.hpp"

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

RunDirectory RunFiles::run_directory() const {
  RunDirectory run{directory_, {log_name, checkpoint_name}, {}};
  run.files.insert(run.files.end(), std::begin(result_file::all), std::end(result_file::all));
  // more epochs are what a run is resumed for
  run.may_differ = {"epochs", "patience", "evaluate-every"};
  return run;
}

void RunFiles::complete(EmbedSettings& settings) const {
  const nlohmann::ordered_json found = run_directory().description();
  const auto take = [&](const char* name, auto& value, const char* what, auto is_one) {
    if (value || !found.is_object() || !found.contains(name)) return;
    if (!is_one(found[name]))
      throw IoError(fmt::format("'{}': its {} is {}, no {}", (directory_ / "run.json").string(),
                                name, found[name].dump(), what));
    value = found[name].get<typename std::decay_t<decltype(value)>::value_type>();
  };
  const auto is_count = [](const auto& x) { return x.is_number_unsigned() && x <= 1'000'000'000; };
  const auto is_number = [](const auto& x) { return x.is_number(); };
  take("epochs", settings.epochs, "number of epochs", is_count);
  take("burn-in", settings.burn_in, "number of epochs", is_count);
  take("cool-down", settings.cool_down, "number of epochs", is_count);
  take("lr", settings.lr, "number", is_number);
  take("lr-peak", settings.lr_peak, "number", is_number);
  take("sharpness", settings.sharpness, "number", is_number);
}

void RunFiles::open(const nlohmann::ordered_json& description, bool resume) {
  lock_ = run_directory().open(description, resume);
}

void RunFiles::describe(const nlohmann::ordered_json& description) const {
  run_directory().describe(description);
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
  const std::int64_t begun = trainer.epochs() + (trainer.batches() > 0 ? 1 : 0);
  if (begun > trainer.options().epochs)
    throw DomainError(fmt::format("'{}' has begun epoch {} already: --epochs {} is too few",
                                  directory_.string(), begun, trainer.options().epochs));
  const fs::path file = directory_ / log_name;
  rows.clear();
  train::for_each_line(file, [&](const nlohmann::json& line) {
    rows.push_back(row_from(line));
    if (rows.back().epoch > trainer.epochs()) rows.pop_back();
  });
  if (std::int64_t(rows.size()) != trainer.epochs())
    throw IoError(fmt::format("'{}' has {} epochs, the checkpoint beside it {}", file.string(),
                              rows.size(), trainer.epochs()));
  return true;
}

}  // namespace mct::cli
