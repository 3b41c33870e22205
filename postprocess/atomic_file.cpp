#include "postprocess/atomic_file.hpp"

#include <cerrno>
#include <fcntl.h>
#include <stdexcept>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace clarke {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const char* what, int error) {
  throw std::runtime_error(path.string() + ": " + what + ": " + std::generic_category().message(error));
}

/// Creates or empties the file for writing; -1 on failure. Not inherited by programs that are started meanwhile.
int open_empty(const std::filesystem::path& path) {
  int descriptor = -1;
  do {
    descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  } while (descriptor < 0 && errno == EINTR);
  return descriptor;
}

/// Writes everything; 0, or the error number. A short write is not an error by itself: the next call says why.
int write_all(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(descriptor, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

/// A new name in a directory is safe once the directory is. Not every file system offers that: it is no error.
void synchronise_directory(const std::filesystem::path& directory) {
  const int descriptor = ::open(directory.empty() ? "." : directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  (void)::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

void write_whole_file(const std::filesystem::path& path, std::string_view content, Durability durability) {
  const std::filesystem::path partial = path.string() + std::string(kPartialSuffix);
  const int descriptor = open_empty(partial);
  if (descriptor < 0) fail(path, "cannot be written", errno);
  int error = write_all(descriptor, content);
  const bool durable = durability == Durability::synchronised;
  if (durable && error == 0 && ::fsync(descriptor) != 0) error = errno;
  // Network file systems report a full disk only here.
  if (::close(descriptor) != 0 && error == 0) error = errno;
  if (error == 0 && ::rename(partial.c_str(), path.c_str()) != 0) error = errno;
  if (error == 0 && durable) synchronise_directory(path.parent_path());
  if (error == 0) return;
  ::unlink(partial.c_str());
  fail(path, "cannot be written", error);
}

RecordFile::RecordFile(std::filesystem::path path, std::string_view header)
    : path_(std::move(path)), descriptor_(open_empty(path_)) {
  if (descriptor_ < 0) fail(path_, "cannot be written", errno);
  try {
    append(header);
  } catch (...) {
    ::close(descriptor_);
    ::unlink(path_.c_str());
    throw;
  }
}

RecordFile::RecordFile(std::filesystem::path path, std::string_view header, long long size)
    : path_(std::move(path)), descriptor_(::open(path_.c_str(), O_RDWR | O_CLOEXEC)), size_(size) {
  if (descriptor_ < 0) fail(path_, "cannot be written", errno);
  std::string begin(header.size(), '\0');
  char last = 0;
  const bool ours =
      size >= static_cast<long long>(header.size()) && ::lseek(descriptor_, 0, SEEK_END) >= static_cast<off_t>(size) &&
      ::pread(descriptor_, begin.data(), begin.size(), 0) == static_cast<ssize_t>(begin.size()) && begin == header &&
      ::pread(descriptor_, &last, 1, static_cast<off_t>(size) - 1) == 1 && last == '\n';
  if (ours && ::ftruncate(descriptor_, static_cast<off_t>(size)) == 0 &&
      ::lseek(descriptor_, static_cast<off_t>(size), SEEK_SET) == static_cast<off_t>(size))
    return;
  ::close(descriptor_);
  throw std::runtime_error(path_.string() +
                           ": is not what the checkpoint was written beside: it should have at least " +
                           std::to_string(size) + " bytes, with the same columns");
}

void RecordFile::synchronise() const { (void)::fsync(descriptor_); }

RecordFile::~RecordFile() { ::close(descriptor_); }

void RecordFile::append(std::string_view records) {
  if (const int error = write_all(descriptor_, records); error != 0) {
    // What was written of these records goes, so that the file ends with a complete one. Should that fail too, the
    // message below is still the one that helps.
    if (::ftruncate(descriptor_, static_cast<off_t>(size_)) == 0)
      ::lseek(descriptor_, static_cast<off_t>(size_), SEEK_SET);
    fail(path_, "cannot be extended", error);
  }
  size_ += static_cast<long long>(records.size());
}

}  // namespace clarke
