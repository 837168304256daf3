// The suite's JSON, and files that are whole or absent.
#include <gtest/gtest.h>

#include <cmath>

#include "mctensor/base/atomic_file.hpp"
#include "output/json_numbers.hpp"
#include "output/parse_json.hpp"
#include "tests/files.hpp"
#include "tests/validation/report_samples.hpp"
#include "validation/report/html_report.hpp"
#include "validation/report/json.hpp"

namespace mct::validation {
namespace {

namespace fs = std::filesystem;
using mct::testing::contains;
using mct::testing::content_of;
using mct::testing::FileSizeLimit;
using mct::testing::io_error_of;
using mct::testing::sample_results;
using output::number_from;
using output::parse_json;
using ReportFilesTest = mct::testing::FileTest;

using Json = nlohmann::ordered_json;

void expect_same(const Json& json, double wanted) {
  const double found = number_from(json);
  EXPECT_TRUE((std::isnan(found) && std::isnan(wanted)) || found == wanted) << json << wanted;
}

void expect_same(const Json& json, const ErrorStatistics& wanted) {
  EXPECT_EQ(json.at("cases"), wanted.cases);
  expect_same(json.at("max_error"), wanted.max_error);
  expect_same(json.at("sum_error"), wanted.sum_error);
  expect_same(json.at("mean_error"), wanted.mean());
}

/// Of the elements of two lists, one by one.
template <class T, class Check>
void expect_each(const Json& list, const std::vector<T>& wanted, const Check& check) {
  ASSERT_EQ(list.size(), wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) check(list[i], wanted[i]);
}

void expect_same(const Json& json, const OperationResult& wanted) {
  EXPECT_EQ(json.at("operation"), wanted.operation);
  EXPECT_EQ(json.at("type"), wanted.type);
  EXPECT_EQ(json.at("components"), wanted.components);
  EXPECT_EQ(json.at("precision"), wanted.precision);
  EXPECT_EQ(json.at("bound"), wanted.bound);
  EXPECT_EQ(json.at("bound_text"), wanted.bound_text);
  EXPECT_EQ(json.at("passed"), wanted.passed());
  expect_same(json.at("errors"), wanted.errors);
  EXPECT_EQ(json.at("worst_replay"), wanted.worst_replay);
  EXPECT_EQ(json.at("violation_count"), wanted.violation_count);
  expect_each(json.at("categories"), wanted.categories, [](const Json& a, const auto& b) {
    EXPECT_EQ(a.at("name"), b.name);
    expect_same(a.at("errors"), b.errors);
  });
  expect_each(json.at("by_exponent"), wanted.by_exponent, [](const Json& a, const auto& b) {
    EXPECT_EQ(a.at("exponent"), b.exponent);
    EXPECT_EQ(a.at("width"), b.width);
    expect_same(a.at("errors"), b.errors);
  });
  expect_each(json.at("violations"), wanted.violations, [](const Json& a, const auto& b) {
    EXPECT_EQ(a.at("replay"), b.replay);
    EXPECT_EQ(a.at("what"), b.what);
    expect_same(a.at("error"), b.error);
  });
}

TEST_F(ReportFilesTest, JsonHasEveryField) {
  Results results = sample_results();
  results.cpu = "A\tCPU \\ with \x01 control and \xC3\xA4";
  results.seconds = 0.1 + 0.2;  // 17 digits are needed
  results.operations[0].errors.max_error = std::nextafter(2.25, 3);
  results.operations[0].errors.sum_error = 5e-324;
  write_json(results, directory_ / "results.json");
  const Json json = parse_json(content_of(directory_ / "results.json"), "results.json");
  EXPECT_EQ(json.at("format"), "mctensor validation");
  EXPECT_EQ(json.at("format_version"), 2);
  EXPECT_EQ(json.at("passed"), false);
  EXPECT_EQ(json.at("seed"), results.seed);
  EXPECT_EQ(json.at("requested_cases"), results.requested_cases);
  EXPECT_EQ(json.at("checked_cases"), results.checked_cases);
  EXPECT_EQ(json.at("threads"), results.threads);
  EXPECT_EQ(json.at("seconds"), results.seconds);
  EXPECT_EQ(json.at("version"), results.version);
  EXPECT_EQ(json.at("compiler"), results.compiler);
  EXPECT_EQ(json.at("cpu"), results.cpu);
  EXPECT_EQ(json.at("filter"), results.filter);
  expect_each(json.at("operations"), results.operations,
              [](const Json& a, const auto& b) { expect_same(a, b); });
  expect_each(json.at("peers"), results.peers, [](const Json& a, const auto& b) {
    EXPECT_EQ(a.at("operation"), b.operation);
    EXPECT_EQ(a.at("type"), b.type);
    EXPECT_EQ(a.at("components"), b.components);
    EXPECT_EQ(a.at("precision"), b.precision);
    EXPECT_EQ(a.at("peer"), b.peer);
    expect_same(a.at("errors"), b.errors);
    expect_same(a.at("worst_relative_log2"), b.worst_relative_log2);
  });
  expect_each(json.at("components"), results.components, [](const Json& a, const auto& b) {
    EXPECT_EQ(a.at("operation"), b.operation);
    EXPECT_EQ(a.at("magnitudes"), b.magnitudes);
    EXPECT_EQ(a.at("implementation"), b.implementation);
    EXPECT_EQ(a.at("precision"), b.precision);
    EXPECT_EQ(a.at("components"), b.components);
    expect_same(a.at("mean_relative_log2"), b.mean_relative_log2);
    expect_same(a.at("worst_relative_log2"), b.worst_relative_log2);
  });
  expect_each(json.at("figures"), results.figures, [](const Json& a, const auto& b) {
    EXPECT_EQ(a.at("id"), b.id);
    EXPECT_EQ(a.at("title"), b.title);
    EXPECT_EQ(a.at("text"), b.text);
    EXPECT_EQ(a.at("x_label"), b.x_label);
    EXPECT_EQ(a.at("y_label"), b.y_label);
    expect_each(a.at("curves"), b.curves, [](const Json& curve, const auto& of) {
      EXPECT_EQ(curve.at("name"), of.name);
      EXPECT_EQ(curve.at("bound"), of.bound);
      expect_each(curve.at("points"), of.points, [](const Json& point, const auto& is) {
        expect_same(point.at("x"), is.x);
        expect_same(point.at("log10_y"), is.log10_y);
      });
    });
  });
}

TEST_F(ReportFilesTest, JsonSurvivesTextThatIsNotUtf8) {
  Results results;
  results.cpu = "CPU \xFF";
  EXPECT_EQ(parse_json(to_json(results), "x").at("cpu"), "CPU \xEF\xBF\xBD");
}

TEST_F(ReportFilesTest, BrokenJsonNamesFileAndProblem) {
  const std::string good = to_json(sample_results());
  const auto message = [](const std::string& text) {
    return io_error_of([&] { parse_json(text, "some/file.json"); });
  };
  for (const std::string& text : {std::string(), good.substr(0, good.size() / 2)})
    EXPECT_TRUE(contains(message(text), "some/file.json")) << message(text);
  EXPECT_TRUE(contains(message(good.substr(0, 1000)), "line"));
  EXPECT_TRUE(contains(message("{"), "parse error at line 1")) << message("{");
  EXPECT_FALSE(contains(message("{"), "json.exception")) << message("{");
  const std::string deep = std::string(100000, '[') + std::string(100000, ']');
  EXPECT_TRUE(contains(message(deep), "nested more than 64 deep")) << message(deep);
  EXPECT_TRUE(contains(message("{\"threads\": " + deep + "}"), "nested"));
}

TEST_F(ReportFilesTest, WriteReplacesTheFileAndLeavesNoTemporary) {
  const fs::path path = directory_ / "file.txt";
  write_file_atomically(path, "first");
  write_file_atomically(path, "second");
  EXPECT_EQ(content_of(path), "second");
  EXPECT_EQ(files_here(), 1u);
  // a link stays a link
  fs::create_symlink(path, directory_ / "link");
  write_file_atomically(directory_ / "link", "third");
  EXPECT_TRUE(fs::is_symlink(directory_ / "link"));
  EXPECT_EQ(content_of(path), "third");
  EXPECT_EQ(files_here(), 2u);
}

TEST_F(ReportFilesTest, FailedWriteKeepsTheOldFile) {
  const fs::path path = directory_ / "file.txt";
  write_file_atomically(path, "old");
  const std::string message = [&] {
    const FileSizeLimit full_disk;
    return io_error_of([&] { write_file_atomically(path, std::string(100000, 'x')); });
  }();
  EXPECT_TRUE(contains(message, path.string())) << message;
  EXPECT_TRUE(contains(message, "too large")) << message;
  EXPECT_EQ(content_of(path), "old");
  EXPECT_EQ(files_here(), 1u);
}

TEST_F(ReportFilesTest, WriteToImpossiblePlacesSaysWhy) {
  const Results results = sample_results();
  const auto message = [](const fs::path& path) {
    return io_error_of([&] { write_file_atomically(path, "text"); });
  };
  EXPECT_TRUE(contains(message(directory_ / "none" / "file"), "No such file or directory"));
  EXPECT_TRUE(contains(message(directory_), "Is a directory"));
  EXPECT_TRUE(contains(message(""), "empty"));
  write_file_atomically(directory_ / "file", "old");
  EXPECT_TRUE(contains(message(directory_ / "file" / "below"), "Not a directory"));
  EXPECT_TRUE(contains(io_error_of([&] { write_html_report(results, directory_ / "file"); }),
                       (directory_ / "file").string()));
  EXPECT_EQ(content_of(directory_ / "file"), "old");
  EXPECT_EQ(files_here(), 1u);
}

}  // namespace
}  // namespace mct::validation
