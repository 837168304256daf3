// Safetensors files: round trips bit for bit, the bytes of the format, and files that lie.
#include "mctensor/tensor/safetensors.hpp"

#include <utility>

#include "tests/memory_limit.hpp"
#include "tests/tensor/file_fixture.hpp"
#include "tests/tensor/largest_allocation.hpp"

namespace mct {
namespace {

using namespace mct::testing;

class SafetensorsTest : public mct::testing::FileTest {
 protected:
  void SetUp() override {
    FileTest::SetUp();
    path_ = directory_ / "x.safetensors";
  }

  /// A file of any header and data; the header is padded unless `pad` is false.
  void write_file(std::string header, const std::string& data, bool pad = true) const {
    if (pad) header.append((8 - header.size() % 8) % 8, ' ');
    std::string length;
    for (std::size_t i = 0; i < 8; ++i) length += char(header.size() >> (8 * i) & 0xff);
    write_content(path_, length + header + data);
  }
  /// What opening such a file says.
  std::string error_of(const std::string& header, std::size_t data_bytes, bool pad = true) const {
    write_file(header, std::string(data_bytes, '\0'), pad);
    const std::string message = io_error_of([&] { SafetensorsReader reader(path_); });
    expect_contains(message, path_.string());
    return message;
  }
  /// A header of one entry "w" of floats.
  static std::string entry(const std::string& shape, const std::string& offsets) {
    return R"({"w":{"dtype":"F32","shape":)" + shape + R"(,"data_offsets":)" + offsets + "}}";
  }

  /// A small file of several types.
  void save_sample() const {
    SafetensorsWriter writer;
    writer.add("weights", random_tensor<Tensor<double, 2>>({2, 3}));
    writer.add("mask", Tensor<bool>::from_values({true, false, true}));
    writer.add("h", random_tensor<Tensor<half>>({2}));
    writer.set_metadata("k", "v");
    writer.save(path_);
  }
  /// Reads all that save_sample wrote, if it is still there.
  void load_all() const {
    const SafetensorsReader reader(path_);
    for (const std::string& name : reader.names()) {
      std::int64_t loaded = numel(reader.shape(name));
      const std::int64_t count = loaded;
      if (reader.dtype(name) == "F64") loaded = reader.load<double, 1>(name).numel();
      if (reader.dtype(name) == "BOOL") loaded = reader.load<bool, 1>(name).numel();
      if (reader.dtype(name) == "F16") loaded = reader.load<half, 1>(name).numel();
      EXPECT_EQ(loaded, count);
    }
  }

  std::filesystem::path path_;
};

template <class X>
class SafetensorsRoundTrip : public SafetensorsTest {};
TYPED_TEST_SUITE(SafetensorsRoundTrip, mct::testing::AllTensors);

TYPED_TEST(SafetensorsRoundTrip, KeepsEveryBit) {
  constexpr int N = TypeParam::components;
  const auto tensors = assorted_tensors<TypeParam>();
  SafetensorsWriter writer;
  for (std::size_t i = 0; i < tensors.size(); ++i) writer.add(std::to_string(i), tensors[i]);
  writer.save(this->path_);
  const SafetensorsReader reader(this->path_);
  EXPECT_EQ(reader.names().size(), tensors.size());
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const std::string name = std::to_string(i);
    expect_same(reader.load<typename TypeParam::Component, N>(name), tensors[i]);
    Shape shape = tensors[i].shape();
    if (N > 1) shape.insert(shape.begin(), N);
    EXPECT_EQ(reader.shape(name), shape);
  }
  EXPECT_EQ(this->files_here(), 1u);
}

TEST_F(SafetensorsTest, BytesOfTheFormat) {
  SafetensorsWriter writer;
  writer.add("b", Tensor<bool>::from_values({true, false}));
  writer.add("a\"\n", Tensor<half, 2>::from_values({f16x2(1)}));
  writer.add("z", Tensor<std::int64_t>::scalar(-2));
  writer.add("e", Tensor<float>({0, 3}));
  writer.set_metadata("key", "\xc3\xa9");
  writer.save(path_);
  std::string header = R"({"__metadata__":{"key":")"
                       "\xc3\xa9"
                       R"("},"z":{"dtype":"I64","shape":[],"data_offsets":[0,8]},)"
                       R"("e":{"dtype":"F32","shape":[0,3],"data_offsets":[8,8]},)"
                       R"("a\"\n":{"dtype":"F16","shape":[2,1],"data_offsets":[8,12]},)"
                       R"("b":{"dtype":"BOOL","shape":[2],"data_offsets":[12,14]}})";
  header.append((8 - header.size() % 8) % 8, ' ');
  const std::string content = content_of(path_);
  EXPECT_EQ(content.substr(0, 8), std::string({char(header.size()), 1, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(content.substr(8, header.size()), header);
  const std::string data("\xfe\xff\xff\xff\xff\xff\xff\xff\0\x3c\0\0\1\0", 14);
  EXPECT_EQ(content.substr(8 + header.size()), data);
}

TEST_F(SafetensorsTest, ReaderAnswers) {
  save_sample();
  const SafetensorsReader reader(path_);
  EXPECT_EQ(reader.names(), (std::vector<std::string>{"h", "mask", "weights"}));
  EXPECT_TRUE(reader.contains("h"));
  EXPECT_FALSE(reader.contains("__metadata__"));
  EXPECT_EQ(reader.shape("weights"), (Shape{2, 2, 3}));
  EXPECT_EQ(reader.dtype("weights"), "F64");
  EXPECT_EQ(reader.metadata(), (std::map<std::string, std::string>{{"k", "v"}}));
  expect_contains(io_error_of([&] { (void)reader.shape("none"); }), "no entry 'none' among its 3");
  expect_contains(io_error_of([&] { reader.load<float, 2>("weights"); }),
                  "entry 'weights': wanted F32 of shape (2, ...), found F64 of shape (2, 2, 3)");
  expect_contains(io_error_of([&] { reader.load<double, 3>("weights"); }),
                  "wanted F64 of shape (3, ...), found F64 of shape (2, 2, 3)");
  // the open file stays what it was
  SafetensorsWriter().save(path_);
  EXPECT_TRUE(SafetensorsReader(path_).names().empty());
  EXPECT_EQ((reader.load<bool, 1>("mask").values()), (std::vector<bool>{true, false, true}));
}

TEST_F(SafetensorsTest, WriterRefusesNames) {
  SafetensorsWriter writer;
  writer.add("a", Tensor<float>({1}));
  EXPECT_THROW(writer.add("a", Tensor<float>({1})), DomainError);
  EXPECT_THROW(writer.add("__metadata__", Tensor<float>({1})), DomainError);
  EXPECT_THROW(writer.add("\xff", Tensor<float>({1})), DomainError);
  EXPECT_THROW(writer.add("b", Tensor<float>(Shape(65, 1))), DomainError);
  EXPECT_THROW((writer.add("b", Tensor<float, 2>(Shape(64, 1)))), DomainError);
  EXPECT_THROW(writer.set_metadata("\xed\xa0\x80", ""), DomainError);
  EXPECT_THROW(writer.set_metadata("", "\xc0\x80"), DomainError);
  expect_contains(io_error_of([&] { writer.save(directory_); }), "Is a directory");
  writer.save(path_);
  EXPECT_EQ(SafetensorsReader(path_).names(), std::vector<std::string>{"a"});
}

TEST_F(SafetensorsTest, SavedElementsAreThoseAtSave) {
  const Tensor<double> x({2});
  SafetensorsWriter writer;
  writer.add("x", x);
  x.fill_(3);
  writer.save(path_);
  EXPECT_EQ((SafetensorsReader(path_).load<double, 1>("x").at({1})), 3);
}

TEST_F(SafetensorsTest, OtherWritersFiles) {
  // keys in another order, no padding needed, a type that no tensor holds, space after the header
  write_file(
      "{\"u\":{\"shape\":[3],\"data_offsets\":[4,7],\"dtype\":\"U8\"},\n"
      R"("f":{"data_offsets":[0,4],"dtype":"F32","shape":[]}})",
      std::string("\0\0\x80\x3f\1\2\3", 7));
  const SafetensorsReader reader(path_);
  EXPECT_EQ((reader.load<float, 1>("f").item()), 1);
  EXPECT_EQ(reader.dtype("u"), "U8");
  expect_contains(io_error_of([&] { reader.load<bool, 1>("u"); }), "found U8 of shape (3,)");
  write_file("{}", "");
  EXPECT_TRUE(SafetensorsReader(path_).names().empty());
}

TEST_F(SafetensorsTest, LengthsThatLie) {
  largest_allocation = 0;
  const std::string good = entry("[2]", "[0,8]");
  write_file(good, std::string(8, '\0'));
  EXPECT_EQ(SafetensorsReader(path_).shape("w"), Shape{2});
  expect_contains(error_of(good, 7), "ends at byte 8 of the data, the file has 7");
  expect_contains(error_of(good, 9), "the entries end at byte 8 of the data, the file has 9");
  expect_contains(error_of(good + std::string(7 - good.size() % 8, ' '), 8, false),
                  "not a multiple of 8");
  for (const char* start : {"\xff\xff\xff\xff\xff\xff\xff\xff", "\xff\xff\xff\xff\xff\xff\xff\x7f",
                            "\x00\x00\x00\x00\x01\x00\x00\x00"}) {
    write_content(path_, std::string(start, 8) + good);
    expect_contains(io_error_of([&] { SafetensorsReader reader(path_); }), "is truncated");
  }
  // a header beyond the limit, in a file that has it but takes no room
  write_content(path_, std::string("\x08\xe1\xf5\x05\0\0\0\0{", 9));
  std::filesystem::resize_file(path_, 200'000'000);
  expect_contains(io_error_of([&] { SafetensorsReader reader(path_); }),
                  "100000008 bytes, more than the 100000000");
  EXPECT_LT(largest_allocation, modest);
}

TEST_F(SafetensorsTest, OffsetsThatLie) {
  expect_contains(error_of(entry("[2]", "[8,0]"), 8), "run backwards, from 8 to 0");
  expect_contains(error_of(entry("[2]", "[8,16]"), 16), "begins at byte 8");
  expect_contains(error_of(entry("[2]", "[0,12]"), 12),
                  "entry 'w': F32 of shape (2,) does not fit the 12 bytes from 0 to 12");
  expect_contains(error_of(entry("[2]", "[0,7]"), 7), "does not fit the 7 bytes");
  expect_contains(error_of(entry("[2]", "[18446744073709551608,18446744073709551615]"), 8), "fit");
  expect_contains(error_of(entry("[2]", "[0,18446744073709551616]"), 8), "does not belong");
  const auto two = [](const std::string& a, const std::string& b) {
    return R"({"a":{"dtype":"F32","shape":[2],"data_offsets":)" + a +
           R"(},"b":{"dtype":"F32","shape":[1],"data_offsets":)" + b + "}}";
  };
  expect_contains(error_of(two("[0,8]", "[4,8]"), 8),
                  "entry 'b' begins at byte 4 of the data, the entries before it end at 8");
  expect_contains(error_of(two("[0,8]", "[0,4]"), 8), "entry 'a' begins at byte 0");
  expect_contains(error_of(two("[0,8]", "[12,16]"), 16), "entry 'b' begins at byte 12");
}

TEST_F(SafetensorsTest, ShapesThatLie) {
  largest_allocation = 0;
  // 2^32 * 2^32 * 4 bytes are 0 modulo 2^64
  expect_contains(error_of(entry("[4294967296,4294967296]", "[0,0]"), 0), "more than 2^62");
  expect_contains(error_of(entry("[4611686018427387904]", "[0,0]"), 0), "does not fit the 0");
  expect_contains(error_of(entry("[0,9223372036854775807,9223372036854775807]", "[0,0]"), 0),
                  "more than 2^62");
  expect_contains(error_of(entry("[9223372036854775808]", "[0,0]"), 0), "9223372036854775808");
  expect_contains(error_of(entry("[-1]", "[0,8]"), 8), "shape has an element");
  expect_contains(error_of(entry("[2.0]", "[0,8]"), 8), "2.0");
  std::string many = "[1";
  for (int i = 0; i < 64; ++i) many += ",1";
  expect_contains(error_of(entry(many + "]", "[0,4]"), 4), "more than 64 dimensions");
  EXPECT_LT(largest_allocation, modest);
}

TEST_F(SafetensorsTest, WrongJson) {
  const std::string good = R"("dtype":"F32","shape":[2],"data_offsets":[0,8])";
  const auto entry_error = [&](const std::string& inside) {
    return error_of(R"({"w":{)" + inside + "}}", 8);
  };
  for (const char* text : {"", "null", "[]", "7", " {}", "\xef\xbb\xbf{}", "{\"a\":"})
    expect_contains(error_of(text, 0), "header is not JSON");
  expect_contains(error_of("{\"w\":{" + good + "}} x", 8), "not JSON");
  expect_contains(error_of("{\"w\":{" + good + "}}" + '\0' + "x", 8), "zero byte");
  expect_contains(error_of("{\"w\":{" + good + "},\"w\":{" + good + "}}", 8), "'w' is given twice");
  expect_contains(error_of(R"({"__metadata__":{},"__metadata__":{}})", 0), "is given twice");
  expect_contains(error_of(R"({"__metadata__":{"a":"","a":""}})", 0), "'a' is given twice");
  expect_contains(error_of(R"({"__metadata__":{"a":1}})", 0),
                  "a text is expected for 'a', found 1");
  expect_contains(error_of(R"({"__metadata__":{"a":{}}})", 0), "found an object");
  expect_contains(error_of(R"({"__metadata__":[]})", 0), "an object is expected");
  expect_contains(error_of(R"({"w":7})", 0), "entry 'w': an object is expected, found 7");
  expect_contains(entry_error(good + R"(,"shape":[2])"), "'shape' is given twice");
  expect_contains(entry_error(good + R"(,"more":1)"), "'more' is unknown");
  expect_contains(entry_error(R"("dtype":"F32","shape":[2])"), "are not all given");
  expect_contains(entry_error(R"("dtype":32,"shape":[2],"data_offsets":[0,8])"), "dtype is no");
  expect_contains(entry_error(R"("dtype":["F32"],"shape":[2],"data_offsets":[0,8])"), "array");
  expect_contains(entry_error(R"("dtype":"F31","shape":[2],"data_offsets":[0,8])"),
                  "dtype 'F31' is unknown");
  expect_contains(entry_error(R"("dtype":"F32","shape":2,"data_offsets":[0,8])"), "not an array");
  expect_contains(entry_error(R"("dtype":"F32","shape":[[2]],"data_offsets":[0,8])"), "an array");
  expect_contains(entry_error(R"("dtype":"F32","shape":[2],"data_offsets":[0,8,8])"), "belong");
  expect_contains(entry_error(R"("dtype":"F32","shape":[2],"data_offsets":[0])"), "two numbers");
  expect_contains(entry_error(R"("dtype":"F32","shape":[true],"data_offsets":[0,8])"), "true");
  expect_contains(entry_error(R"("dtype":"F32","shape":null,"data_offsets":[0,8])"), "null");
  // not UTF-8: a stray byte, an overlong form, half of a surrogate pair
  for (const char* name : {"\xff", "\xc0\xaf", "\xed\xa0\x80", "\\ud800"})
    expect_contains(error_of("{\"" + std::string(name) + "\":{" + good + "}}", 8), "not JSON");
  for (const char* open : {"[", "{\"a\":", "{\"w\":{\"shape\":["}) {
    std::string deep = "{\"w\":";
    for (int i = 0; i < 200'000; ++i) deep += open;
    EXPECT_LT(error_of(deep, 0).size(), 1000u);
  }
  EXPECT_LT(error_of("{\"" + std::string(100'000, 'n') + "\":1}", 0).size(), 1000u);
}

TEST_F(SafetensorsTest, EveryTruncationIsNoticed) {
  save_sample();
  const std::string content = content_of(path_);
  for (std::size_t length = 0; length < content.size(); ++length) {
    write_content(path_, content.substr(0, length));
    expect_contains(io_error_of([&] { SafetensorsReader reader(path_); }), path_.string());
  }
  write_content(path_, content + '\0');
  expect_contains(io_error_of([&] { SafetensorsReader reader(path_); }), path_.string());
}

TEST_F(SafetensorsTest, NoChangedByteCrashes) {
  save_sample();
  const std::string content = content_of(path_);
  largest_allocation = 0;
  int refused = 0;
  for (std::size_t i = 0; i < content.size(); ++i)
    for (const int mask : {1, 2, 4, 8, 16, 32, 64, 128, 255}) {
      std::string changed = content;
      changed[i] = char(changed[i] ^ mask);
      write_content(path_, changed);
      try {
        load_all();
      } catch (const IoError& error) {
        expect_contains(error.what(), path_.string());
        ++refused;
      }
    }
  EXPECT_GT(refused, 1000);
  EXPECT_LT(largest_allocation, modest);
}

TEST_F(SafetensorsTest, MasksAreZeroOrOne) {
  write_file(R"({"m":{"dtype":"BOOL","shape":[2],"data_offsets":[0,2]}})", "\1\2");
  const SafetensorsReader reader(path_);
  expect_contains(io_error_of([&] { reader.load<bool, 1>("m"); }), "entry 'm': byte 1 of a mask");
}

TEST_F(SafetensorsTest, AFileThatShrinksIsNoticed) {
  save_sample();
  const SafetensorsReader reader(path_);
  std::filesystem::resize_file(path_, std::filesystem::file_size(path_) - 4);
  expect_contains(io_error_of([&] { reader.load<bool, 1>("mask"); }), "became shorter");
}

TEST_F(SafetensorsTest, AFileLargerThanTheMemoryIsNamed) {
  if (!can_limit_memory()) GTEST_SKIP() << "memory cannot be limited here";
  write_file(entry("[1073741824]", "[0,4294967296]"), "");
  // the disk has it: a file with a hole
  fs::resize_file(path_, fs::file_size(path_) + (std::uintmax_t(1) << 32));
  const SafetensorsReader reader(path_);
  const MemoryLimit limit(std::size_t(1) << 28);
  const std::string message = message_of<MemoryError>([&] { reader.load<float, 1>("w"); });
  expect_contains(message, path_.string());
  expect_contains(message, "entry 'w'");
  expect_contains(message, "4294967296 bytes");
}

}  // namespace
}  // namespace mct
