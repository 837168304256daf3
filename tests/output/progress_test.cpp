// The progress bar, on a pseudo-terminal and elsewhere.
#include "output/progress.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

namespace mct::output {
namespace {

/// A terminal whose output the test reads.
class Terminal {
 public:
  explicit Terminal(unsigned short columns) {
    winsize size{};
    size.ws_col = columns;
    size.ws_row = 24;
    int slave = -1;
    if (::openpty(&master_, &slave, nullptr, nullptr, &size) != 0) return;
    ::fcntl(master_, F_SETFL, O_NONBLOCK);
    stream_ = ::fdopen(slave, "w");
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  ~Terminal() {
    if (stream_ != nullptr) std::fclose(stream_);
    if (master_ >= 0) ::close(master_);
  }
  std::FILE* stream() const { return stream_; }
  std::string output() const {
    std::string text;
    char buffer[4096];
    for (ssize_t n; (n = ::read(master_, buffer, sizeof buffer)) > 0;)
      text.append(buffer, std::size_t(n));
    return text;
  }

 private:
  int master_ = -1;
  std::FILE* stream_ = nullptr;
};

class ProgressTest : public ::testing::Test {
 protected:
  void SetUp() override { ::setenv("TERM", "xterm", 1); }
};

TEST_F(ProgressTest, LineFitsAndTellsShareRateAndRest) {
  const std::string line = progress_line("validate", 250, 1000, 10, 79);
  EXPECT_LE(line.size(), 79u);
  EXPECT_NE(line.find("validate ["), std::string::npos) << line;
  EXPECT_NE(line.find(" 25 %"), std::string::npos) << line;
  EXPECT_NE(line.find("25 cases/s"), std::string::npos) << line;
  EXPECT_NE(line.find("ETA 30.0 s"), std::string::npos) << line;
  for (std::size_t width = 0; width < 120; ++width)
    EXPECT_LE(progress_line("validate", 250, 1000, 10, width).size(), width);
  const std::string end = progress_line("", 1000, 1000, 10, 79);
  EXPECT_NE(end.find("100 %"), std::string::npos);
  EXPECT_EQ(end.find("ETA"), std::string::npos);
  EXPECT_EQ(end.find('>'), std::string::npos);
  EXPECT_NE(progress_line("", 999999, 1000000, 1, 79).find(" 99 %"), std::string::npos);
  EXPECT_NE(progress_line("", 0, 0, 0, 79).find("100 %"), std::string::npos);
  EXPECT_NE(progress_line("", 2000, 1000, 1, 79).find("100 %"), std::string::npos);
}

TEST_F(ProgressTest, DrawsAtMostTenTimesASecondAndClears) {
  const Terminal terminal(100);
  if (terminal.stream() == nullptr) GTEST_SKIP() << "this system has no pseudo-terminals";
  const auto start = std::chrono::steady_clock::now();
  std::string text;
  {
    ProgressBar bar("check", 100000, terminal.stream());
    for (int i = 1; i <= 250; ++i) {
      bar.update(std::uint64_t(i) * 400, 100000);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    bar.finish();
    text = terminal.output();
    bar.update(100000, 100000);
  }
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  EXPECT_EQ(terminal.output(), "") << "nothing after finish";
  const auto draws = std::count(text.begin(), text.end(), '%');
  EXPECT_GE(draws, 2);
  EXPECT_LE(double(draws), 1 + seconds * 10 + 1);
  EXPECT_EQ(text.find('\n'), std::string::npos);
  ASSERT_GE(text.size(), 4u);
  EXPECT_EQ(text.substr(text.size() - 4), "\r\x1b[K");
}

TEST_F(ProgressTest, ManyThreadsMayUpdate) {
  const Terminal terminal(60);
  if (terminal.stream() == nullptr) GTEST_SKIP() << "this system has no pseudo-terminals";
  ProgressBar bar("check", 4000, terminal.stream());
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&bar] {
      for (int i = 0; i < 1000; ++i) bar.update(std::uint64_t(i), 4000);
    });
  for (auto& thread : threads) thread.join();
  bar.finish();
  const std::string text = terminal.output();
  // every drawing is whole: it begins with a return and ends by erasing the rest of the line
  EXPECT_EQ(std::count(text.begin(), text.end(), '\r'),
            std::count(text.begin(), text.end(), '\x1b'));
}

TEST_F(ProgressTest, NothingOutsideATerminal) {
  std::FILE* file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  {
    ProgressBar bar("check", 10, file);
    bar.update(5, 10);
  }
  std::fflush(file);
  EXPECT_EQ(std::ftell(file), 0);
  std::fclose(file);
}

TEST_F(ProgressTest, NothingOnADumbTerminal) {
  ::setenv("TERM", "dumb", 1);
  const Terminal terminal(80);
  if (terminal.stream() == nullptr) GTEST_SKIP() << "this system has no pseudo-terminals";
  {
    ProgressBar bar("check", 10, terminal.stream());
    bar.update(5, 10);
  }
  EXPECT_EQ(terminal.output(), "");
}

}  // namespace
}  // namespace mct::output
