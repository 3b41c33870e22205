#if defined(CLARKE_FENCE_DEVICE)

#include "framework/device_fence.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <execinfo.h>
#include <map>
#include <mutex>
#include <new>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>
#include <vector>

namespace clarke {

namespace {

constexpr std::size_t kAlignment = 256;       // as cudaMalloc
constexpr std::size_t kChunk = 4UL << 20;     // the first; later ones are as large as all before
constexpr std::size_t kHugePage = 2UL << 20;  // permissions of a huge page change at once
constexpr int kUnknown = 0xff;                // bytes of what nobody has written, or is no view's any more: NaN, −1

constexpr std::size_t rounded(std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; }

/// What lies behind the fence. Made when the first view is, never destroyed: views outlive statics.
class Fence {
 public:
  static Fence& instance() {
    static Fence& fence = *new Fence;
    return fence;
  }

  void* allocate(const std::string& label, std::size_t bytes) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!announced_) announce();
    const std::size_t size = std::max(rounded(bytes, kAlignment), kAlignment);
    auto at = fitting(size);
    if (at == free_.end()) {
      add_chunk(size);
      at = fitting(size);
    }
    char* const memory = at->first;
    const std::size_t rest = at->second - size;
    free_.erase(at);
    if (rest > 0) free_[memory + size] = rest;
    used_[memory] = {size, bytes, label};
    enter();
    std::memset(memory, kUnknown, size);
    leave();
    return memory;
  }

  void deallocate(void* memory) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto at = used_.find(static_cast<char*>(memory));
    enter();
    std::memset(memory, kUnknown, at->second.size);
    leave();
    auto place = free_.emplace(at->first, at->second.size).first;
    used_.erase(at);
    if (const auto next = std::next(place); next != free_.end() && place->first + place->second == next->first) {
      place->second += next->second;
      free_.erase(next);
    }
    if (place == free_.begin()) return;
    if (const auto before = std::prev(place); before->first + before->second == place->first) {
      before->second += place->second;
      free_.erase(place);
    }
  }

  void enter() {
    if (depth_++ == 0) protect(PROT_READ | PROT_WRITE);
  }
  void leave() {
    if (--depth_ > 0) return;
    protect(PROT_NONE);
    watch();
  }

 private:
  struct Block {
    std::size_t size, bytes;
    std::string label;
  };
  struct Chunk {
    char* begin;
    std::size_t size;
  };

  std::map<char*, std::size_t>::iterator fitting(std::size_t size) {
    return std::find_if(free_.begin(), free_.end(), [size](const auto& hole) { return hole.second >= size; });
  }

  void add_chunk(std::size_t least) {
    std::size_t all = 0;
    for (const Chunk& c : chunks_) all += c.size;
    const std::size_t size = rounded(std::max({least, all, kChunk}), kHugePage);
    void* const memory = mmap(nullptr, size + kHugePage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    char* const begin = reinterpret_cast<char*>(rounded(reinterpret_cast<std::size_t>(memory), kHugePage));
    (void)madvise(begin, size, MADV_HUGEPAGE);
    if (depth_ > 0) (void)mprotect(begin, size, PROT_READ | PROT_WRITE);
    chunks_.push_back({begin, size});
    // Its neighbour is another chunk perhaps, but no view lies in both: a hole begins with every chunk.
    free_[begin + kAlignment] = size - kAlignment;
  }

  void protect(int permission) {
    for (const Chunk& c : chunks_)
      if (mprotect(c.begin, c.size, permission) != 0) {
        std::perror("clarke: the fence around device memory (mprotect)");
        std::abort();
      }
  }

  /// Kokkos says when its own kernels and copies begin and end.
  void announce() {
    namespace tools = Kokkos::Tools::Experimental;
    const auto begin = [](const char*, std::uint32_t, std::uint64_t*) { KernelScope::enter(); };
    const auto end = [](std::uint64_t) { KernelScope::leave(); };
    tools::set_begin_parallel_for_callback(begin);
    tools::set_begin_parallel_reduce_callback(begin);
    tools::set_begin_parallel_scan_callback(begin);
    tools::set_end_parallel_for_callback(end);
    tools::set_end_parallel_reduce_callback(end);
    tools::set_end_parallel_scan_callback(end);
    announced_ = true;
    void* frame = nullptr;
    (void)backtrace(&frame, 1);  // loads what it needs: not for a signal handler to do
    watch();
  }

  /// Faults come here first. Test frameworks put their own handlers in the way, so this is looked after.
  void watch() {
    struct sigaction now = {};
    if (sigaction(SIGSEGV, nullptr, &now) != 0 || now.sa_sigaction == &Fence::fault) return;
    before_ = now;
    struct sigaction ours = {};
    ours.sa_sigaction = &Fence::fault;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
    (void)sigaction(SIGSEGV, &ours, nullptr);
  }

  /// Names what was touched; then whoever was there before has the signal.
  static void fault(int, siginfo_t* info, [[maybe_unused]] void* context) {
    Fence& fence = instance();
    const char* const at = static_cast<const char*>(info->si_addr);
    const bool ours = std::any_of(fence.chunks_.begin(), fence.chunks_.end(),
                                  [at](const Chunk& c) { return at >= c.begin && at < c.begin + c.size; });
    if (ours) {
      const char* verb = "touches";
#if defined(__x86_64__)
      verb = (static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR] & 2) != 0 ? "writes" : "reads";
#endif
      fence.report(at, verb);
      void* frames[16];
      backtrace_symbols_fd(frames, backtrace(frames, 16), STDERR_FILENO);
    }
    (void)sigaction(SIGSEGV, &fence.before_, nullptr);  // the access is tried again, and ends there
  }

  void report(const char* at, const char* verb) const {
    char text[512];
    const auto after = used_.upper_bound(const_cast<char*>(at));
    int length = 0;
    if (after != used_.begin() && at < std::prev(after)->first + std::prev(after)->second.size) {
      const auto& [begin, block] = *std::prev(after);
      const long header = sizeof(Kokkos::Impl::SharedAllocationHeader);
      length = std::snprintf(
          text, sizeof text, "clarke: the host %s device memory outside of a kernel: '%s', byte %ld of %ld\n", verb,
          block.label.c_str(), static_cast<long>(at - begin) - header, static_cast<long>(block.bytes) - header);
    } else {
      length = std::snprintf(text, sizeof text, "clarke: the host %s device memory that is no view's any more\n", verb);
    }
    if (write(STDERR_FILENO, text, std::min<std::size_t>(length, sizeof text - 1)) < 0) return;
  }

  std::mutex mutex_;
  std::map<char*, std::size_t> free_;
  std::map<char*, Block> used_;
  std::vector<Chunk> chunks_;
  int depth_ = 0;
  bool announced_ = false;
  struct sigaction before_ = {};
};

}  // namespace

void* FencedSpace::allocate(const std::string& label, std::size_t bytes) const {
  return Fence::instance().allocate(label, bytes);
}
void FencedSpace::deallocate(void* memory) const { Fence::instance().deallocate(memory); }

void KernelScope::enter() { Fence::instance().enter(); }
void KernelScope::leave() { Fence::instance().leave(); }

}  // namespace clarke

#endif
