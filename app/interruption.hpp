#pragma once
// Signals that end a run after the current step: SIGINT, SIGTERM, SIGHUP (its terminal is gone) and SIGPIPE (nobody
// reads what it prints any more). A second SIGINT or SIGTERM ends the program at once.

namespace clarke {

void watch_signals();
/// "SIGTERM", or null as long as there was none.
const char* interruption();

}  // namespace clarke
