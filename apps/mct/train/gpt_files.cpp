// The files of a GPT run.
#include "apps/mct/train/gpt_files.hpp"

#include <fmt/format.h>

#include <utility>

#include "apps/mct/train/outputs.hpp"
#include "mctensor/error.hpp"

namespace mct::cli::train {

namespace fs = std::filesystem;

namespace {

constexpr const char* rows_name = "metrics.jsonl";
constexpr const char* checkpoint_name = "checkpoint.safetensors";
constexpr const char* weights_name = "weights.safetensors";
constexpr const char* seconds_name = "seconds.json";

nlohmann::json to_json(const GptRow& row) {
  nlohmann::json json{{"step", row.step},
                      {"train_loss", row.train_loss},
                      {"lost_percent", row.lost},
                      {"lost_v_percent", row.lost_v},
                      {"relative_descent_quality", row.descent_quality}};
  if (row.validation_loss) json["validation_loss"] = *row.validation_loss;
  return json;
}

GptRow row_from(const nlohmann::json& json) {
  GptRow row;
  if (!json.at("step").is_number_integer()) throw IoError("the step is not a whole number");
  row.step = json.at("step");
  row.train_loss = number_from(json.at("train_loss"));
  row.lost = number_from(json.at("lost_percent"));
  row.lost_v = number_from(json.at("lost_v_percent"));
  row.descent_quality = number_from(json.at("relative_descent_quality"));
  const auto validation_loss = json.find("validation_loss");
  if (validation_loss != json.end()) row.validation_loss = number_from(*validation_loss);
  return row;
}

}  // namespace

nlohmann::json describe_run(const Corpus& corpus, const StrategyArm& arm,
                            const GptOptions& options) {
  nlohmann::json json{{"strategy", arm.name},
                      {"text_hash", corpus.hash},
                      {"vocabulary", corpus.vocabulary},
                      {"context", options.shape.context},
                      {"width", options.shape.width},
                      {"heads", options.shape.heads},
                      {"layers", options.shape.layers},
                      {"bfloat16_products", options.shape.bfloat16_products},
                      {"attention", attention::name_of(options.shape.comparison)},
                      {"steps", options.steps},
                      {"batch", options.batch},
                      {"warmup", options.warmup},
                      {"validation_sequences", options.validation_sequences},
                      {"lr", options.lr},
                      {"beta2", options.beta2},
                      {"weight_decay", options.weight_decay},
                      {"clip", options.clip},
                      {"seed", options.seed},
                      {"bfloat16_model", options.bfloat16_model},
                      {"bfloat16_units", options.bfloat16_units},
                      {"release", options.release},
                      {"row_every", options.row_every},
                      {"rows_per_checkpoint", options.rows_per_checkpoint}};
  // options that are newer than the format are only written if they change the run
  const attention::Start start = options.shape.start;
  if (start.gamma != 1) json["start_gamma"] = start.gamma;
  if (start.radius != 1) json["start_radius"] = start.radius;
  if (options.micro_batch > 0) json["micro_batch"] = options.micro_batch;
  if (options.compressed_gradients) {
    json["compressed_gradients"] = true;
    json["processes"] = options.processes;
  }
  return json;
}

DirectoryLock open_run(const fs::path& directory, const nlohmann::json& description, bool resume) {
  const RunDirectory run{
      directory, {rows_name, checkpoint_name, weights_name, seconds_name}, {}, "--out"};
  return run.open(description, resume);
}

void save_rows(const fs::path& directory, const std::vector<GptRow>& rows, double seconds) {
  std::vector<nlohmann::json> lines;
  lines.reserve(rows.size());
  for (const auto& row : rows) lines.push_back(to_json(row));
  write_lines(directory / rows_name, std::move(lines));
  save_seconds(directory, seconds);
}

fs::path checkpoint_file(const fs::path& directory) { return directory / checkpoint_name; }

template <class T>
void save_checkpoint(const fs::path& directory, const std::vector<GptRow>& rows, double seconds,
                     const optim::McAdamW<bfloat16, T>& optimizer) {
  save_rows(directory, rows, seconds);
  optimizer.save(checkpoint_file(directory));
}

void save_seconds(const fs::path& directory, double seconds) {
  write_lines(directory / seconds_name, {nlohmann::json{{"seconds", seconds}}});
}

double load_seconds(const fs::path& directory) {
  const fs::path file = directory / seconds_name;
  if (!fs::exists(file)) return 0;  // the run began before this file was introduced
  const auto found = read_lines(file);
  if (found.size() == 1 && found[0].is_object()) {
    const auto seconds = found[0].find("seconds");
    if (seconds != found[0].end() && seconds->is_number() && seconds->get<double>() >= 0)
      return *seconds;
  }
  throw IoError(fmt::format("'{}' does not say how many seconds a run took", file.string()));
}

template <class T>
bool load_checkpoint(const fs::path& directory, optim::McAdamW<bfloat16, T>& optimizer) {
  const fs::path file = directory / checkpoint_name;
  if (!fs::exists(file)) return false;
  optimizer.load(file);
  return true;
}

std::vector<GptRow> load_rows(const fs::path& directory, std::int64_t last_step) {
  const fs::path file = directory / rows_name;
  std::vector<GptRow> rows;
  for_each_line(file, [&](const nlohmann::json& line) {
    rows.push_back(row_from(line));
    if (rows.back().step > last_step) rows.pop_back();
  });
  if (rows.empty() || rows.back().step != last_step)
    throw IoError(fmt::format("'{}' has no row of step {}, at which the checkpoint was written",
                              file.string(), last_step));
  return rows;
}

template <class T>
void save_weights(const fs::path& directory, const Gpt<T>& model) {
  nn::save_safetensors(model, directory / weights_name);
}

#define MCT_INSTANTIATE(T)                                                           \
  template void save_checkpoint(const fs::path&, const std::vector<GptRow>&, double, \
                                const optim::McAdamW<bfloat16, T>&);                 \
  template bool load_checkpoint(const fs::path&, optim::McAdamW<bfloat16, T>&);      \
  template void save_weights(const fs::path&, const Gpt<T>&);
MCT_INSTANTIATE(float)
MCT_INSTANTIATE(bfloat16)

}  // namespace mct::cli::train
