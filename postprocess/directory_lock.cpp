#include "postprocess/directory_lock.hpp"

#include "framework/error.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace clarke {
namespace {

/// "process 123 on host"
std::string this_process() {
  char host[256] = "";
  if (::gethostname(host, sizeof host - 1) != 0) host[0] = 0;
  return "process " + std::to_string(::getpid()) + " on " + host;
}

std::string holder(int descriptor) {
  char text[512] = "";
  const ssize_t length = ::pread(descriptor, text, sizeof text - 1, 0);
  return length > 0 ? std::string(text, static_cast<std::size_t>(length)) : "another process";
}

/// Whether the name still stands for what is open: its last owner may have removed it meanwhile.
bool same_file(int descriptor, const std::filesystem::path& file) {
  struct stat open = {}, named = {};
  return ::fstat(descriptor, &open) == 0 && ::stat(file.c_str(), &named) == 0 && open.st_ino == named.st_ino &&
         open.st_dev == named.st_dev;
}

}  // namespace

DirectoryLock::DirectoryLock(const std::filesystem::path& directory) : file_(directory / ".clarke.lock") {
  const auto refuse = [&directory](const std::string& what) {
    throw InputError("output directory " + directory.string() + ": " + what);
  };
  for (;;) {
    descriptor_ = ::open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor_ < 0) refuse(std::strerror(errno));
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
      const int error = errno;
      const std::string who = error == EWOULDBLOCK ? holder(descriptor_) : "";
      ::close(descriptor_);
      descriptor_ = -1;
      if (error == ENOSYS || error == EOPNOTSUPP || error == ENOLCK) return;
      if (who.empty()) refuse(std::string("cannot be locked: ") + std::strerror(error));
      refuse("is in use by " + who + "; give this run another -output_dir, or wait");
    }
    if (same_file(descriptor_, file_)) break;
    ::close(descriptor_);
  }
  const std::string who = this_process();
  const bool written = ::ftruncate(descriptor_, 0) == 0 &&
                       ::pwrite(descriptor_, who.data(), who.size(), 0) == static_cast<ssize_t>(who.size());
  (void)written;  // on a full disk the lock holds all the same, without a name
}

DirectoryLock::~DirectoryLock() {
  if (!held()) return;
  ::unlink(file_.c_str());  // before it is given back: who opens it now finds another file
  ::close(descriptor_);
}

}  // namespace clarke
