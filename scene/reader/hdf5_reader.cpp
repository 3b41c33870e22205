#include "scene/reader/hdf5_reader.hpp"

#include "framework/error.hpp"
#include "framework/hdf5_handle.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>

namespace clarke {
namespace {

constexpr double kTightest = 1100;  // of deflate, bytes over bytes

struct DataSet {
  Hdf5Handle set, type, space;
  H5T_class_t kind;
  std::size_t count;
};

DataSet open_set(const Hdf5Reader& reader, hid_t file, const std::string& path) {
  if (!reader.has(path)) reader.fail(path, "is missing");
  const hid_t set = H5Dopen2(file, path.c_str(), H5P_DEFAULT);
  if (set < 0) reader.fail(path, "is not a data set");
  const hid_t type = H5Dget_type(set), space = H5Dget_space(set);
  const hssize_t count = space < 0 ? -1 : H5Sget_simple_extent_npoints(space);
  if (type < 0 || count < 0) {
    if (type >= 0) (void)H5Tclose(type);
    if (space >= 0) (void)H5Sclose(space);
    (void)H5Dclose(set);
    reader.fail(path, "cannot be read");
  }
  // A damaged header may state any size: what is not in the file, packed as tightly as can be, is not read.
  const double stated = static_cast<double>(count) * static_cast<double>(H5Tget_size(type));
  if (stated > kTightest * static_cast<double>(std::filesystem::file_size(reader.file()))) {
    (void)H5Tclose(type);
    (void)H5Sclose(space);
    (void)H5Dclose(set);
    reader.fail(path, "has " + std::to_string(count) + " elements, for which the file is too short");
  }
  return {{set, H5Dclose}, {type, H5Tclose}, {space, H5Sclose}, H5Tget_class(type), static_cast<std::size_t>(count)};
}

/// A damaged header may state any size; what does not fit an int is no problem of ours.
void check_count(const Hdf5Reader& reader, const std::string& path, std::size_t count) {
  if (count > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    reader.fail(path, "has " + std::to_string(count) + " elements, too many");
}

}  // namespace

Hdf5Reader::Hdf5Reader(std::string file) : file_(std::move(file)) {
  const Hdf5Quiet quiet;
  std::error_code error;
  if (!std::filesystem::exists(file_, error)) throw InputError(file_ + ": no such file");
  if (std::filesystem::is_directory(file_, error)) throw InputError(file_ + ": is a directory");
  const htri_t known = H5Fis_hdf5(file_.c_str());
  if (known < 0) throw InputError(file_ + ": cannot be read");
  if (known == 0) throw InputError(file_ + ": is not an HDF5 file");
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  (void)H5Pset_file_locking(access, 0, 1);
  id_ = H5Fopen(file_.c_str(), H5F_ACC_RDONLY, access);
  if (id_ < 0) throw InputError(file_ + ": cannot be opened: cut off, damaged, or of a newer HDF5");
}

Hdf5Reader::~Hdf5Reader() {
  const Hdf5Quiet quiet;
  if (id_ >= 0) (void)H5Fclose(id_);
}

void Hdf5Reader::fail(const std::string& path, const std::string& what) const {
  throw InputError(file_ + ": " + path + ": " + what);
}

bool Hdf5Reader::has(const std::string& path) const {
  const Hdf5Quiet quiet;
  for (std::size_t end = path.find('/');; end = path.find('/', end + 1)) {  // H5Lexists wants every group on the way
    if (H5Lexists(id_, path.substr(0, end).c_str(), H5P_DEFAULT) <= 0) return false;
    if (end == std::string::npos) return true;
  }
}

std::vector<double> Hdf5Reader::numbers(const std::string& path) const {
  const Hdf5Quiet quiet;
  const DataSet d = open_set(*this, id_, path);
  if (d.kind != H5T_FLOAT && d.kind != H5T_INTEGER) fail(path, "expected numbers");
  check_count(*this, path, d.count);
  std::vector<double> out(d.count);
  if (d.count > 0 && H5Dread(d.set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, out.data()) < 0)
    fail(path, "cannot be read: the file is damaged or cut off");
  return out;
}

std::vector<int> Hdf5Reader::integers(const std::string& path) const {
  const Hdf5Quiet quiet;
  const DataSet d = open_set(*this, id_, path);
  if (d.kind != H5T_INTEGER) fail(path, "expected whole numbers");
  check_count(*this, path, d.count);
  std::vector<int> out(d.count);  // HDF5 clips what does not fit, and clipped sizes and indices are refused later
  if (d.count > 0 && H5Dread(d.set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, out.data()) < 0)
    fail(path, "cannot be read: the file is damaged or cut off");
  return out;
}

int Hdf5Reader::integer(const std::string& path) const {
  const std::vector<int> all = integers(path);
  if (all.size() != 1) fail(path, "expected one number, found " + std::to_string(all.size()));
  return all[0];
}

std::vector<std::string> Hdf5Reader::texts(const std::string& path) const {
  const Hdf5Quiet quiet;
  const DataSet d = open_set(*this, id_, path);
  if (d.kind != H5T_STRING) fail(path, "expected text");
  check_count(*this, path, d.count);
  std::vector<std::string> out(d.count);
  if (d.count == 0) return out;
  const std::string damaged = "cannot be read: the file is damaged or cut off";
  if (H5Tis_variable_str(d.type) > 0) {
    std::vector<char*> read(d.count, nullptr);
    if (H5Dread(d.set, d.type, H5S_ALL, H5S_ALL, H5P_DEFAULT, read.data()) < 0) fail(path, damaged);
    for (std::size_t i = 0; i < d.count; ++i) out[i] = read[i] ? read[i] : "";
    (void)H5Dvlen_reclaim(d.type, d.space, H5P_DEFAULT, read.data());
    return out;
  }
  const std::size_t length = H5Tget_size(d.type);
  check_count(*this, path, length);
  check_count(*this, path, d.count * length);
  std::vector<char> read(d.count * length);
  if (H5Dread(d.set, d.type, H5S_ALL, H5S_ALL, H5P_DEFAULT, read.data()) < 0) fail(path, damaged);
  for (std::size_t i = 0; i < d.count; ++i) {
    out[i].assign(read.data() + i * length, length);
    out[i].resize(out[i].find_last_not_of(std::string("\0 ", 2)) + 1);  // fillers; npos + 1 is 0
    out[i].resize(std::min(out[i].size(), out[i].find('\0')));
  }
  return out;
}

std::string Hdf5Reader::text(const std::string& path) const {
  if (!has(path)) return "";
  const std::vector<std::string> all = texts(path);
  return all.empty() ? "" : all[0];
}

}  // namespace clarke
