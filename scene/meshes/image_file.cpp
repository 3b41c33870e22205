#include "scene/meshes/image_file.hpp"

#include "framework/error.hpp"
#include "scene/meshes/png_guard.hpp"
#include "framework/rehearsal.hpp"

#include <vtkDataArray.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkObject.h>
#include <vtkPNGReader.h>
#include <vtkPointData.h>

#include <filesystem>

namespace clarke {

namespace {

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
