#include "output/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "output/number_text.hpp"

namespace mct::output {
namespace {

constexpr auto redraw_interval = std::chrono::milliseconds(100);
constexpr std::size_t widest_bar = 40;

bool can_redraw(std::FILE* stream) {
  const char* terminal = std::getenv("TERM");
  if (terminal != nullptr && std::strcmp(terminal, "dumb") == 0) return false;
  return ::isatty(::fileno(stream)) == 1;
}

std::size_t columns_of(std::FILE* stream) {
  winsize size{};
  if (::ioctl(::fileno(stream), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

}  // namespace

std::string progress_line(const std::string& label, std::uint64_t done, std::uint64_t total,
                          double seconds, std::size_t width, const std::string& unit,
                          const std::string& note) {
  const double share = total == 0 ? 1 : std::min(1.0, double(done) / double(total));
  std::string text = fmt::format("{:3d} %", int(share * 100));
  if (done > 0 && seconds > 0) {
    const double rate = double(done) / seconds;
    text += fmt::format("  {:.3g} {}/s", rate, unit);
    if (done < total) text += "  ETA " + seconds_text(double(total - done) / rate);
  }
  if (!note.empty()) text += "  " + note;
  const std::string front = label.empty() ? label : label + ' ';
  // brackets and two spaces around the bar; it is dropped where it would be too short to read
  const std::size_t used = front.size() + text.size() + 4;
  const std::size_t bar = std::min(width > used ? width - used : 0, widest_bar);
  if (bar < 8) return (front + text).substr(0, width);
  const auto filled = std::size_t(share * double(bar));
  std::string cells(bar, ' ');
  std::fill_n(cells.begin(), filled, '=');
  if (filled < bar) cells[filled] = '>';
  return front + '[' + cells + "]  " + text;
}

ProgressBar::ProgressBar(std::string label, std::uint64_t total, std::FILE* stream)
    : ProgressBar(std::move(label), total, "cases", stream) {}

ProgressBar::ProgressBar(std::string label, std::uint64_t total, std::string unit,
                         std::FILE* stream)
    : label_(std::move(label)),
      unit_(std::move(unit)),
      stream_(stream),
      active_(can_redraw(stream)) {
  if (active_) draw(0, total, start_);
}

ProgressBar::~ProgressBar() { finish(); }

void ProgressBar::update(std::uint64_t done, std::uint64_t total) {
  const std::lock_guard lock(mutex_);
  if (!active_ || done < last_done_) return;
  const auto now = Clock::now();
  if (now - last_draw_ >= redraw_interval) draw(done, total, now);
}

void ProgressBar::set_note(std::string note) {
  const std::lock_guard lock(mutex_);
  note_ = std::move(note);
}

void ProgressBar::draw(std::uint64_t done, std::uint64_t total, Clock::time_point now) {
  last_done_ = done;
  last_draw_ = now;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  // the last column stays free: writing there makes some terminals wrap
  const std::string line =
      progress_line(label_, done, total, seconds, columns_of(stream_) - 1, unit_, note_);
  std::fputs(('\r' + line + "\x1b[K").c_str(), stream_);
  std::fflush(stream_);
}

void ProgressBar::finish() {
  const std::lock_guard lock(mutex_);
  if (active_) {
    std::fputs("\r\x1b[K", stream_);
    std::fflush(stream_);
  }
  active_ = false;
}

}  // namespace mct::output
