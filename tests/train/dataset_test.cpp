// Data sets: reading, errors, splitting.
#include "apps/mct/train/dataset.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "apps/mct/train/counter_random.hpp"
#include "mctensor/eft/half.hpp"
#include "mctensor/error.hpp"
#include "tests/files.hpp"

namespace mct::test {
namespace {

using namespace cli::train;
using mct::testing::message_of;
using mct::testing::TemporaryDirectory;

TEST(Dataset, ShippedDataHaveTheirKnownSizes) {
  const auto cancer = read_csv(find_data("breast_cancer.csv", ""), {30, 2, 1});
  EXPECT_EQ(cancer.features.shape(), (Shape{569, 30}));
  EXPECT_EQ(cancer.features.at({0, 0}), 17.99);
  double benign = 0;
  for (const double label : cancer.targets.values()) benign += label;
  EXPECT_EQ(benign, 357);
  const auto digits = read_csv(find_data("digits.csv", ""), {64, 10});
  EXPECT_EQ(digits.features.shape(), (Shape{1797, 64}));
}

TEST(Dataset, ErrorsNameFileAndLine) {
  const TemporaryDirectory directory;
  const auto file = directory / "table.csv";
  const auto message = [&](const char* text) {
    std::ofstream(file) << text;
    return message_of<IoError>([&] { read_csv(file, {2, 2}); });
  };
  EXPECT_EQ(message("1,2,0\n3,x,1\n"),
            file.string() + ":2: field 2, 'x', is not a number from -1e+100 to 1e+100");
  EXPECT_EQ(message("1,2,0\n3,1\n"), file.string() + ":2: 2 fields where 3 are needed");
  EXPECT_EQ(message("1,2,0.5\n"), file.string() + ":1: the class 0.5 is not one of 0, 1 ... 1");
  EXPECT_EQ(message("1,2,0\n1,,0\n"),
            file.string() + ":2: field 2, '', is not a number from -1e+100 to 1e+100");
  EXPECT_EQ(message(""), "'" + file.string() + "' has 0 rows; at least 5 are needed");
  const auto missing = message_of<IoError>([&] { read_csv(directory / "none.csv", {2, 2}); });
  EXPECT_NE(missing.find("none.csv"), std::string::npos);
  const auto nowhere = message_of<IoError>([&] { find_data("none.csv", directory / "a"); });
  EXPECT_NE(nowhere.find((directory / "a").string()), std::string::npos);
}

/// A class is a place in the model's outputs: one beyond them would be read out of bounds.
TEST(Dataset, ClassesAndFeaturesHaveARange) {
  const TemporaryDirectory directory;
  const auto file = directory / "table.csv";
  const std::string good = "1,2,0\n1,2,1\n1,2,0\n1,2,0\n";
  const auto message = [&](const std::string& last) {
    std::ofstream(file) << good << last;
    return message_of<IoError>([&] { read_csv(file, {2, 2}); });
  };
  EXPECT_EQ(message("3,4,1\n"), "");
  EXPECT_EQ(message("3,4,1\r\n"), "");
  for (const char* label : {"2", "3000000", "-1", "1e99", "0.5"})
    EXPECT_NE(message("3,4," + std::string(label) + "\n").find(":5: the class "), std::string::npos)
        << label;
  for (const char* feature : {"1e101", "-1e300", "1e999", "inf", "nan"})
    EXPECT_NE(message(std::string(feature) + ",4,1\n").find(":5: field 1, '"), std::string::npos)
        << feature;
  EXPECT_NE(message("").find("4 rows"), std::string::npos);
}

TEST(Dataset, SplitsHaveEachRowOnce) {
  const auto features = Tensor<double>({100, 1});
  for (std::int64_t i = 0; i < 100; ++i) features.data()[i] = double(i);
  const Dataset all{features, features.select(1, 0).contiguous()};
  const Split parts = split(all, 0.8, 5);
  EXPECT_EQ(parts.train.rows(), 80);
  EXPECT_EQ(parts.test.rows(), 20);
  std::vector<bool> seen(100, false);
  for (const auto& part : {parts.train, parts.test})
    for (std::int64_t i = 0; i < part.rows(); ++i) {
      EXPECT_EQ(part.features.data()[i], part.targets.data()[i]);
      seen[std::size_t(part.targets.data()[i])] = true;
    }
  EXPECT_EQ(std::count(seen.begin(), seen.end(), true), 100);
  EXPECT_NE(permutation(100, 5, 0), permutation(100, 6, 0));
}

TEST(Dataset, ShortNumbersAreHeldByEveryType) {
  const auto x = Tensor<double>::from_values({1 / 3., -1e-5, 123.456, 0, 7e-8});
  const auto rounded = short_numbers(x);
  for (const double value : rounded.values()) {
    EXPECT_EQ(double(half(value)), value);
    EXPECT_EQ(double(bfloat16(value)), value);
  }
  EXPECT_NEAR(rounded.data()[0], 1 / 3., 1 / 3. / 256);
}

}  // namespace
}  // namespace mct::test
