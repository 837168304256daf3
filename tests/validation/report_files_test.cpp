// The suite's JSON, and files that are whole or absent.
#include <gtest/gtest.h>

#include <cmath>

#include "mctensor/base/atomic_file.hpp"
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
using ReportFilesTest = mct::testing::FileTest;

bool same_bits(double a, double b) { return (std::isnan(a) && std::isnan(b)) || a == b; }

void expect_same(const ErrorStatistics& a, const ErrorStatistics& b) {
  EXPECT_EQ(a.cases, b.cases);
  EXPECT_TRUE(same_bits(a.max_error, b.max_error)) << a.max_error << " " << b.max_error;
  EXPECT_TRUE(same_bits(a.sum_error, b.sum_error)) << a.sum_error << " " << b.sum_error;
}

void expect_same(const OperationResult& a, const OperationResult& b) {
  EXPECT_EQ(a.operation, b.operation);
  EXPECT_EQ(a.type, b.type);
  EXPECT_EQ(a.components, b.components);
  EXPECT_EQ(a.precision, b.precision);
  EXPECT_EQ(a.bound, b.bound);
  EXPECT_EQ(a.bound_text, b.bound_text);
  expect_same(a.errors, b.errors);
  EXPECT_EQ(a.worst_replay, b.worst_replay);
  EXPECT_EQ(a.violation_count, b.violation_count);
  ASSERT_EQ(a.categories.size(), b.categories.size());
  for (std::size_t i = 0; i < a.categories.size(); ++i) {
    EXPECT_EQ(a.categories[i].name, b.categories[i].name);
    expect_same(a.categories[i].errors, b.categories[i].errors);
  }
  ASSERT_EQ(a.by_exponent.size(), b.by_exponent.size());
  for (std::size_t i = 0; i < a.by_exponent.size(); ++i) {
    EXPECT_EQ(a.by_exponent[i].exponent, b.by_exponent[i].exponent);
    EXPECT_EQ(a.by_exponent[i].width, b.by_exponent[i].width);
    expect_same(a.by_exponent[i].errors, b.by_exponent[i].errors);
  }
  ASSERT_EQ(a.violations.size(), b.violations.size());
  for (std::size_t i = 0; i < a.violations.size(); ++i) {
    EXPECT_EQ(a.violations[i].replay, b.violations[i].replay);
    EXPECT_EQ(a.violations[i].what, b.violations[i].what);
    EXPECT_TRUE(same_bits(a.violations[i].error, b.violations[i].error));
  }
}

TEST_F(ReportFilesTest, JsonRestoresEveryField) {
  Results results = sample_results();
  results.cpu = "A\tCPU \\ with \x01 control and \xC3\xA4";
  results.seconds = 0.1 + 0.2;  // 17 digits are needed
  results.operations[0].errors.max_error = std::nextafter(2.25, 3);
  results.operations[0].errors.sum_error = 5e-324;
  write_json(results, directory_ / "results.json");
  const Results copy = read_json(directory_ / "results.json");
  EXPECT_EQ(copy.seed, results.seed);
  EXPECT_EQ(copy.requested_cases, results.requested_cases);
  EXPECT_EQ(copy.checked_cases, results.checked_cases);
  EXPECT_EQ(copy.threads, results.threads);
  EXPECT_EQ(copy.seconds, results.seconds);
  EXPECT_EQ(copy.version, results.version);
  EXPECT_EQ(copy.compiler, results.compiler);
  EXPECT_EQ(copy.cpu, results.cpu);
  EXPECT_EQ(copy.filter, results.filter);
  ASSERT_EQ(copy.operations.size(), results.operations.size());
  for (std::size_t i = 0; i < copy.operations.size(); ++i)
    expect_same(copy.operations[i], results.operations[i]);
  ASSERT_EQ(copy.peers.size(), results.peers.size());
  for (std::size_t i = 0; i < copy.peers.size(); ++i) {
    EXPECT_EQ(copy.peers[i].operation, results.peers[i].operation);
    EXPECT_EQ(copy.peers[i].type, results.peers[i].type);
    EXPECT_EQ(copy.peers[i].components, results.peers[i].components);
    EXPECT_EQ(copy.peers[i].precision, results.peers[i].precision);
    EXPECT_EQ(copy.peers[i].peer, results.peers[i].peer);
    expect_same(copy.peers[i].errors, results.peers[i].errors);
    EXPECT_EQ(copy.peers[i].worst_relative_log2, results.peers[i].worst_relative_log2);
  }
  ASSERT_EQ(copy.components.size(), results.components.size());
  for (std::size_t i = 0; i < copy.components.size(); ++i) {
    const ComponentPoint& a = copy.components[i];
    const ComponentPoint& b = results.components[i];
    EXPECT_EQ(a.operation, b.operation);
    EXPECT_EQ(a.magnitudes, b.magnitudes);
    EXPECT_EQ(a.implementation, b.implementation);
    EXPECT_EQ(a.precision, b.precision);
    EXPECT_EQ(a.components, b.components);
    EXPECT_EQ(a.mean_relative_log2, b.mean_relative_log2);
    EXPECT_EQ(a.worst_relative_log2, b.worst_relative_log2);
  }
  ASSERT_EQ(copy.figures.size(), results.figures.size());
  EXPECT_EQ(copy.figures[0].title, results.figures[0].title);
  ASSERT_EQ(copy.figures[0].curves.size(), 2u);
  EXPECT_TRUE(copy.figures[0].curves[1].bound);
  EXPECT_EQ(copy.figures[0].curves[0].points[1].log10_y,
            results.figures[0].curves[0].points[1].log10_y);
  EXPECT_EQ(to_json(copy), to_json(results));
  EXPECT_EQ(to_json(from_json(to_json(Results{}), "empty")), to_json(Results{}));
}

TEST_F(ReportFilesTest, JsonSurvivesTextThatIsNotUtf8) {
  Results results;
  results.cpu = "CPU \xFF";
  EXPECT_EQ(from_json(to_json(results), "x").cpu, "CPU \xEF\xBF\xBD");
}

TEST_F(ReportFilesTest, BrokenJsonNamesFileAndProblem) {
  const std::string good = to_json(sample_results());
  const auto message = [](const std::string& text) {
    return io_error_of([&] { from_json(text, "some/file.json"); });
  };
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const std::size_t place = text.find(from);
    EXPECT_NE(place, std::string::npos) << from;
    return text.replace(place, from.size(), to);
  };
  for (const std::string& text :
       {std::string(), std::string("[]"), std::string("{}"), good.substr(0, good.size() / 2)})
    EXPECT_TRUE(contains(message(text), "some/file.json")) << message(text);
  EXPECT_TRUE(contains(message(good.substr(0, 1000)), "line"));
  EXPECT_TRUE(contains(message(changed("\"threads\"", "\"thread\"")), "threads: missing"));
  EXPECT_TRUE(contains(message(changed("\"threads\": 2", "\"threads\": 2.5")), "integer"));
  EXPECT_TRUE(contains(message(changed("\"threads\": 2", "\"threads\": 99999999999")), "range"));
  EXPECT_TRUE(contains(message(changed("\"cases\": 1234567", "\"cases\": -1")),
                       "operations[0].errors.cases"));
  EXPECT_TRUE(contains(message(changed("\"max_error\": 2.25", "\"max_error\": \"big\"")),
                       "operations[0].errors.max_error"));
  EXPECT_TRUE(contains(message(changed("mctensor validation", "something")), "something"));
  EXPECT_TRUE(
      contains(message(changed("\"format_version\": 2", "\"format_version\": 3")), "version 3"));
  EXPECT_TRUE(contains(message("{"), "parse error at line 1")) << message("{");
  EXPECT_FALSE(contains(message("{"), "json.exception")) << message("{");
  const std::string deep = std::string(100000, '[') + std::string(100000, ']');
  EXPECT_TRUE(contains(message(deep), "nested more than 64 deep")) << message(deep);
  EXPECT_TRUE(contains(message(changed("\"threads\": 2", "\"threads\": " + deep)), "nested"));
  EXPECT_TRUE(contains(io_error_of([] { read_json("/dev/zero"); }), "not a regular file"));
  const fs::path missing = directory_ / "missing.json";
  const std::string reason = io_error_of([&] { read_json(missing); });
  EXPECT_TRUE(contains(reason, missing.string())) << reason;
  EXPECT_TRUE(contains(reason, "No such file")) << reason;
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
