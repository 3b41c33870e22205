#pragma once
// Libraries that read files (VTK, libpng, HDF5) may end the program over a damaged one, print to it, ask for more
// memory than there is, or never come back. So a file is read twice: first by a child process, of which only the
// outcome is taken, then here.
//
//   the child ends well and silent     read here, by the same code, with the same outcome
//   it throws                          InputError with its message
//   it prints a complaint              InputError with the first line of it
//   a signal, or no end in sight       InputError: the file is damaged
//
// It may use kRoom [byte] of memory and kRoomPerByte times the size of the file, and kSeconds of a processor and one
// more per kBytesPerSecond. Limits: twice the time of a read; under sanitizers no limit of memory.

#include <functional>
#include <string>

namespace clarke {

/// Calls `read` in a child process. Throws InputError `path: …` unless all is well.
void rehearse(const std::string& path, const std::function<void()>& read);

}  // namespace clarke
