#pragma once
// Files that are there whole or not at all: a reader that watches the output directory (ParaView, a plot, a study)
// must never meet half a file, and a full disk must not leave one behind.
//
// The content goes to `<name>.partial` beside the file, which is then renamed over it; within one directory that is
// one step for the file system. Limits: unless it is asked for, nothing is synchronised to the device, so a power
// failure may still lose the file; two processes that write the same file at once are not kept apart.

#include <filesystem>
#include <string>
#include <string_view>

namespace clarke {

/// Ending of a file that is being written.
inline constexpr std::string_view kPartialSuffix = ".partial";

/// Whether a file survives a power failure, at the price of waiting for the device.
enum class Durability { handed_over, synchronised };

/// Creates or replaces the file. Throws std::runtime_error with the path and the reason, and leaves all as it was.
void write_whole_file(const std::filesystem::path& path, std::string_view content,
                      Durability durability = Durability::handed_over);

/// A text file that grows by whole records: each append is on disk (handed to the system) when the call returns, or, if
/// it throws std::runtime_error (path and reason), not at all.
class RecordFile {
 public:
  /// Creates the file, or empties it, and writes `header`.
  RecordFile(std::filesystem::path path, std::string_view header);
  /// Goes on after the first `size` bytes of a file that begins with `header` and ends a record there; what follows is
  /// cut off. Throws std::runtime_error where it is not that file.
  RecordFile(std::filesystem::path path, std::string_view header, long long size);
  ~RecordFile();
  RecordFile(const RecordFile&) = delete;
  RecordFile& operator=(const RecordFile&) = delete;

  void append(std::string_view records);
  /// [byte] so far.
  long long size() const { return size_; }
  /// Waits until the device has it.
  void synchronise() const;

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
  long long size_ = 0;  // [byte] of the records that are complete
};

}  // namespace clarke
