#pragma once
// One directory, one run: as long as a DirectoryLock lives, no other process gets one for the same directory. The
// system gives it back when the process ends, however it ends, so that nothing stale stays behind.
//
// The lock is an flock() on the file `.clarke.lock`, which says whose it is and is removed at the end. Limits: between
// machines it holds as far as the shared file system carries flock(); one that has none at all gives no lock, see
// held().

#include <filesystem>

namespace clarke {

class DirectoryLock {
 public:
  /// Throws InputError with the directory and who has it, or why there can be no lock.
  explicit DirectoryLock(const std::filesystem::path& directory);
  ~DirectoryLock();
  /// False: the file system has no locks, and nobody is kept out.
  bool held() const { return descriptor_ >= 0; }
  DirectoryLock(const DirectoryLock&) = delete;
  DirectoryLock& operator=(const DirectoryLock&) = delete;

 private:
  std::filesystem::path file_;
  int descriptor_ = -1;
};

}  // namespace clarke
