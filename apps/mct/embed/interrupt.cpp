// Ctrl-C as a wish to stop, not an end.
#include "apps/mct/embed/interrupt.hpp"

#include <csignal>

namespace mct::cli {
namespace {

volatile std::sig_atomic_t noted = 0;

extern "C" void note_interrupt(int signal) {
  noted = 1;
  std::signal(signal, SIG_DFL);
}

}  // namespace

InterruptNote::InterruptNote() {
  noted = 0;
  std::signal(SIGINT, note_interrupt);
  std::signal(SIGTERM, note_interrupt);
}
InterruptNote::~InterruptNote() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}
bool InterruptNote::is_there() { return noted != 0; }

}  // namespace mct::cli
