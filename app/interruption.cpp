#include "app/interruption.hpp"

#include <cerrno>
#include <csignal>
#include <initializer_list>
#include <unistd.h>

namespace clarke {
namespace {

volatile std::sig_atomic_t received = 0;

extern "C" void on_signal(int signal) {
  received = signal;
  if (signal != SIGINT && signal != SIGTERM) return;
  std::signal(signal, SIG_DFL);
  const int error = errno;  // of what is interrupted
  constexpr char kText[] = "\nclarke: interrupted, ends after this step; a second signal ends it at once\n";
  const ssize_t written = write(STDERR_FILENO, kText, sizeof kText - 1);
  static_cast<void>(written);  // nobody may read it
  errno = error;
}

}  // namespace

void watch_signals() {
  (void)std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error of its write, with a message
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
    struct sigaction action = {};
    action.sa_handler = on_signal;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;  // what is being written is written to its end
    struct sigaction before = {};
    (void)sigaction(signal, nullptr, &before);
    if (signal == SIGHUP && before.sa_handler == SIG_IGN) continue;  // under nohup it is to go on
    (void)sigaction(signal, &action, nullptr);
  }
}

const char* interruption() {
  switch (received) {
    case 0:
      return nullptr;
    case SIGINT:
      return "SIGINT";
    case SIGTERM:
      return "SIGTERM";
    case SIGHUP:
      return "SIGHUP";
    default:
      return "SIGPIPE";
  }
}

}  // namespace clarke
