#include "postprocess/checkpoint_file.hpp"

#include "framework/error.hpp"
#include "framework/hdf5_handle.hpp"
#include "framework/rehearsal.hpp"
#include "framework/sha256.hpp"
#include "framework/text.hpp"
#include "postprocess/atomic_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <stdexcept>

namespace clarke {
namespace {

constexpr std::size_t kPreface = 512;                  // [byte] a place where HDF5 looks for its signature
constexpr std::size_t kGrowth = std::size_t(1) << 20;  // [byte] of an image in memory
const std::string kFirstLine = "clarke checkpoint\n";

/// What HDF5 refuses becomes an exception: while writing a lack of memory, while reading a file of somebody else.
struct Handle : Hdf5Handle {
  Handle(hid_t id, herr_t (*close)(hid_t)) : Hdf5Handle(id, close) {
    if (!valid()) throw std::runtime_error("HDF5 refused");
  }
};

void demand(bool held, const char* otherwise = "HDF5 refused") {
  if (!held) throw std::runtime_error(otherwise);
}

/// Access to a file that is in memory only.
Handle memory_access() {
  Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  demand(H5Pset_fapl_core(access, kGrowth, false) >= 0);
  return {H5Pcopy(access), H5Pclose};
}

void write_list(hid_t file, const std::string& name, hid_t in_file, hid_t in_memory, std::size_t count,
                const void* data) {
  const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose), creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  demand(H5Pset_create_intermediate_group(links, 1) >= 0);
  demand(H5Pset_obj_track_times(creation, false) >= 0);  // equal records give equal files
  const hsize_t size = count;
  const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
  const Handle set(H5Dcreate2(file, name.c_str(), in_file, space, links, creation, H5P_DEFAULT), H5Dclose);
  if (count > 0) demand(H5Dwrite(set, in_memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
}

Handle text_type(std::size_t length) {
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  demand(H5Tset_size(type, length) >= 0 && H5Tset_strpad(type, H5T_STR_NULLPAD) >= 0 &&
         H5Tset_cset(type, H5T_CSET_UTF8) >= 0);
  return {H5Tcopy(type), H5Tclose};
}

void write_entry(hid_t file, const std::string& name, const StateEntry& entry) {
  if (const auto* reals = std::get_if<std::vector<double>>(&entry))
    return write_list(file, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, reals->size(), reals->data());
  if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&entry))
    return write_list(file, name, H5T_STD_I64LE, H5T_NATIVE_INT64, integers->size(), integers->data());
  const auto& texts = std::get<std::vector<std::string>>(entry);
  std::size_t length = 1;
  for (const std::string& text : texts) length = std::max(length, text.size());
  std::string all;
  for (const std::string& text : texts) all += text + std::string(length - text.size(), '\0');
  const Handle type = text_type(length);
  write_list(file, name, type, type, texts.size(), all.data());
}

std::string image_of(const StateRecord& record) {
  const Hdf5Quiet quiet;
  const Handle access = memory_access();
  const Handle file(H5Fcreate("checkpoint", H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose);
  for (const auto& [name, entry] : record) write_entry(file, name, entry);
  demand(H5Fflush(file, H5F_SCOPE_LOCAL) >= 0);
  const ssize_t size = H5Fget_file_image(file, nullptr, 0);
  demand(size > 0);
  std::string image(static_cast<std::size_t>(size), '\0');
  demand(H5Fget_file_image(file, image.data(), image.size()) == size);
  return image;
}

/// What an image holds. Every byte of it belongs to one object, and every object has one name: an image in which groups
/// hold themselves, or name others' data, is none of ours and might have no end.
class ImageReader {
 public:
  explicit ImageReader(std::size_t bytes) : room_(bytes) {}

  void read_group(hid_t group, const std::string& prefix, int level = 0) {
    demand(level < kMostLevels, kForeign);
    H5G_info_t info;
    demand(H5Gget_info(group, &info) >= 0);
    for (hsize_t i = 0; i < info.nlinks; ++i) {
      H5L_info_t link;
      demand(H5Lget_info_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, &link, H5P_DEFAULT) >= 0);
      demand(link.type == H5L_TYPE_HARD, kForeign);
      const std::string name = name_of(group, i);
      take(kLeastObject);
      const Handle object(H5Oopen(group, name.c_str(), H5P_DEFAULT), H5Oclose);
      const H5I_type_t kind = H5Iget_type(object);
      demand(kind == H5I_GROUP || kind == H5I_DATASET, kForeign);
      kind == H5I_GROUP ? read_group(object, prefix + name + '/', level + 1) : read_set(object, prefix + name);
    }
  }
  StateRecord record;

 private:
  static constexpr const char* kForeign = "it holds what no checkpoint of clarke does";
  static constexpr int kMostLevels = 32;           // a state has about five
  static constexpr std::size_t kLeastObject = 16;  // [byte] the header of one [HDF5 File Format, IV.A.1]

  void take(std::size_t bytes) {
    demand(bytes <= room_, kForeign);
    room_ -= bytes;
  }

  static std::string name_of(hid_t group, hsize_t i) {
    const ssize_t length = H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, nullptr, 0, H5P_DEFAULT);
    demand(length > 0);
    std::string name(static_cast<std::size_t>(length) + 1, '\0');
    demand(H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, name.data(), name.size(), H5P_DEFAULT) > 0);
    name.pop_back();
    return name;
  }

  void read_set(hid_t set, const std::string& name) {
    const Handle type(H5Dget_type(set), H5Tclose), space(H5Dget_space(set), H5Sclose);
    const hssize_t points = H5Sget_simple_extent_npoints(space);
    const std::size_t each = H5Tget_size(type);
    demand(points >= 0 && each > 0);
    demand(static_cast<std::size_t>(points) <= room_ / each, kForeign);
    const auto count = static_cast<std::size_t>(points);
    take(count * each);
    const auto read = [&](hid_t in_memory, void* data) {
      if (count > 0) demand(H5Dread(set, in_memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
    };
    const H5T_class_t kind = H5Tget_class(type);
    if (kind == H5T_FLOAT) {
      std::vector<double> values(count);
      read(H5T_NATIVE_DOUBLE, values.data());
      record[name] = std::move(values);
    } else if (kind == H5T_INTEGER) {
      std::vector<std::int64_t> values(count);
      read(H5T_NATIVE_INT64, values.data());
      record[name] = std::move(values);
    } else {
      demand(kind == H5T_STRING && H5Tis_variable_str(type) == 0);
      std::string all(count * each, '\0');
      const Handle same = text_type(each);
      read(same, all.data());
      std::vector<std::string> values;
      for (std::size_t i = 0; i < count; ++i) values.emplace_back(all.substr(i * each, each).c_str());
      record[name] = std::move(values);
    }
  }

  std::size_t room_;  // [byte] that no object has claimed
};

StateRecord record_of(const std::string& image) {
  const Hdf5Quiet quiet;
  const Handle access = memory_access();
  std::string copy = image;  // the library wants one that it may write to
  demand(H5Pset_file_image(access, copy.data(), copy.size()) >= 0);
  const Handle file(H5Fopen("checkpoint", H5F_ACC_RDONLY, access), H5Fclose);
  const Handle root(H5Gopen2(file, "/", H5P_DEFAULT), H5Gclose);
  ImageReader reader(image.size());
  reader.read_group(root, "");
  return std::move(reader.record);
}

std::string bytes_of(const std::filesystem::path& path) {
  if (std::filesystem::is_directory(path)) throw InputError(path.string() + ": is a directory, expected a checkpoint");
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw InputError(path.string() + ": cannot be read: " + std::strerror(errno) +
                                ", expected a checkpoint that -checkpoint_every has written");
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// The lines of the preface after the first: "format 1", …
class Preface {
 public:
  Preface(const std::filesystem::path& path, const std::string& text) : path_(path), lines_(text) {}
  std::string value(const std::string& key) {
    std::string line;
    if (!std::getline(lines_, line) || !line.starts_with(key + ' ')) damaged("its " + key + " is missing");
    return line.substr(key.size() + 1);
  }
  long long number(const std::string& key) {
    const std::optional<long long> found = parse_integer(value(key));
    if (!found || *found < 0) damaged("its " + key + " is no number");
    return *found;
  }
  [[noreturn]] void damaged(const std::string& what) const {
    throw InputError(path_.string() + ": is a damaged checkpoint: " + what);
  }

 private:
  const std::filesystem::path& path_;
  std::istringstream lines_;
};

}  // namespace

void write_checkpoint(const std::filesystem::path& path, const StateRecord& record, const std::string& program) {
  const std::string image = image_of(record);
  std::string preface = kFirstLine + "format " + std::to_string(kCheckpointFormat) + "\nprogram " + program +
                        "\nbytes " + std::to_string(image.size()) + '\n';
  preface += "sha256 " + sha256(preface + image) + '\n';
  if (preface.size() > kPreface) throw std::logic_error("checkpoint: the name of the program is too long");
  preface.resize(kPreface, '\0');
  write_whole_file(path, preface + image, Durability::synchronised);
}

StateRecord read_checkpoint(const std::filesystem::path& path) {
  const std::string bytes = bytes_of(path);
  if (!bytes.starts_with(kFirstLine))
    throw InputError(path.string() + ": is no checkpoint of clarke" +
                     (bytes.starts_with("\x89HDF") ? " (another HDF5 file)"
                      : bytes.empty()              ? " (it is empty)"
                                                   : ""));
  Preface preface(path, bytes.substr(kFirstLine.size(), kPreface));
  const long long format = preface.number("format");
  const std::string program = preface.value("program");
  if (format != kCheckpointFormat)
    throw InputError(path.string() + ": has format " + std::to_string(format) + ", written by " + program + ", " +
                     (format > kCheckpointFormat ? "newer" : "older") + " than format " +
                     std::to_string(kCheckpointFormat) + " that this program reads");
  const long long size = preface.number("bytes");
  const std::string digest = preface.value("sha256");
  if (bytes.size() < kPreface || size != static_cast<long long>(bytes.size() - kPreface))
    preface.damaged("it has " + std::to_string(bytes.size()) + " of " +
                    std::to_string(size + static_cast<long long>(kPreface)) + " bytes");
  const std::string image = bytes.substr(kPreface);
  if (sha256(bytes.substr(0, bytes.find("sha256 ")) + image) != digest) preface.damaged("its checksum differs");
  const auto record = [&] {
    try {
      return record_of(image);
    } catch (const std::runtime_error& error) {
      preface.damaged(error.what());
    }
  };
  rehearse(path.string(), [&] { (void)record(); });  // a checksum that was made to fit lets anything through to HDF5
  return record();
}

}  // namespace clarke
