#pragma once
// The device without a device: a memory space of the host whose pages nobody may touch outside kernels and declared
// copies. Configure with -DCLARKE_FENCE_DEVICE=ON (preset fence).
//
// On host backends a View is memory like any other, so that a host function that reads an element of it works by
// accident, until a machine with a device is found. In this space it crashes, wherever it is, with the label of the
// View:
//
//     clarke: the host reads device memory outside of a kernel: 'contact_gap', byte 24 of 4800
//
// Every allocation lies in chunks whose pages have no permissions (mprotect). KernelScope opens and closes all of them:
// around kernels that Clarke runs as plain loops, and around everything Kokkos announces to its tools: parallel_for,
// _reduce and _scan, the construction of views, deep_copy. Copies are made and counted as on a device, since
// kDeviceIsHost is false; results are the same bit for bit as without fence.
//
// Kernels may touch all of it. So memory is NaN until it is written, and again when it is no view's any more: a view
// that outlives its memory reads no number, where a device would go on reading the old one until somebody else has it.
//
// What it cannot see: a system call that is handed such memory (it fails with EFAULT), and a host thread that runs
// while a kernel does. It costs two calls of mprotect per kernel.
//
// Limits: Kokkos 3.4 (scripts/setup.sh builds it), whose interface of memory spaces this follows; Linux on x86-64 says
// whether it was a read or a write. A tool library of Kokkos' cannot be loaded beside it.

#include <Kokkos_Core.hpp>

#include <cstring>
#include <string>

#if KOKKOS_VERSION >= 30500
#error "CLARKE_FENCE_DEVICE: made for Kokkos 3.4, see framework/device_fence.hpp"
#endif

namespace clarke {

/// Memory that the host cannot reach, for kernels of the host.
class FencedSpace {
 public:
  using memory_space = FencedSpace;
  using execution_space = Kokkos::DefaultExecutionSpace;
  using device_type = Kokkos::Device<execution_space, memory_space>;
  using size_type = std::size_t;

  /// Throws std::bad_alloc. Memory is NaN until somebody writes to it.
  void* allocate(const std::string& label, std::size_t bytes) const;
  void deallocate(void* memory) const;
  static constexpr const char* name() { return "Fenced"; }
};

/// While one lives, kernels may touch device memory. May be nested.
class KernelScope {
 public:
  KernelScope() { enter(); }
  ~KernelScope() { leave(); }
  KernelScope(const KernelScope&) = delete;
  KernelScope& operator=(const KernelScope&) = delete;

  static void enter();
  static void leave();
};

}  // namespace clarke

// What Kokkos wants to know of a memory space.
namespace Kokkos::Impl {

// Kernels of the host reach it. That the host itself does not is for the pages to say, not for Kokkos' own check, which
// knows only where code was compiled for.
template <>
struct MemorySpaceAccess<Kokkos::HostSpace, clarke::FencedSpace> {
  enum { assignable = false };
  enum { accessible = true };
  enum { deepcopy = true };
};
template <>
struct MemorySpaceAccess<clarke::FencedSpace, Kokkos::HostSpace> {
  enum { assignable = false };
  enum { accessible = true };
  enum { deepcopy = true };
};

// Mirrors lie in memory of the host.
template <>
struct HostMirror<clarke::FencedSpace> {
  using Space = Kokkos::HostSpace;
};
template <class Exec>
struct HostMirror<Kokkos::Device<Exec, clarke::FencedSpace>> {
  using Space = Kokkos::HostSpace;
};

template <>
class SharedAllocationRecord<clarke::FencedSpace, void> : public SharedAllocationRecord<void, void> {
 public:
  std::string get_label() const override { return label_; }  // the header's would be behind the fence

  static SharedAllocationRecord* allocate(const clarke::FencedSpace& space, const std::string& label,
                                          std::size_t bytes) {
    return new SharedAllocationRecord(space, label, bytes);
  }

 protected:
  using Base = SharedAllocationRecord<void, void>;
  static void deallocate(Base* record) { delete static_cast<SharedAllocationRecord*>(record); }

  SharedAllocationRecord(const clarke::FencedSpace& space, const std::string& label, std::size_t bytes,
                         Base::function_type release = &deallocate)
      : Base(static_cast<SharedAllocationHeader*>(space.allocate(label, bytes + sizeof(SharedAllocationHeader))),
             bytes + sizeof(SharedAllocationHeader), release),
        label_(label) {}
  ~SharedAllocationRecord() override { clarke::FencedSpace().deallocate(m_alloc_ptr); }

 private:
  std::string label_;
};

/// A declared copy.
struct FencedCopy {
  FencedCopy(void* to, const void* from, std::size_t bytes) {
    const clarke::KernelScope scope;
    std::memcpy(to, from, bytes);
  }
};
template <class Exec>
struct DeepCopy<clarke::FencedSpace, clarke::FencedSpace, Exec> : FencedCopy {
  using FencedCopy::FencedCopy;
  DeepCopy(const Exec&, void* to, const void* from, std::size_t bytes) : FencedCopy(to, from, bytes) {}
};
template <class Exec>
struct DeepCopy<Kokkos::HostSpace, clarke::FencedSpace, Exec> : FencedCopy {
  using FencedCopy::FencedCopy;
  DeepCopy(const Exec&, void* to, const void* from, std::size_t bytes) : FencedCopy(to, from, bytes) {}
};
template <class Exec>
struct DeepCopy<clarke::FencedSpace, Kokkos::HostSpace, Exec> : FencedCopy {
  using FencedCopy::FencedCopy;
  DeepCopy(const Exec&, void* to, const void* from, std::size_t bytes) : FencedCopy(to, from, bytes) {}
};

}  // namespace Kokkos::Impl
