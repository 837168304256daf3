// Experiments of many runs that are stopped and go on.
#include "apps/mct/train/finished_runs.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "apps/mct/train/outputs.hpp"
#include "mctensor/error.hpp"
#include "tests/files.hpp"
#include "tests/message_of.hpp"

namespace mct::cli::train {
namespace {

using mct::testing::message_of;
using nlohmann::json;

constexpr const char* file = "runs.jsonl";
const json settings = {{"steps", 100}, {"lr", 0.1}};

TEST(FinishedRuns, AreNotRepeated) {
  const mct::testing::TemporaryDirectory folder;
  const auto out = folder.path() / "new";
  int made = 0;
  const auto result = [&] {
    ++made;
    return json{{"loss", 1.0 / (2 + made)}, {"rate", std::numeric_limits<double>::quiet_NaN()}};
  };
  json first;
  {
    FinishedRuns runs(out, file, settings, false);
    first = runs.get({{"seed", 1}, {"beta2", 0.95}}, result);
    runs.get({{"seed", 2}, {"beta2", 0.95}}, result);
    EXPECT_EQ(read_lines(out / file).size(), 2U);  // as soon as they end
  }
  FinishedRuns runs(out, file, settings, true);
  const json again = runs.get({{"seed", 1}, {"beta2", 0.95}}, result);
  EXPECT_EQ(made, 2);
  EXPECT_EQ(again.at("loss"), first.at("loss"));
  EXPECT_TRUE(std::isnan(number_from(again.at("rate"))));
  runs.get({{"seed", 1}, {"beta2", 0.999}}, result);
  EXPECT_EQ(made, 3);
  EXPECT_EQ(read_lines(out / file).size(), 3U);
  FinishedRuns(out, file, settings, false).get({{"seed", 7}}, result);  // begins anew
  EXPECT_EQ(read_lines(out / file).size(), 1U);
}

TEST(FinishedRuns, OfOtherSettingsAreRefused) {
  const mct::testing::TemporaryDirectory folder;
  const auto result = [] { return json{{"loss", 1}}; };
  FinishedRuns(folder.path(), file, settings, true).get({{"seed", 1}}, result);
  EXPECT_EQ(
      message_of<DomainError>([&] {
        FinishedRuns(folder.path(), file, {{"steps", 200}, {"lr", 0.1}}, true);
      }),
      "'" + (folder.path() / file).string() + "' has runs of other settings: steps 100, not 200");
  // written by a version that had none
  write_lines(folder.path() / file, {{{"seed", 1}, {"loss", 1}}});
  EXPECT_THROW(FinishedRuns(folder.path(), file, settings, true), DomainError);
  write_lines(folder.path() / file, {json(3)});
  EXPECT_THROW(FinishedRuns(folder.path(), file, settings, true), DomainError);
}

TEST(FinishedRuns, AreKeptNowhereWithoutADirectory) {
  FinishedRuns runs({}, file, settings, false);
  EXPECT_EQ(runs.get({{"seed", 1}}, [] { return json{{"loss", 2}}; }).at("loss"), 2);
}

}  // namespace
}  // namespace mct::cli::train
