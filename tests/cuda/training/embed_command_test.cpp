// `mct embed --device cuda` on a simulated GPU: the files of a run on the CPU, byte for byte.
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "apps/mct/command.hpp"
#include "apps/mct/device_option.hpp"
#include "mctensor/base/input_file.hpp"
#include "mctensor/error.hpp"
#include "tests/cuda/simulator/device.hpp"
#include "tests/message_of.hpp"
#include "tests/temporary_directory.hpp"

namespace mct::cuda::embed_command {

using Words = std::vector<std::string>;

/// The exit code of `mct embed` with these words; throws what main() would print.
int mct_embed(const Words& words) {
  int exit_code = -1;
  CLI::App app("", "mct");
  cli::add_commands(app, exit_code);
  Words all = words;
  all.insert(all.begin(), "embed");
  std::reverse(all.begin(), all.end());
  app.parse(std::move(all));
  return exit_code;
}

class EmbedCommand : public ::testing::Test {
 protected:
  EmbedCommand() {
    std::ofstream list(edges());
    for (int v = 1; v < 24; ++v) list << 'n' << v << "\tn" << v / 2 << '\n';
    simulated_how() = {5};
    take_simulated_log();
  }

  std::string edges() const { return (directory_ / "edges.tsv").string(); }
  std::string out(const std::string& name) const { return (directory_ / name).string(); }
  /// A short training, with the words after it.
  int train(const std::string& to, const Words& more) const {
    Words words{edges(), "-o", out(to), "--batch", "40", "--burn-in", "1"};
    words.insert(words.end(), more.begin(), more.end());
    return mct_embed(words);
  }
  void expect_same_file(const std::string& a, const std::string& b, const char* name) const {
    const std::filesystem::path one = directory_ / a / name;
    const std::filesystem::path other = directory_ / b / name;
    ASSERT_EQ(std::filesystem::exists(one), std::filesystem::exists(other)) << name;
    if (!std::filesystem::exists(one)) return;
    const InputFile first(one);
    const InputFile second(other);
    EXPECT_TRUE(first.content() == second.content()) << name << " of " << a << " and " << b;
  }
  void expect_same_run(const std::string& a, const std::string& b) const {
    for (const char* name :
         {"run.json", "log.jsonl", "checkpoint.safetensors", "embedding.safetensors", "points.npy",
          "names.txt", "points.tsv", "metrics.json", "disk.svg"})
      expect_same_file(a, b, name);
  }
  static bool has_run_there() {
    for (const auto& line : take_simulated_log())
      if (line.starts_with("graph")) return true;
    return false;
  }

 private:
  testing::TemporaryDirectory directory_;
};

TEST_F(EmbedCommand, LeavesTheFilesOfTheCpu) {
  const Words how{"--epochs",    "4",     "--evaluate-every", "2",
                  "--optimizer", "radam", "--negatives",      "9"};
  EXPECT_EQ(train("cpu", how), 0);
  EXPECT_FALSE(has_run_there());
  Words there = how;
  there.insert(there.end(), {"--device", "cuda"});
  EXPECT_EQ(train("cuda", there), 0);
  EXPECT_TRUE(has_run_there());
  expect_same_run("cpu", "cuda");
  // what a run was does not say where, so one that began here goes on there
  EXPECT_EQ(train("mixed", {"--epochs", "2", "--evaluate-every", "2", "--optimizer", "radam",
                            "--negatives", "9"}),
            0);
  there.push_back("--resume");
  EXPECT_EQ(train("mixed", there), 0);
  EXPECT_TRUE(has_run_there());
  for (const char* name : {"log.jsonl", "checkpoint.safetensors", "points.npy"})
    expect_same_file("cpu", "mixed", name);
}

TEST_F(EmbedCommand, TrainsInTheModelsThatADeviceHas) {
  for (const char* model : {"ball", "lorentz", "mc-half-space"}) {
    const std::string here = std::string(model) + "_cpu";
    const std::string there = std::string(model) + "_cuda";
    const Words how{"--model", model, "--epochs", "1", "--negatives", "9"};
    EXPECT_EQ(train(here, how), 0);
    Words with_device = how;
    with_device.insert(with_device.end(), {"--device", "cuda"});
    EXPECT_EQ(train(there, with_device), 0);
    EXPECT_TRUE(has_run_there());
    expect_same_run(here, there);
  }
}

TEST_F(EmbedCommand, RefusesWhatADeviceHasNoStepsFor) {
  const auto refusal = [&](const Words& words) {
    Words all = words;
    all.insert(all.end(), {"--device", "cuda"});
    return testing::message_of<DomainError>([&] { train("refused", all); });
  };
  const auto expect = [&](const Words& words, const std::string& what) {
    EXPECT_EQ(refusal(words), "--device cuda: training on a device: " + what);
    EXPECT_FALSE(std::filesystem::exists(out("refused"))) << what;
  };
  expect({"--model", "l-tiling"},
         "model l-tiling; there is ball, lorentz, half-space, xmc-half-space, mc-half-space");
  expect({"--model", "ball", "--components", "2"}, "components 2 of ball; there is 1");
  expect({"--dtype", "float32"}, "dtype float32; there is float64");
  expect({"--dim", "7"}, "dimensions 7 of xmc-half-space in 2 components; there is 2, 5, 10");
  expect({"--factors", "3"}, "factors 3; there is 1");
  expect({"--negatives", "100"}, "negatives 100; there is room for 63");
}

TEST_F(EmbedCommand, TakesTheDeviceFromAConfiguration) {
  std::ofstream(out("config.json")) << R"({"device": "cuda", "epochs": 1, "negatives": 5})";
  EXPECT_EQ(train("configured", {"--config", out("config.json")}), 0);
  EXPECT_TRUE(has_run_there());
}

TEST(DeviceOption, SaysWhyACommandHasNoUseForADevice) {
  const auto refusal = [](const char* device) {
    CLI::App app("", "mct");
    cli::add_device_option(app, cli::models_are_on_the_cpu);
    return testing::message_of<Error>([&] { app.parse(Words{device, "--device"}); });
  };
  EXPECT_EQ(refusal("cpu"), "");
  EXPECT_EQ(refusal("cuda"), std::string("--device cuda: ") + cli::models_are_on_the_cpu);
  EXPECT_EQ(refusal("tpu"), "--device tpu is neither cpu nor cuda");
}

}  // namespace mct::cuda::embed_command
