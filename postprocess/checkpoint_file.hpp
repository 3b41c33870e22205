#pragma once
// A checkpoint: the record of a run between two steps (framework/state_archive.hpp) as one file.
//
//   512 bytes    lines of text:  clarke checkpoint / format F / program P / bytes N / sha256 S, filled up with zeros
//   N bytes      an HDF5 file: a data set for each entry of the record, 64-bit floats and integers or texts
//
// HDF5's own tools read it as it is: they look for their signature at 512 too. S is the SHA-256 of the lines before it
// and of the N bytes, and is checked before HDF5 sees anything. The file is written beside its name, synchronised to
// the device and renamed: after a power failure there is the old one or the new one. A format is read by programs that
// write the same; F grows with every change of what the entries mean.

#include "framework/state_archive.hpp"

#include <filesystem>
#include <string>

namespace clarke {

inline constexpr int kCheckpointFormat = 1;

/// Throws std::runtime_error with the path and the reason, and leaves what was there. `program`: one line.
void write_checkpoint(const std::filesystem::path& path, const StateRecord& record, const std::string& program);

/// Throws InputError with the path and the reason: no such file, no checkpoint, of another format, cut, damaged.
StateRecord read_checkpoint(const std::filesystem::path& path);

}  // namespace clarke
