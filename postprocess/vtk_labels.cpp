#include "postprocess/vtk_labels.hpp"

#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkDataSet.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkInformation.h>
#include <vtkInformationStringKey.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkStringArray.h>

#include <map>
#include <string_view>

namespace clarke {
namespace {

/// An array means the same in every file, so its name is enough. Without a unit: indices, names, status.
const std::map<std::string_view, const char*>& units() {
  static const std::map<std::string_view, const char*> table{
      {"angular_velocity", "rad/s"},
      {"axis", "1"},
      {"coefficients", "1"},
      {"cone_axis_1", "1"},
      {"cone_axis_2", "1"},
      {"cone_usage", "1"},
      {"coordinate", "rad or m"},
      {"displacement", "m"},
      {"effort", "N m or N"},
      {"force", "N"},
      {"friction_force", "N"},
      {"gap", "m"},
      {"geometric_penetration", "m"},
      {"mass", "kg"},
      {"normal", "1"},
      {"normal_force", "N"},
      {"orientation", "1"},
      {"quality", "1"},
      {"radius", "m"},
      {"rate", "rad/s or m/s"},
      {"residual", "N s"},
      {"slip_velocity", "m/s"},
      {"speed", "m/s"},
      {"structure", "1"},
      {"torque", "N m"},
      {"velocity", "m/s"},
      {"violation", "m or rad"},
      {"volumetric_strain", "1"},
      {"von_mises", "Pa"},
  };
  return table;
}

}  // namespace

std::vector<std::string> entity_names(const Frame& frame) {
  std::vector<std::string> names;
  names.reserve(frame.bodies.size() + frame.particles.size());
  for (const FrameBody& body : frame.bodies) names.push_back(body.name);
  for (const FrameParticle& particle : frame.particles) names.push_back(particle.name);
  return names;
}

void add_names_of(vtkFieldData* data, const char* name, const char* index, const std::vector<std::string>& names) {
  vtkDataArray* of = data->GetArray(index);
  vtkNew<vtkStringArray> texts;
  texts->SetName(name);
  texts->SetNumberOfValues(of->GetNumberOfTuples());
  for (vtkIdType k = 0; k < of->GetNumberOfTuples(); ++k) {
    const int i = static_cast<int>(of->GetTuple1(k));
    texts->SetValue(k, i < 0 ? "world" : names.at(static_cast<std::size_t>(i)));
  }
  data->AddArray(texts);
}

void add_names_of_ends(vtkFieldData* data, const Frame& frame) {
  const std::vector<std::string> names = entity_names(frame);
  add_names_of(data, "name_a", "body_a", names);
  add_names_of(data, "name_b", "body_b", names);
}

void list_overlaps(vtkFieldData* data, const Frame& frame) {
  vtkNew<vtkStringArray> pairs;
  vtkNew<vtkDoubleArray> depths;
  pairs->SetName("overlaps");
  depths->SetName("overlap_depths");
  for (const FrameOverlap& overlap : frame.overlaps) {
    pairs->InsertNextValue(overlap.where);
    depths->InsertNextValue(overlap.depth);
  }
  data->AddArray(pairs);
  data->AddArray(depths);
}

void label_units(vtkDataSet& model) {
  vtkNew<vtkStringArray> listed;
  listed->SetName("units");
  vtkFieldData* const all[] = {model.GetPointData(), model.GetCellData()};
  for (vtkFieldData* data : all)
    for (int i = 0; i < data->GetNumberOfArrays(); ++i) {
      vtkAbstractArray* array = data->GetAbstractArray(i);
      const auto unit = units().find(array->GetName());
      if (unit == units().end()) continue;
      array->GetInformation()->Set(vtkDataArray::UNITS_LABEL(), unit->second);
      listed->InsertNextValue(std::string(unit->first) + " [" + unit->second + "]");
    }
  if (listed->GetNumberOfValues() > 0) model.GetFieldData()->AddArray(listed);
}

}  // namespace clarke
