#include "scene/meshes/image_file.hpp"

#include "framework/error.hpp"
#include "scene/rehearsal.hpp"

#include <vtkDataArray.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkObject.h>
#include <vtkPNGReader.h>
#include <vtkPointData.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

namespace clarke {

namespace {

/// CRC-32 of ISO 3309, as in PNG.
std::uint32_t checksum(std::string_view bytes) {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t k = 0; k < 256; ++k) {
    table[k] = k;
    for (int bit = 0; bit < 8; ++bit) table[k] = (table[k] >> 1) ^ (table[k] & 1 ? 0xedb88320u : 0);
  }
  std::uint32_t sum = 0xffffffff;
  for (const char c : bytes) sum = table[(sum ^ static_cast<unsigned char>(c)) & 0xff] ^ (sum >> 8);
  return ~sum;
}

/// Every chunk of a PNG file is as long as it says, and has the checksum it says: libpng and zlib need see no other.
void check_png(const std::string& path, const std::string& place) {
  const auto refuse = [&](const std::string& what) {
    throw InputError(place + ": cannot read '" + path + "' as a PNG picture: " + what);
  };
  std::ifstream stream(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  if (!bytes.starts_with("\x89PNG\r\n\x1a\n")) refuse("it does not begin as one");
  const auto word = [&bytes](std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t k = 0; k < 4; ++k) value = (value << 8) | static_cast<unsigned char>(bytes[at + k]);
    return value;
  };
  std::string kind;
  for (std::size_t at = 8; kind != "IEND";) {
    if (bytes.size() - at < 12) refuse("it is cut off");
    const std::size_t length = word(at);
    if (length > bytes.size() - at - 12) refuse("it is cut off");
    kind = bytes.substr(at + 4, 4);
    if (checksum(std::string_view(bytes).substr(at + 4, length + 4)) != word(at + 8 + length)) refuse("it is damaged");
    at += 12 + length;
  }
}

ImageFile read_pixels(const std::string& path, const std::string& place) {
  vtkNew<vtkPNGReader> reader;
  if (reader->CanReadFile(path.c_str()) == 0) throw InputError(place + ": cannot read '" + path + "' as a PNG picture");
  reader->SetFileName(path.c_str());
  reader->Update();
  vtkDataArray* values = reader->GetOutput()->GetPointData()->GetScalars();
  int size[3];
  reader->GetOutput()->GetDimensions(size);
  if (!values || size[0] < 1 || size[1] < 1) throw InputError(place + ": '" + path + "' has no pixels");
  const int channels = values->GetNumberOfComponents();
  const double whole = values->GetDataTypeMax();
  ImageFile out;
  out.columns = size[0];
  out.rows = size[1];
  for (vtkIdType i = 0; i < values->GetNumberOfTuples(); ++i) {
    const double red = values->GetComponent(i, 0) / whole;
    out.red.push_back(red);
    out.green.push_back(channels >= 3 ? values->GetComponent(i, 1) / whole : red);
    out.blue.push_back(channels >= 3 ? values->GetComponent(i, 2) / whole : red);
  }
  return out;
}

}  // namespace

ImageFile read_png(const std::string& path, const std::string& place) {
  if (!std::filesystem::is_regular_file(path))
    throw InputError(place + ": cannot read '" + path + "' as a PNG picture: it is not a file");
  check_png(path, place);
  rehearse(path, [&] { (void)read_pixels(path, place); });
  return read_pixels(path, place);
}

}  // namespace clarke
