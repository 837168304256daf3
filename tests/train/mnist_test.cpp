// Pictures of digits in IDX files and archives of numpy.
#include "apps/mct/train/mnist.hpp"

#include "apps/mct/train/regression_task.hpp"
#include "mctensor/base/byte_files.hpp"
#include "tests/archive_bytes.hpp"
#include "tests/files.hpp"

namespace mct::test {
namespace {

using namespace cli::train;
using namespace testing;

constexpr int pictures = 40;
constexpr int pixels = 784;

/// Picture i has the label i % 10 and pixels i, 0, 0, ..., 255.
std::string images_idx() {
  std::string bytes = std::string("\0\0\x08\x03", 4) + high_first(pictures, 4) + high_first(28, 4) +
                      high_first(28, 4);
  for (int i = 0; i < pictures; ++i) bytes += char(i) + std::string(pixels - 2, '\0') + '\xff';
  return bytes;
}
std::string labels_idx() {
  std::string bytes = std::string("\0\0\x08\x01", 4) + high_first(pictures, 4);
  for (int i = 0; i < pictures; ++i) bytes += char(i % 10);
  return bytes;
}

class MnistTest : public FileTest {
 protected:
  void write(const std::string& name, const std::string& bytes) const {
    ByteSink file(directory_ / name);  // ".gz" is compressed
    file.write(bytes);
    file.commit();
  }
  std::string message(const fs::path& path) const {
    return io_error_of([&] { read_mnist(path); });
  }
};

void expect_pictures(const Dataset& data) {
  ASSERT_EQ(data.features.shape(), (Shape{pictures, pixels}));
  for (int i = 0; i < pictures; ++i) {
    EXPECT_EQ(data.targets.data()[i], i % 10);
    EXPECT_EQ(data.features.at({i, 0}), i / 255.0);
    EXPECT_EQ(data.features.at({i, pixels - 1}), 1);
  }
}

TEST_F(MnistTest, ReadsIdxPlainAndCompressed) {
  write("train-images-idx3-ubyte", images_idx());
  write("train-labels.idx1-ubyte.gz", labels_idx());
  expect_pictures(read_mnist(directory_));
  fs::remove(directory_ / "train-images-idx3-ubyte");
  EXPECT_TRUE(contains(message(directory_), "has no train-images-idx3-ubyte"));
  write("train-images-idx3-ubyte.gz", images_idx());
  expect_pictures(read_mnist(directory_));
}

TEST_F(MnistTest, ReadsArchivesOfNumpy) {
  std::vector<std::uint8_t> values;
  const std::string bytes = images_idx().substr(16);
  for (const char c : bytes) values.push_back(std::uint8_t(c));
  std::vector<std::int64_t> labels;
  for (int i = 0; i < pictures; ++i) labels.push_back(i % 10);
  const fs::path path = directory_ / "mnist.npz";
  const auto archive = [&](const std::vector<std::int64_t>& answers) {
    std::ofstream(path, std::ios::binary)
        << zip_of({{"x_train.npy", npy_of("|u1", "(40, 28, 28)", values)},
                   {"y_train.npy", npy_of("<i8", "(40,)", answers)}},
                  true);
  };
  archive(labels);
  expect_pictures(read_mnist(path));
  labels[3] = 10;
  archive(labels);
  EXPECT_TRUE(contains(message(path), "y_train.npy: label 3 is 10, not one of 0 to 9"));
  std::ofstream(path, std::ios::binary) << zip_of({{"images.npy", ""}});
  EXPECT_TRUE(contains(message(path), "there is no 'x_train.npy' in"));
}

TEST_F(MnistTest, EveryTypeOfIdxIsRead) {
  const auto read = [&](const std::string& type, const std::string& data) {
    write("x", std::string("\0\0", 2) + type + "\x01" + high_first(1, 4) + data);
    return read_idx(directory_ / "x").item();
  };
  EXPECT_EQ(read("\x08", "\xfe"), 254);
  EXPECT_EQ(read("\x09", "\xfe"), -2);
  EXPECT_EQ(read("\x0b", "\xff\xfe"), -2);
  EXPECT_EQ(read("\x0c", std::string("\0\0\1\0", 4)), 256);
  EXPECT_EQ(read("\x0d", std::string("\x3f\xc0\0\0", 4)), 1.5);
  EXPECT_EQ(read("\x0e", std::string("\xbf\xf0\0\0\0\0\0\0", 8)), -1);
}

TEST_F(MnistTest, MessagesNameTheFileAndTheByte) {
  write("train-labels-idx1-ubyte", labels_idx());
  const auto with = [&](const std::string& images) {
    write("train-images-idx3-ubyte", images);
    const std::string text = message(directory_);
    EXPECT_TRUE(contains(text, "train-images-idx3-ubyte")) << text;
    return text;
  };
  const std::string whole = images_idx();
  for (const std::size_t i : {std::size_t(0), std::size_t(3), std::size_t(15), whole.size() - 1})
    EXPECT_TRUE(contains(with(whole.substr(0, i)), "is cut off: it ends at byte")) << i;
  EXPECT_TRUE(contains(with(whole + "x"), "the 31360 numbers"));
  std::string changed = whole;
  changed[1] = 7;
  EXPECT_TRUE(contains(with(changed), "byte 1: 7; an IDX file begins with two zeros"));
  changed = whole;
  changed[2] = 10;
  EXPECT_TRUE(contains(with(changed), "byte 2: 10; no type of IDX"));
  changed = whole;
  changed.replace(4, 8, 8, '\xff');
  EXPECT_TRUE(contains(with(changed), "more than 2^31 numbers"));
  changed = whole.substr(0, whole.size() - pixels);
  changed[7] = pictures - 1;
  write("train-images-idx3-ubyte", changed);
  EXPECT_TRUE(contains(message(directory_),
                       "train-labels-idx1-ubyte': labels of shape (40,) for 39 pictures"));
}

TEST_F(MnistTest, TheTaskOfDigitsHasItsPixels) {
  write("train-images-idx3-ubyte", images_idx());
  write("train-labels-idx1-ubyte", labels_idx());
  const Task task = make_task("digits", {.directory = "", .mnist = directory_}, 1, false);
  EXPECT_EQ(task.layers, (std::vector<std::int64_t>{pixels, 50, 50, 10}));
  EXPECT_EQ(task.data.train.rows() + task.data.test.rows(), pictures);
  const Dataset some = some_of_each_class(read_mnist(directory_), 3, 1);
  ASSERT_EQ(some.rows(), 30);
  std::vector<int> counts(10);
  for (const double label : some.targets.values()) ++counts[std::size_t(label)];
  for (const int count : counts) EXPECT_EQ(count, 3);
}

}  // namespace
}  // namespace mct::test
