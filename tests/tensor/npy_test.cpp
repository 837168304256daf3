// .npy files: round trips bit for bit, what NumPy wrote, and files that are wrong.
#include "mctensor/tensor/npy.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "tests/archive_bytes.hpp"
#include "tests/memory_limit.hpp"
#include "tests/tensor/file_fixture.hpp"
#include "tests/tensor/largest_allocation.hpp"

namespace mct {
namespace {

using namespace mct::testing;

class NpyTest : public mct::testing::FileTest {
 protected:
  /// A file as NumPy writes it, but with any version, dictionary and data.
  void write_npy(const std::string& dictionary, const std::string& data, char major = 1) {
    std::string text = dictionary;
    const std::size_t start = major == 1 ? 10 : 12;
    text.append(63 - (start + text.size()) % 64, ' ');
    text += '\n';
    std::string content = "\x93NUMPY";
    content += {major, 0, char(text.size() & 0xff), char(text.size() >> 8)};
    if (major > 1) content += std::string(2, '\0');
    write_content(path_, content + text + data);
  }
  template <class T, int N = 1>
  std::string load_error() const {
    const std::string message = io_error_of([&] { load_npy<T, N>(path_); });
    expect_contains(message, path_.string());
    return message;
  }
  static std::string doubles(const std::vector<double>& values) {
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)};
  }

  void SetUp() override {
    FileTest::SetUp();
    path_ = directory_ / "x.npy";
  }
  std::filesystem::path path_;
};

template <class X>
class NpyRoundTrip : public NpyTest {};
TYPED_TEST_SUITE(NpyRoundTrip, mct::testing::AllTensors);

TYPED_TEST(NpyRoundTrip, KeepsEveryBit) {
  using T = typename TypeParam::Component;
  for (const TypeParam& x : assorted_tensors<TypeParam>()) {
    save_npy(this->path_, x);
    expect_same(load_npy<T, TypeParam::components>(this->path_), x);
    // data begin where a cache line does, and fill the file
    const std::string content = content_of(this->path_);
    const std::size_t bytes = std::size_t(x.numel()) * TypeParam::components * sizeof(T);
    ASSERT_GE(content.size(), bytes);
    EXPECT_EQ((content.size() - bytes) % 64, 0u);
    EXPECT_EQ(content.substr(content.size() - bytes), mct::testing::bytes_of(x));
  }
  EXPECT_EQ(this->files_here(), 1u);
}

template <class X>
class NpyDamage : public NpyTest {};
using DamagedTypes = ::testing::Types<Tensor<bool>, Tensor<double, 2>, Tensor<bfloat16, 3>>;
TYPED_TEST_SUITE(NpyDamage, DamagedTypes);

TYPED_TEST(NpyDamage, EveryTruncationIsNoticed) {
  using T = typename TypeParam::Component;
  constexpr int N = TypeParam::components;
  save_npy(this->path_, random_tensor<TypeParam>({2, 3}));
  const std::string content = content_of(this->path_);
  for (std::size_t length = 0; length < content.size(); ++length) {
    write_content(this->path_, content.substr(0, length));
    this->template load_error<T, N>();
  }
  write_content(this->path_, content + '\0');
  this->template load_error<T, N>();
}

TYPED_TEST(NpyDamage, NoChangedByteOfTheHeaderCrashes) {
  using T = typename TypeParam::Component;
  constexpr int N = TypeParam::components;
  const TypeParam x = random_tensor<TypeParam>({2, 3});
  save_npy(this->path_, x);
  const std::string content = content_of(this->path_);
  const std::size_t header = content.size() - 6 * N * sizeof(T);
  largest_allocation = 0;
  int refused = 0;
  for (std::size_t i = 0; i < header; ++i)
    for (const int mask : {1, 2, 4, 8, 16, 32, 64, 128, 255}) {
      std::string changed = content;
      changed[i] = char(changed[i] ^ mask);
      write_content(this->path_, changed);
      try {
        // a shape may be read with another one's spaces, but never with other elements' number
        EXPECT_EQ((load_npy<T, N>(this->path_).numel()), x.numel()) << i << " " << mask;
      } catch (const IoError& error) {
        expect_contains(error.what(), this->path_.string());
        ++refused;
      }
    }
  EXPECT_GT(refused, 300);
  EXPECT_LT(largest_allocation, modest);
}

TEST_F(NpyTest, WritesWhatNumPyDoes) {
  save_npy(path_, Tensor<double>::from_values({1, 2, 3}));
  std::string expected = "\x93NUMPY";
  expected += {1, 0, 118, 0};
  expected += "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }";
  expected.append(127 - expected.size(), ' ');
  EXPECT_EQ(content_of(path_), expected + '\n' + doubles({1, 2, 3}));
}

TEST_F(NpyTest, DtypesAndPlanes) {
  const auto header = [&](const auto& x) {
    save_npy(path_, x);
    return content_of(path_);
  };
  expect_contains(header(Tensor<float>({2})), "'descr': '<f4'");
  expect_contains(header(Tensor<half>({2})), "'descr': '<f2'");
  expect_contains(header(Tensor<bfloat16>({2})), "'descr': '<V2'");
  expect_contains(header(Tensor<bool>({2})), "'descr': '|b1'");
  expect_contains(header(Tensor<std::int64_t>({2})), "'descr': '<i8'");
  expect_contains(header(Tensor<float, 3>({2, 5})), "'shape': (3, 2, 5)");
  expect_contains(header(Tensor<float, 2>(Shape{})), "'shape': (2,)");
  expect_contains(header(Tensor<float>(Shape{})), "'shape': ()");
}

TEST_F(NpyTest, ReadsVersionsQuotesAndOrders) {
  const auto x = Tensor<double>::from_values({1, 2, 3, 4, 5, 6}, {2, 3});
  const std::string rows = doubles({1, 2, 3, 4, 5, 6});
  for (const char major : {1, 2, 3}) {
    write_npy("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }", rows, major);
    expect_same(load_npy<double, 1>(path_), x);
  }
  write_npy("{\"shape\":(2L,3L),'fortran_order':False,\n 'descr':\"<f8\"}", rows);
  expect_same(load_npy<double, 1>(path_), x);
  write_npy("{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3), }",
            doubles({1, 4, 2, 5, 3, 6}));
  expect_same(load_npy<double, 1>(path_), x);
  write_npy("{'descr': '>f8', 'fortran_order': False, 'shape': (2,), }",
            std::string("\x3f\xf0\0\0\0\0\0\0\xc0\0\0\0\0\0\0\1", 16));
  expect_same(load_npy<double, 1>(path_), Tensor<double>::from_values({1, -0x1.0000000000001p1}));
  write_npy("{'descr': '>f2', 'fortran_order': False, 'shape': (), }", std::string("\x3c\1", 2));
  EXPECT_EQ((load_npy<half, 1>(path_).item().bits()), 0x3c01);
  write_npy("{'descr': '|V2', 'fortran_order': False, 'shape': (), }", std::string("\1\x3c", 2));
  EXPECT_EQ((load_npy<bfloat16, 1>(path_).item().bits()), 0x3c01);
}

TEST_F(NpyTest, ColumnMajorPlanes) {
  // planes (1 2 3) and (4 5 6): the leading axis varies fastest
  write_npy("{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3), }",
            doubles({1, 4, 2, 5, 3, 6}));
  const auto x = load_npy<double, 2>(path_);
  EXPECT_EQ(x.shape(), Shape{3});
  expect_same(x.plane(0), Tensor<double>::from_values({1, 2, 3}));
  expect_same(x.plane(1), Tensor<double>::from_values({4, 5, 6}));
}

TEST_F(NpyTest, OtherTypesAndShapesAreNamed) {
  save_npy(path_, Tensor<float, 2>({3, 5}));
  expect_contains((load_error<double>()), "wanted '<f8', found '<f4' of shape (2, 3, 5)");
  expect_contains((load_error<float, 3>()),
                  "wanted '<f4' of shape (3, ...), found '<f4' of shape (2, 3, 5)");
  EXPECT_EQ((load_npy<float, 1>(path_).shape()), (Shape{2, 3, 5}));
  save_npy(path_, Tensor<float>(Shape{}));
  expect_contains((load_error<float, 2>()), "found '<f4' of shape ()");
  save_npy(path_, Tensor<bfloat16>({3}));
  expect_contains((load_error<half>()), "wanted '<f2', found '<V2' of shape (3,)");
}

TEST_F(NpyTest, MalformedHeaders) {
  largest_allocation = 0;
  const std::string data = doubles({1, 2});
  const auto error = [&](const std::string& dictionary, char major = 1) {
    write_npy(dictionary, data, major);
    return load_error<double>();
  };
  const std::string type = "'descr': '<f8', ";
  const std::string order = "'fortran_order': False, ";
  expect_contains(error("{" + type + order + "'shape': (2,), }", 4), "format 4.0");
  expect_contains(error("{" + type + order + "}"), "no entry 'shape'");
  expect_contains(error("{" + type + type + order + "'shape': (2,)}"), "second entry 'descr'");
  expect_contains(error("{" + type + order + "'shape': (2,), 'x': 1}"), "unknown entry 'x'");
  expect_contains(error("{" + type + order + "'shape': (2,)} x"), "end of the dictionary");
  expect_contains(error("{" + type + order + "'shape': (2)}"), "','");
  expect_contains(error("{" + type + order + "'shape': (-2,)}"), "a size below 2^63");
  expect_contains(error("{" + type + order + "'shape': (9223372036854775808,)}"), "below 2^63");
  expect_contains(error("{" + type + order + "'shape': (4294967296, 4294967296, 0)}"), "2^62");
  expect_contains(error("{" + type + order + "'shape': (4611686018427387904,)}"), "16 bytes");
  expect_contains(error("{" + type + order + "'shape': (3,)}"), "16 bytes of data do not fit");
  expect_contains(error("{" + type + "'fortran_order': 0, 'shape': (2,)}"), "True or False");
  expect_contains(error("{'descr': [('a', '<f8')], " + order + "'shape': (2,)}"), "''' is exp");
  std::string ones = "'shape': (";
  for (int i = 0; i < 65; ++i) ones += "1,";
  expect_contains(error("{" + type + order + ones + ")}"), "more than 64 dimensions");
  write_content(path_, "PK\3\4 something else altogether");
  expect_contains(load_error<double>(), "not a .npy file");
  EXPECT_LT(largest_allocation, modest);
}

TEST_F(NpyTest, MasksAreZeroOrOne) {
  write_npy("{'descr': '|b1', 'fortran_order': False, 'shape': (3,), }", std::string("\0\1\2", 3));
  expect_contains(load_error<bool>(), "byte 2 of a mask is 2");
}

TEST_F(NpyTest, WhatIsNoFile) {
  expect_contains(io_error_of([&] { load_npy<double, 1>(directory_ / "none"); }), "No such file");
  expect_contains(io_error_of([&] { load_npy<double, 1>(directory_); }), "not a regular file");
  const Tensor<double> x({1});
  expect_contains(io_error_of([&] { save_npy(directory_ / "none" / "x", x); }), "No such file");
  expect_contains(io_error_of([&] { save_npy(path_, Tensor<double>(Shape(65, 1))); }),
                  "65 dimensions");
  EXPECT_EQ(files_here(), 0u);
}

TEST_F(NpyTest, FailedSaveKeepsTheOldFile) {
  const auto old = random_tensor<Tensor<double, 2>>({3});
  save_npy(path_, old);
  const std::string message = [&] {
    const FileSizeLimit full_disk;
    return io_error_of([&] { save_npy(path_, Tensor<double, 2>({10000})); });
  }();
  expect_contains(message, "too large");
  expect_same(load_npy<double, 2>(path_), old);
  EXPECT_EQ(files_here(), 1u);
}

TEST_F(NpyTest, KilledSaveLeavesAWholeFile) {
  const Tensor<double> zeros({20000});
  const Tensor<double> ones({20000});
  ones.fill_(1);
  save_npy(path_, zeros);
  bool seen[2] = {};
  // on a busy machine the first children do nothing before they are killed
  for (int round = 0; round < 40 || (!seen[1] && round < 1000); ++round) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0)
      for (bool one = true;; one = !one) save_npy(path_, one ? ones : zeros);
    ::usleep(500 + 331U * unsigned(round));
    ::kill(child, SIGKILL);
    ASSERT_EQ(::waitpid(child, nullptr, 0), child);
    const auto x = load_npy<double, 1>(path_);
    const bool one = x.at({0}) == 1;
    expect_same(x, one ? ones : zeros);
    seen[one] = true;
  }
  EXPECT_TRUE(seen[1]);  // else nothing was tried
}

TEST_F(NpyTest, AFileLargerThanTheMemoryIsNamed) {
  if (!can_limit_memory()) GTEST_SKIP() << "memory cannot be limited here";
  const std::uintmax_t bytes = std::uintmax_t(1) << 32;
  for (const char* const order : {"False", "True"}) {
    write_npy(
        std::string("{'descr': '<f8', 'fortran_order': ") + order + ", 'shape': (536870912,), }",
        "");
    // the disk has it: a file with a hole
    fs::resize_file(path_, fs::file_size(path_) + bytes);
    const MemoryLimit limit(std::size_t(1) << 28);
    const std::string message = message_of<MemoryError>([&] { load_npy<double, 1>(path_); });
    expect_contains(message, path_.string());
    expect_contains(message, "(536870912,)");
    expect_contains(message, "4294967296 bytes");
  }
}

TEST_F(NpyTest, NumbersOfAnyTypeAreDoubles) {
  const auto values = [](const std::string& bytes) { return npy_numbers(bytes, "a").values(); };
  EXPECT_EQ(values(npy_of<std::uint8_t>("|u1", "(2,)", {0, 255})), (std::vector<double>{0, 255}));
  EXPECT_EQ(values(npy_of<std::int16_t>("<i2", "(1,)", {-3})), (std::vector<double>{-3}));
  EXPECT_EQ(values(npy_of<std::uint16_t>(">u2", "(1,)", {0x0100})), (std::vector<double>{1}));
  EXPECT_EQ(values(npy_of<float>("<f4", "()", {1.5F})), (std::vector<double>{1.5}));
  EXPECT_EQ(values(npy_of<std::int64_t>("<i8", "(1,)", {-(std::int64_t(1) << 53)})),
            (std::vector<double>{-9007199254740992.0}));
  const auto matrix =
      npy_numbers(npy_of<std::int32_t>("<i4", "(2, 3)", {1, 2, 3, 4, 5, 6}, true), "a");
  EXPECT_EQ(matrix.at({0, 1}), 3);
  EXPECT_EQ(matrix.at({1, 2}), 6);
  const auto message = [](const std::string& bytes) {
    return io_error_of([&] { npy_numbers(bytes, "a.npz, x"); });
  };
  expect_contains(message(npy_of<std::uint64_t>("<u8", "(2,)", {0, std::uint64_t(1) << 54})),
                  "a.npz, x: element 1 is 18014398509481984");
  expect_contains(message(npy_of<char>("|S3", "()", {'c', 's', 'r'})),
                  "'|S3' is not a supported type");
  expect_contains(message(npy_of<float>("<f4", "(2,)", {1})), "4 bytes of data do not fit");
  expect_contains(message("\x93NUM"), "is not a .npy file");
  expect_contains(message(npy_of<float>("<f4", "(1,)", {1}).substr(0, 30)), "is truncated");
}

}  // namespace
}  // namespace mct
