#include "apps/mct/embed/interrupt.hpp"

#include <csignal>
#include <initializer_list>

namespace mct::cli {
namespace {

volatile std::sig_atomic_t noted = 0;

extern "C" void note_interrupt(int signal) {
  noted = 1;
  std::signal(signal, SIG_DFL);
}

/// Sets a handler. Signals that were ignored when the process began, as in a script's background,
/// stay ignored.
void handle(void (*handler)(int)) {
  for (const int signal : {SIGINT, SIGTERM}) {
    struct sigaction now {};
    if (::sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN) continue;
    std::signal(signal, handler);
  }
}

}  // namespace

InterruptNote::InterruptNote() {
  noted = 0;
  handle(note_interrupt);
}
InterruptNote::~InterruptNote() { handle(SIG_DFL); }
bool InterruptNote::is_there() { return noted != 0; }

}  // namespace mct::cli
