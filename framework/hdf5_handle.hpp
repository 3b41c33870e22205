#pragma once
// What every use of HDF5's C interface needs: identifiers that are closed, and silence. For source files that read or
// write HDF5; no header includes it, because HDF5 is a private matter of the layers that use it.

#include <hdf5.h>

namespace clarke {

/// An identifier of the library, closed when it goes. Negative: the library refused; see valid().
class Hdf5Handle {
 public:
  Hdf5Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  ~Hdf5Handle() {
    if (id_ >= 0) (void)close_(id_);
  }
  Hdf5Handle(const Hdf5Handle&) = delete;
  Hdf5Handle& operator=(const Hdf5Handle&) = delete;
  operator hid_t() const { return id_; }
  bool valid() const { return id_ >= 0; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

/// The library prints its stack of errors unless it is told not to; while one of these lives it does not.
class Hdf5Quiet {
 public:
  Hdf5Quiet() {
    (void)H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
    (void)H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Hdf5Quiet() { (void)H5Eset_auto2(H5E_DEFAULT, print_, data_); }
  Hdf5Quiet(const Hdf5Quiet&) = delete;
  Hdf5Quiet& operator=(const Hdf5Quiet&) = delete;

 private:
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

}  // namespace clarke
