// Where a file is replaced and where it is written as it is.
#include "mctensor/base/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/files.hpp"

namespace mct {
namespace {

using namespace testing;

class AtomicFileTest : public FileTest {};

/// A file that is open while the object lives.
class Descriptor {
 public:
  Descriptor(const fs::path& path, int flags) : number_(::open(path.c_str(), flags, 0666)) {
    EXPECT_GE(number_, 0) << path;
  }
  ~Descriptor() { ::close(number_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int number() const { return number_; }
  fs::path name() const { return "/dev/fd/" + std::to_string(number_); }
  void write(const std::string& text) const {
    EXPECT_EQ(::write(number_, text.data(), text.size()), ssize_t(text.size()));
  }

 private:
  int number_;
};

unsigned mode_of(const fs::path& path) {
  struct stat status {};
  EXPECT_EQ(::stat(path.c_str(), &status), 0) << path;
  return status.st_mode & 07777U;
}

TEST_F(AtomicFileTest, SharedMemoryHoldsOrdinaryFiles) {
  const fs::path path = "/dev/shm/mctensor_test_" + std::to_string(::getpid());
  if (::access("/dev/shm", W_OK) != 0) GTEST_SKIP() << "no /dev/shm here";
  write_file_atomically(path, std::string(1000, 'x'));
  EXPECT_NO_THROW(check_writable(path));
  write_file_atomically(path, "short");
  EXPECT_EQ(content_of(path), "short");
  fs::remove(path);
}

TEST_F(AtomicFileTest, KeepsThePermissionsOfTheOldFile) {
  const mode_t before = ::umask(022);
  const fs::path path = directory_ / "file";
  write_file_atomically(path, "new");
  EXPECT_EQ(mode_of(path), 0644u);
  for (const mode_t mode : {0600, 0640, 0755, 0666}) {
    ASSERT_EQ(::chmod(path.c_str(), mode), 0);
    write_file_atomically(path, "newer");
    EXPECT_EQ(mode_of(path), mode);
  }
  ::umask(before);
}

TEST_F(AtomicFileTest, KeepsTheOwnerWhereThatIsAllowed) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root may give files away";
  const fs::path path = directory_ / "file";
  write_file_atomically(path, "old");
  ASSERT_EQ(::chown(path.c_str(), 1234, 2345), 0);
  ASSERT_EQ(::chmod(path.c_str(), 04711), 0);
  write_file_atomically(path, "new");
  struct stat status {};
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_uid, 1234u);
  EXPECT_EQ(status.st_gid, 2345u);
  EXPECT_EQ(mode_of(path), 04711u);
}

TEST_F(AtomicFileTest, TakesEveryNameThatTheSystemTakes) {
  std::string umlauts;
  while (umlauts.size() < 254) umlauts += "ü";
  for (const std::string& name : {std::string(250, 'n'), std::string(255, 'n'), umlauts}) {
    write_file_atomically(directory_ / name, "content");
    EXPECT_EQ(content_of(directory_ / name), "content");
  }
  EXPECT_EQ(files_here(), 3u);
  EXPECT_TRUE(
      contains(io_error_of([&] { write_file_atomically(directory_ / std::string(256, 'n'), ""); }),
               "too long"));
}

TEST_F(AtomicFileTest, NamesOfDescriptorsAreWrittenWhereTheyAre) {
  const fs::path path = directory_ / "file";
  std::ofstream(path) << std::string(1000, 'o');
  {
    // as a shell's 1<>
    const Descriptor open(path, O_RDWR);
    open.write("printed\n");
    EXPECT_NO_THROW(check_writable(open.name()));
    write_file_atomically(open.name(), "written\n");
    write_file_atomically("/proc/self/fd/" + std::to_string(open.number()), "twice\n");
    open.write("later\n");
  }
  EXPECT_EQ(content_of(path), "printed\nwritten\ntwice\nlater\n");
  {
    const Descriptor open(path, O_WRONLY | O_APPEND);
    write_file_atomically(open.name(), "appended\n");
  }
  EXPECT_EQ(content_of(path), "printed\nwritten\ntwice\nlater\nappended\n");
  {
    const Descriptor open(path, O_RDONLY);
    EXPECT_TRUE(contains(io_error_of([&] { check_writable(open.name()); }), open.name()));
  }
  EXPECT_EQ(files_here(), 1u);
}

TEST_F(AtomicFileTest, LinksToDescriptorsAreFollowed) {
  const fs::path path = directory_ / "file";
  const Descriptor open(path, O_RDWR | O_CREAT);
  fs::create_symlink(open.name(), directory_ / "first");
  fs::create_symlink("first", directory_ / "second");
  open.write("a");
  write_file_atomically(directory_ / "second", "b");
  EXPECT_EQ(content_of(path), "ab");
  EXPECT_TRUE(fs::is_symlink(directory_ / "second"));
}

TEST_F(AtomicFileTest, LinksStayLinks) {
  fs::create_directory(directory_ / "below");
  fs::create_symlink("below/file", directory_ / "link");
  fs::create_symlink("../link", directory_ / "below" / "back");
  write_file_atomically(directory_ / "below" / "back", "made");
  EXPECT_EQ(content_of(directory_ / "below" / "file"), "made");
  EXPECT_TRUE(fs::is_symlink(directory_ / "link"));
  fs::create_symlink("loop", directory_ / "loop");
  EXPECT_TRUE(contains(io_error_of([&] { write_file_atomically(directory_ / "loop", ""); }),
                       "Too many levels"));
}

TEST_F(AtomicFileTest, DevicesAndPipesAreNotReplaced) {
  const fs::path pipe = directory_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0666), 0);
  EXPECT_NO_THROW(check_writable(pipe));
  const Descriptor reader(pipe, O_RDWR);
  write_file_atomically(pipe, "through");
  char text[8] = {};
  EXPECT_EQ(::read(reader.number(), text, 7), 7);
  EXPECT_STREQ(text, "through");
  EXPECT_TRUE(fs::is_fifo(pipe));
  EXPECT_TRUE(
      contains(io_error_of([] { write_file_atomically("/dev/full", "text"); }), "No space left"));
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST_F(AtomicFileTest, WhatAKilledProcessLeftIsRemoved) {
  const fs::path path = directory_ / "file";
  write_file_atomically(path, "old");
  const pid_t child = ::fork();
  if (child == 0) {
    AtomicFile file(path);
    file.write("new", 3);
    ::raise(SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(files_here(), 2u);
  remove_abandoned_files(path);
  EXPECT_EQ(files_here(), 1u);
  EXPECT_EQ(content_of(path), "old");
}

TEST_F(AtomicFileTest, WhatIsBeingWrittenStays) {
  const fs::path path = directory_ / "file";
  AtomicFile file(path);
  file.write("new", 3);
  remove_abandoned_files(path);
  file.commit();
  EXPECT_EQ(content_of(path), "new");
}

TEST_F(AtomicFileTest, OnlyTemporaryFilesOfTheFileAreAbandoned) {
  const std::string long_name(255, 'n');
  for (const char* name : {"file", ".file.tmp", ".file.12.tmp", ".file.12-.tmp", ".file.-1.tmp",
                           ".file.1-2.tmp2", ".file2.1-2.tmp", "file.1-2.tmp", ".file.a1-2.tmp",
                           ".1-2.tmp", "1-2.tmp", ".file.3-4.1-2.tmp"})
    write_file_atomically(directory_ / name, "");
  const std::size_t others = files_here();
  write_file_atomically(directory_ / ".file.1-2.tmp", "");
  write_file_atomically(directory_ / ".file.4194304-18446744073709551615.tmp", "");
  const std::string suffix = ".1-2.tmp";
  write_file_atomically(directory_ / ("." + long_name.substr(0, 254 - suffix.size()) + suffix), "");
  EXPECT_EQ(files_here(), others + 3);
  remove_abandoned_files(directory_ / "file");
  EXPECT_EQ(files_here(), others + 1);
  remove_abandoned_files(directory_ / long_name);
  EXPECT_EQ(files_here(), others);
  EXPECT_NO_THROW(remove_abandoned_files(directory_ / "none" / "file"));
}

}  // namespace
}  // namespace mct
