#pragma once
// The only file that knows which backend runs the kernels. Everything else says `parallel_for(name, n, f)`,
// `View<T>` and `deterministic_sum`, and stays the same on one thread, many threads, CUDA, and on a host whose device
// memory is fenced (framework/device_fence.hpp).

#include "framework/math/quat.hpp"
#include "framework/team_sum.hpp"

#include <Kokkos_Core.hpp>

#if defined(CLARKE_FENCE_DEVICE)
#include "framework/device_fence.hpp"
#endif

#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace clarke {

using Exec = Kokkos::DefaultExecutionSpace;
#if defined(CLARKE_FENCE_DEVICE)
using Memory = FencedSpace;
#else
using Memory = Exec::memory_space;
/// For kernels that run as plain loops on the host; nothing, unless their memory is fenced.
struct KernelScope {};
#endif

#if defined(CLARKE_CHECK_HOST_ACCESS)
/// For scripts/host_access.py only, which asks nvcc's front end who calls these operators: only kernels may touch the
/// elements of a device view. (Kokkos itself notices at run time, on a machine with a device.)
template <class T>
class View : public Kokkos::View<T*, Memory> {
 public:
  using Base = Kokkos::View<T*, Memory>;
  using Base::Base;
  KOKKOS_DEFAULTED_FUNCTION View() = default;
  template <class U, class... Properties>
  KOKKOS_INLINE_FUNCTION View(const Kokkos::View<U, Properties...>& other) : Base(other) {}
  __device__ T& operator()(int i) const { return Base::operator()(i); }
  __device__ T& operator[](int i) const { return Base::operator()(i); }
};
#else
template <class T>
using View = Kokkos::View<T*, Memory>;
#endif
template <class T>
using ConstView = View<const T>;
template <class T>
using HostView = typename Kokkos::View<T*, Memory>::HostMirror;

/// Kernels run on the host.
inline constexpr bool kHostKernels = Kokkos::SpaceAccessibility<Kokkos::HostSpace, Exec::memory_space>::accessible;
/// The host may touch what kernels touch.
#if defined(CLARKE_FENCE_DEVICE)
inline constexpr bool kDeviceIsHost = false;
#else
inline constexpr bool kDeviceIsHost = kHostKernels;
#endif

/// Copies between host and device, and numbers that kernels hand back (sums, maxima, sizes), by the label of the view
/// or the name of the kernel. Where device and host are one there are none. Kokkos announces the copies, so that none
/// is left out.
struct Transfers {
  struct Count {
    long times = 0, bytes = 0;
  };
  std::map<std::string, Count> to_host, to_device;
  std::map<std::string, long> results;

  static Count total(const std::map<std::string, Count>& counts);
};
/// Of this process, since count_transfers(); whoever wants a part of it takes the difference or clears it.
Transfers& transfers();
/// Once, after Kokkos has started.
void count_transfers();

/// Work items below which a fork-join costs more than it saves (about 2 µs against 1 ns per light item when the
/// cores are free, and hundreds of times that while other programs hold them).
/// Smaller kernels run on the calling thread. Results cannot depend on it: kernels write disjoint slices, and all
/// sums have a fixed order.
inline constexpr int kGrain = 16384;

/// Whether a profiling tool has been loaded. Kokkos looks through all of a tool's callbacks to say so, which in a small
/// step costs as much as its arithmetic; tools are there once Kokkos has started, or never.
inline bool profiled() {
  static const bool loaded = Kokkos::Tools::profileLibraryLoaded();
  return loaded;
}

/// Calls f(i) for i in [0, n) in any order; f writes only what item i owns. `cost` is the rough work of one item in
/// units of a light one (a few flops), so that few heavy items are still shared among threads.
template <class F>
void parallel_for(const char* name, int n, const F& f, [[maybe_unused]] int cost = 1) {
  if (n <= 0) return;
#if defined(KOKKOS_ENABLE_SERIAL)
  if constexpr (kHostKernels) {
    if (static_cast<long>(n) * cost < kGrain) {
      [[maybe_unused]] const KernelScope scope;
      // A plain loop unless a profiling tool wants to see the kernel: Kokkos' launch allocates a string for the name.
      if (kDeviceIsHost && profiled()) {
        Kokkos::parallel_for(name, Kokkos::RangePolicy<Kokkos::Serial>(0, n), f);
      } else {
        for (int i = 0; i < n; ++i) f(i);
      }
      return;
    }
  }
#endif
  Kokkos::parallel_for(name, Kokkos::RangePolicy<Exec>(0, n), f);
}

/// first(i) = Σ_{j<i} size(j) for i in [0, n); `total`, where it is wanted, becomes the sum over all. `size` may read
/// what `first` holds at its own i. Integers, so any order gives the same.
template <class F>
void prefix_positions(const char* name, int n, const View<int>& first, const F& size, int* total = nullptr) {
  if (total) *total = 0;
  if (n <= 0) return;
  if constexpr (kHostKernels) {
    if (n < kGrain) {
      [[maybe_unused]] const KernelScope scope;
      int sum = 0;
      for (int i = 0; i < n; ++i) {
        const int s = size(i);
        first(i) = sum;
        sum += s;
      }
      if (total) *total = sum;
      return;
    }
  }
  const auto scan = KOKKOS_LAMBDA(int i, int& sum, bool last) {
    const int s = size(i);
    if (last) first(i) = sum;
    sum += s;
  };
  if (total)
    Kokkos::parallel_scan(name, Kokkos::RangePolicy<Exec>(0, n), scan, *total);
  else
    Kokkos::parallel_scan(name, Kokkos::RangePolicy<Exec>(0, n), scan);
}

/// prefix_positions(), and the sum over all for the host.
template <class F>
int prefix_sum(const char* name, int n, const View<int>& first, const F& size) {
  int total = 0;
  if (!kDeviceIsHost && n > 0) ++transfers().results[name];
  prefix_positions(name, n, first, size, &total);
  return total;
}

/// max f(i) over i in [0, n), at least 0; `cost` as of parallel_for().
template <class F>
double largest_of(const char* name, int n, const F& f, [[maybe_unused]] int cost = 1) {
  double largest = 0;
  if constexpr (!kDeviceIsHost) ++transfers().results[name];
  if constexpr (kHostKernels) {
    if (static_cast<long>(n) * cost < kGrain) {
      [[maybe_unused]] const KernelScope scope;
      for (int i = 0; i < n; ++i) {
        const double value = f(i);
        if (value > largest) largest = value;
      }
      return largest;
    }
  }
  Kokkos::parallel_reduce(
      name, Kokkos::RangePolicy<Exec>(0, n),
      KOKKOS_LAMBDA(int i, double& m) {
        const double value = f(i);
        if (value > m) m = value;
      },
      Kokkos::Max<double>(largest));
  return largest > 0 ? largest : 0;
}

/// Every element of `view` becomes `value`. (Kokkos::deep_copy forks the threads for it, however few the elements.)
template <class T>
void fill(const View<T>& view, const T& value) {
  const View<T> out = view;
  const T copy = value;
  parallel_for(
      "fill", static_cast<int>(view.extent(0)), KOKKOS_LAMBDA(int i) { out(i) = copy; });
}

/// Copies a host vector into a device view of its size.
template <class T>
void to_device(const std::vector<T>& host, const View<T>& view) {
  Kokkos::deep_copy(view, Kokkos::View<const T*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(host.data(), host.size()));
}
/// A new device view with the contents of a host vector.
template <class T>
View<T> to_device(const std::string& label, const std::vector<T>& host) {
  View<T> view(label, host.size());
  to_device(host, view);
  return view;
}
/// Copies a device view into a host vector of its size.
template <class T>
void to_host(const View<T>& view, std::vector<T>& out) {
  out.resize(view.extent(0));
  Kokkos::deep_copy(Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(out.data(), out.size()), view);
}

/// Waits for all kernels launched so far; nothing on host backends.
inline void fence() {
  if constexpr (!kDeviceIsHost) Kokkos::fence();
}

/// Aligned memory of the host, or std::bad_alloc.
std::shared_ptr<void> host_memory(std::size_t bytes);

/// Memory of a buffer. On a host plain memory, whose views count no references: kernels capture dozens of views each,
/// and in a small step the counting costs a quarter of all, an allocation of Kokkos ten times that of its memory.
template <class T>
class BufferMemory {
 public:
  static_assert(std::is_trivially_destructible_v<T>);
  int capacity() const { return capacity_; }
  /// Contents are undefined; the old ones are gone first.
  void allocate([[maybe_unused]] const std::string& label, int n) {
    capacity_ = n;
    if constexpr (kDeviceIsHost) {
      host_.reset();
      host_ = host_memory(static_cast<std::size_t>(n) * sizeof(T));
    } else {
      device_ = View<T>();
      // Kokkos would launch a kernel to clear it, which costs more than all else of a small step's layout.
      device_ = View<T>(Kokkos::view_alloc(label, Kokkos::WithoutInitializing), n);
    }
  }
  View<T> first(int n) const {
    if constexpr (kDeviceIsHost) {
      return View<T>(static_cast<T*>(host_.get()), n);
    } else {
      return Kokkos::subview(device_, Kokkos::make_pair(0, n));
    }
  }

 private:
  int capacity_ = 0;
  std::shared_ptr<void> host_;
  View<T> device_;
};

/// A view with at least n elements: grows by half when the capacity is exceeded, never shrinks, contents undefined
/// after growth. The returned view has exactly n elements, and is good until the next growth. Copies share the memory
/// until either grows. Grows are counted, so that tests can prove that no step allocates while the layout is unchanged.
template <class T>
class Buffer {
 public:
  explicit Buffer(std::string label = "clarke") : label_(std::move(label)) {}
  View<T> resize(int n) {
    if (n == static_cast<int>(view_.extent(0))) return view_;
    if (n > memory_.capacity()) {
      memory_.allocate(label_, n + n / 2);
      ++allocations();
    }
    view_ = memory_.first(n);
    return view_;
  }
  const View<T>& view() const { return view_; }
  operator const View<T>&() const { return view_; }
  /// Number of times any buffer grew in this process.
  static long& allocations();

 private:
  std::string label_;
  BufferMemory<T> memory_;
  View<T> view_;
};

/// Counter shared by all buffers, whatever their element.
long& buffer_allocations();
template <class T>
long& Buffer<T>::allocations() {
  return buffer_allocations();
}

/// Partial sums of `deterministic_sum`, kept by the caller so that repeated sums do not allocate.
template <int K>
struct SumScratch {
  Buffer<double> partial{"sum_partial"};
};

/// partial[c K + k] = Σ f(i)[k] over chunk c of [0, n), in index order; room for K numbers more behind them.
template <int K, class F>
View<double> chunk_sums(const char* name, int n, const F& f, SumScratch<K>& scratch) {
  const int chunks = sum_chunks(n);
  const View<double> partial = scratch.partial.resize((chunks + 1) * K);
  parallel_for(
      name, chunks,
      KOKKOS_LAMBDA(int c) {
        double s[K] = {};
        const int end = n < (c + 1) * kSumChunk ? n : (c + 1) * kSumChunk;
        for (int i = c * kSumChunk; i < end; ++i) {
          const Kokkos::Array<double, K> v = f(i);
          for (int k = 0; k < K; ++k) s[k] += v[k];
        }
        for (int k = 0; k < K; ++k) partial(c * K + k) = s[k];
      },
      (n / (chunks > 0 ? chunks : 1) + 1) * K);
  return partial;
}

/// finish(s) where the kernels are, once, with s[k] = Σ_i f(i)[k] for i in [0, n) as a Kokkos::Array<double, K>: chunks
/// of kSumChunk in index order, then the chunks in order, whatever the number of threads and the backend
/// (framework/team_sum.hpp). Nothing crosses to the host, which does not wait.
template <int K, class F, class G>
void deterministic_sum_into(const char* name, int n, const F& f, SumScratch<K>& scratch, const G& finish) {
  const int chunks = sum_chunks(n);
  if constexpr (kHostKernels) {
    const View<double> partial = chunk_sums<K>(name, n, f, scratch);
    parallel_for(
        name, 1, KOKKOS_LAMBDA(int) {
          Kokkos::Array<double, K> sum{};
          for (int c = 0; c < chunks; ++c)
            for (int k = 0; k < K; ++k) sum[k] += partial(c * K + k);
          finish(sum);
        });
  } else {
    team_sum<Exec, K>(name, n, f, scratch.partial.resize((chunks + 1) * K), finish);
  }
}

/// out[k] = Σ_i f(i)[k] for i in [0, n), the same sums for the host.
template <int K, class F>
void deterministic_sum(const char* name, int n, const F& f, SumScratch<K>& scratch, double (&out)[K]) {
  const int chunks = sum_chunks(n);
  if constexpr (kDeviceIsHost) {
    const View<double> partial = chunk_sums<K>(name, n, f, scratch);
    for (int k = 0; k < K; ++k) out[k] = 0;
    for (int c = 0; c < chunks; ++c)
      for (int k = 0; k < K; ++k) out[k] += partial(c * K + k);
  } else {
    const View<double> partial = scratch.partial.resize((chunks + 1) * K);
    deterministic_sum_into<K>(
        name, n, f, scratch, KOKKOS_LAMBDA(const Kokkos::Array<double, K>& sum) {
          for (int k = 0; k < K; ++k) partial(chunks * K + k) = sum[k];
        });
    Kokkos::deep_copy(Kokkos::View<double*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(out, K),
                      Kokkos::subview(partial, Kokkos::make_pair(chunks * K, (chunks + 1) * K)));
  }
}

}  // namespace clarke
