// What a directory of `mct train gpt` says of its run: run.json, metrics.jsonl and seconds.json.
#include <string>

#include "apps/mct/train/gpt_files.hpp"
#include "fuzz/target.hpp"
#include "mctensor/error.hpp"

namespace mct::fuzz {
namespace {

using namespace mct::cli::train;  // NOLINT(google-build-using-namespace)

constexpr std::int64_t last_step = 2;

nlohmann::json description() {
  Corpus corpus;
  corpus.hash = 0x0123456789abcdef;
  corpus.vocabulary = 40;
  StrategyArm arm;
  arm.name = "light";
  return describe_run(corpus, arm, {});
}

void read_rows(const std::filesystem::path& directory) {
  try {
    const auto rows = load_rows(directory, last_step);
    require(!rows.empty() && rows.back().step == last_step, "the rows end at the step");
  } catch (const IoError&) {
    return;
  }
}

void read_seconds(const std::filesystem::path& directory) {
  try {
    require(load_seconds(directory) >= 0, "seconds are not negative");
  } catch (const IoError&) {
    return;
  }
}

}  // namespace

void write_seeds(const std::filesystem::path& directory) {
  const SeedWriter write{directory};
  write("description", description().dump() + '\n');
  write("rows", R"({"step":1,"train_loss":3.5,"lost_percent":0.5,"lost_v_percent":0,)"
                R"("relative_descent_quality":1})"
                "\n"
                R"({"step":2,"train_loss":3.25,"lost_percent":0.5,"lost_v_percent":0,)"
                R"("relative_descent_quality":0.99,"validation_loss":3.5})"
                "\n");
  write("other_type", R"({"step":"2","train_loss":null})");
  write("not_finite", R"({"step":2,"train_loss":"nan","lost_percent":"inf",)"
                      R"("lost_v_percent":"-inf","relative_descent_quality":1})"
                      "\n");
  write("seconds", R"({"seconds":12.5})"
                   "\n");
  write("nested", "[[[[{\"step\":[]}]]]]");
}

}  // namespace mct::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace mct;  // NOLINT(google-build-using-namespace)
  static const auto run = fuzz::description();
  const auto directory = fuzz::as_file("run.json", data, size).parent_path();
  (void)fuzz::as_file("metrics.jsonl", data, size);
  (void)fuzz::as_file("seconds.json", data, size);
  try {
    cli::train::open_run(directory, run, true);
  } catch (const Error&) {
    // of a file that describes no run, or another one
  }
  fuzz::read_rows(directory);
  fuzz::read_seconds(directory);
  return 0;
}
