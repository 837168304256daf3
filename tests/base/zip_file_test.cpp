// Zip archives: what they have, and what is wrong with them.
#include "mctensor/base/zip_file.hpp"

#include "tests/archive_bytes.hpp"
#include "tests/files.hpp"

namespace mct {
namespace {

using namespace testing;

class ZipFileTest : public FileTest {
 protected:
  fs::path path_ = directory_ / "a.zip";
  void write(const std::string& bytes) const { std::ofstream(path_, std::ios::binary) << bytes; }
};

const std::vector<std::pair<std::string, std::string>> files{{"one", "first"}, {"two/b", ""}};

TEST_F(ZipFileTest, ReadsStoredAndPackedMembers) {
  for (const bool deflate : {false, true}) {
    write(zip_of(files, deflate));
    const ZipFile archive(path_);
    EXPECT_EQ(archive.names(), (std::vector<std::string>{"one", "two/b"}));
    EXPECT_EQ(archive.content("one"), "first");
    EXPECT_EQ(archive.content("two/b"), "");
    EXPECT_FALSE(archive.has("two"));
    EXPECT_TRUE(contains(io_error_of([&] { archive.content("two"); }), "there is no 'two' in '"));
  }
}

/// Whatever is cut off or changed, the answer is what was there or an IoError.
TEST_F(ZipFileTest, DamageIsFound) {
  for (const bool deflate : {false, true}) {
    const std::string whole = zip_of(files, deflate);
    const auto read = [&] { return ZipFile(path_).content("one"); };
    for (std::size_t i = 0; i < whole.size(); ++i) {
      write(whole.substr(0, i));
      EXPECT_THROW(read(), IoError) << i;
      for (const char other : {'\xff', '\0', 'A'}) {
        std::string changed = whole;
        changed[i] = other;
        write(changed);
        try {
          EXPECT_EQ(read(), "first") << i;
        } catch (const IoError&) {  // as good
        }
      }
    }
  }
  std::string broken = zip_of(files);
  broken[broken.find("first")] = 'F';
  write(broken);
  EXPECT_TRUE(contains(io_error_of([&] { ZipFile(path_).content("one"); }), "checksum"));
  write("no archive at all");
  EXPECT_TRUE(contains(io_error_of([&] { ZipFile{path_}; }), "not a whole zip archive"));
}

}  // namespace
}  // namespace mct
