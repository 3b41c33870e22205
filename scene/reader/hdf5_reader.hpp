#pragma once
// Reading HDF5 files: numbers and texts by path, nothing else. Every call that cannot be served throws InputError with
// the file and the path; the library's own messages are kept quiet. Files are opened without locks, so that read-only
// media do.

#include <string>
#include <vector>

namespace clarke {

class Hdf5Reader {
 public:
  /// Throws InputError when the file is not there, not HDF5, or cut off.
  explicit Hdf5Reader(std::string file);
  ~Hdf5Reader();
  Hdf5Reader(const Hdf5Reader&) = delete;
  Hdf5Reader& operator=(const Hdf5Reader&) = delete;

  const std::string& file() const { return file_; }
  /// Whether there is a group or data set at `path` ("a/b/c").
  bool has(const std::string& path) const;
  /// All elements of a numeric data set, whatever its shape and width.
  std::vector<double> numbers(const std::string& path) const;
  /// The same for whole numbers; a data set of another kind is refused.
  std::vector<int> integers(const std::string& path) const;
  /// A data set of one whole number.
  int integer(const std::string& path) const;
  /// All elements of a data set of texts; a text is one of fixed or of variable length.
  std::vector<std::string> texts(const std::string& path) const;
  /// The first text, or "" where there is none.
  std::string text(const std::string& path) const;

  /// `file: path: what`, the form of every message.
  [[noreturn]] void fail(const std::string& path, const std::string& what) const;

 private:
  std::string file_;
  long long id_ = -1;  // hid_t
};

}  // namespace clarke
