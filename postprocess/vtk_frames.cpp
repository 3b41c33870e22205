#include "postprocess/vtk_frames.hpp"

#include "postprocess/csv_records.hpp"
#include "postprocess/vtk_labels.hpp"

#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkStringArray.h>
#include <vtkTypeInt32Array.h>
#include <vtkTypeInt64Array.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLPolyDataWriter.h>
#include <vtkXMLUnstructuredGridWriter.h>

#include <cmath>
#include <iterator>
#include <set>
#include <stdexcept>

namespace clarke {
namespace {

constexpr int kCompression = 1;  // of 9, VTK's own is 5: the fastest, because a run waits for its frames

/// An empty array of VTK class `Array`, already owned by `data`, to be filled tuple by tuple.
template <class Array>
Array& add_array(vtkFieldData* data, const char* name, int components, std::size_t tuples) {
  vtkNew<Array> array;
  array->SetName(name);
  array->SetNumberOfComponents(components);
  array->Allocate(static_cast<vtkIdType>(tuples) * components);
  data->AddArray(array);
  return *array;
}

void append(vtkDoubleArray& array, const Vec3& v) { array.InsertNextTuple3(v.x, v.y, v.z); }

vtkNew<vtkPoints> empty_points(std::size_t count) {
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  points->Allocate(static_cast<vtkIdType>(count));
  return points;
}

/// One vertex per point, so that viewers show them.
void add_vertices(vtkPolyData& model, vtkIdType count) {
  vtkNew<vtkCellArray> vertices;
  for (vtkIdType i = 0; i < count; ++i) vertices->InsertNextCell({i});
  model.SetVerts(vertices);
}

template <class Texts, class TextOf>
void add_texts(vtkDataSet& model, const char* name, const Texts& things, const TextOf& text_of) {
  vtkNew<vtkStringArray> texts;
  texts->SetName(name);
  for (const auto& thing : things) texts->InsertNextValue(text_of(thing));
  model.GetFieldData()->AddArray(texts);
}

template <class Named>
void add_names(vtkDataSet& model, const std::vector<Named>& things) {
  add_texts(model, "names", things, [](const Named& thing) { return thing.name; });
}

void leave_out(vtkFieldData* data, const OutputSelection& selection) {
  for (int i = data->GetNumberOfArrays(); i-- > 0;)
    if (!selection.wants(data->GetAbstractArray(i)->GetName())) data->RemoveArray(i);
}

template <class Writer = vtkXMLPolyDataWriter, class Model>
std::string file_content(Model& model, double time, const OutputSelection& selection) {
  leave_out(model.GetPointData(), selection);
  leave_out(model.GetCellData(), selection);
  label_units(model);
  add_array<vtkDoubleArray>(model.GetFieldData(), "TimeValue", 1, 1).InsertNextValue(time);
  vtkNew<Writer> writer;
  writer->SetInputData(&model);
  writer->SetDataModeToAppended();
  writer->EncodeAppendedDataOff();
  writer->SetCompressorTypeToZLib();
  writer->SetCompressionLevel(kCompression);
  writer->SetHeaderTypeToUInt64();
  writer->SetByteOrderToLittleEndian();
  writer->WriteToOutputStringOn();
  if (writer->Write() == 0) throw std::runtime_error("VTK could not write a frame");
  return writer->GetOutputString();
}

/// Grain and coefficients, where any surface has them: zero and NaN for the others.
class StructureArrays {
 public:
  template <class Things>
  StructureArrays(vtkFieldData* data, const Things& things, std::size_t tuples) {
    for (const auto& thing : things)
      if (!thing.friction.empty() && !structure_) {
        structure_ = &add_array<vtkDoubleArray>(data, "structure", 3, tuples);
        coefficients_ = &add_array<vtkDoubleArray>(data, "coefficients", 3, tuples);
        const char* names[3] = {"along", "across", "against"};
        for (int k = 0; k < 3; ++k) coefficients_->SetComponentName(k, names[k]);
      }
  }
  /// Entry k of a surface, the grain turned by q.
  template <class Thing>
  void add(const Thing& thing, std::size_t k, const Quat& q) {
    if (!structure_) return;
    const double nan = std::nan("");
    append(*structure_, thing.friction.empty() ? Vec3{} : rotate(q, thing.structure[k]));
    append(*coefficients_, thing.friction.empty() ? Vec3{nan, nan, nan} : thing.friction[k]);
  }

 private:
  vtkDoubleArray *structure_ = nullptr, *coefficients_ = nullptr;
};

/// The surfaces of all bodies where the frame has them.
void add_surfaces(vtkPolyData& model, const Frame& frame, const std::vector<Surface>& surfaces) {
  // A first pass over the bodies checks them and counts, so that the arrays are allocated once.
  std::size_t point_count = 0, cell_count = 0;
  for (const FrameBody& body : frame.bodies) {
    if (body.surface < 0) continue;
    if (static_cast<std::size_t>(body.surface) >= surfaces.size())
      throw std::logic_error("body '" + body.name + "' has surface " + std::to_string(body.surface) + " of " +
                             std::to_string(surfaces.size()));
    const Surface& surface = surfaces[static_cast<std::size_t>(body.surface)];
    point_count += surface.points.size();
    cell_count += surface.polygons.size();
  }
  vtkNew<vtkPoints> points = empty_points(point_count);
  vtkNew<vtkCellArray> polygons;
  vtkCellData* data = model.GetCellData();
  auto& index = add_array<vtkTypeInt32Array>(data, "body", 1, cell_count);
  auto& velocity = add_array<vtkDoubleArray>(data, "velocity", 3, cell_count);
  auto& speed = add_array<vtkDoubleArray>(data, "speed", 1, cell_count);
  auto& angular_velocity = add_array<vtkDoubleArray>(data, "angular_velocity", 3, cell_count);
  auto& mass = add_array<vtkDoubleArray>(data, "mass", 1, cell_count);
  StructureArrays structure(data, surfaces, cell_count);

  for (std::size_t b = 0; b < frame.bodies.size(); ++b) {
    const FrameBody& body = frame.bodies[b];
    if (body.surface < 0) continue;
    const Surface& surface = surfaces[static_cast<std::size_t>(body.surface)];
    const vtkIdType first = points->GetNumberOfPoints();
    for (const Vec3& p : surface.points) {
      const Vec3 x = body.position + rotate(body.orientation, p);
      points->InsertNextPoint(x.x, x.y, x.z);
    }
    for (std::size_t k = 0; k < surface.polygons.size(); ++k) {
      const std::vector<int>& polygon = surface.polygons[k];
      structure.add(surface, k, body.orientation);
      polygons->InsertNextCell(static_cast<int>(polygon.size()));
      for (const int point : polygon) polygons->InsertCellPoint(first + point);
      index.InsertNextValue(static_cast<int>(b));
      append(velocity, body.velocity);
      speed.InsertNextValue(norm(body.velocity));
      append(angular_velocity, body.angular_velocity);
      mass.InsertNextValue(body.mass);
    }
  }
  model.SetPoints(points);
  model.SetPolys(polygons);
}

}  // namespace

void check_surfaces(const std::vector<Surface>& surfaces) {
  for (std::size_t s = 0; s < surfaces.size(); ++s)
    for (const std::vector<int>& polygon : surfaces[s].polygons)
      for (const int point : polygon)
        if (point < 0 || static_cast<std::size_t>(point) >= surfaces[s].points.size())
          throw std::logic_error("surface " + std::to_string(s) + " has no point " + std::to_string(point));
}

std::string bodies_vtp(const Frame& frame, const std::vector<Surface>& surfaces, const OutputSelection& selection) {
  vtkNew<vtkPolyData> model;
  add_surfaces(*model, frame, surfaces);
  if (selection.wants("name")) add_names_of(model->GetCellData(), "name", "body", entity_names(frame));
  add_names(*model, frame.bodies);
  return file_content(*model, frame.time, selection);
}

std::string poses_vtp(const Frame& frame, const OutputSelection& selection) {
  const std::size_t count = frame.bodies.size();
  vtkNew<vtkPolyData> model;
  vtkNew<vtkPoints> points = empty_points(count);
  vtkPointData* data = model->GetPointData();
  auto& index = add_array<vtkTypeInt32Array>(data, "body", 1, count);
  auto& surface = add_array<vtkTypeInt32Array>(data, "surface", 1, count);
  auto& orientation = add_array<vtkDoubleArray>(data, "orientation", 4, count);
  auto& velocity = add_array<vtkDoubleArray>(data, "velocity", 3, count);
  auto& speed = add_array<vtkDoubleArray>(data, "speed", 1, count);
  auto& angular_velocity = add_array<vtkDoubleArray>(data, "angular_velocity", 3, count);
  auto& mass = add_array<vtkDoubleArray>(data, "mass", 1, count);
  for (const FrameBody& body : frame.bodies) {
    points->InsertNextPoint(body.position.x, body.position.y, body.position.z);
    index.InsertNextValue(static_cast<int>(surface.GetNumberOfTuples()));
    surface.InsertNextValue(body.surface);
    const Quat& q = body.orientation;
    orientation.InsertNextTuple4(q.w, q.x, q.y, q.z);
    append(velocity, body.velocity);
    speed.InsertNextValue(norm(body.velocity));
    append(angular_velocity, body.angular_velocity);
    mass.InsertNextValue(body.mass);
  }
  model->SetPoints(points);
  add_vertices(*model, points->GetNumberOfPoints());
  add_names_of(data, "name", "body", entity_names(frame));
  add_names(*model, frame.bodies);
  return file_content(*model, frame.time, selection);
}

std::string surfaces_vtp(const std::vector<Surface>& surfaces) {
  Frame at_rest;  // a body for each surface, at the origin: then a body's cells are its surface
  for (std::size_t s = 0; s < surfaces.size(); ++s) {
    at_rest.bodies.emplace_back();
    at_rest.bodies.back().surface = static_cast<int>(s);
  }
  vtkNew<vtkPolyData> model;
  add_surfaces(*model, at_rest, surfaces);
  model->GetCellData()->GetArray("body")->SetName("surface");
  for (const char* name : {"velocity", "speed", "angular_velocity", "mass"}) model->GetCellData()->RemoveArray(name);
  return file_content(*model, 0, {});
}

std::string particles_vtp(const Frame& frame, const OutputSelection& selection) {
  const std::size_t count = frame.particles.size();
  vtkNew<vtkPolyData> model;
  vtkNew<vtkPoints> points = empty_points(count);
  vtkPointData* data = model->GetPointData();
  auto& index = add_array<vtkTypeInt32Array>(data, "body", 1, count);
  auto& radius = add_array<vtkDoubleArray>(data, "radius", 1, count);
  auto& mass = add_array<vtkDoubleArray>(data, "mass", 1, count);
  auto& velocity = add_array<vtkDoubleArray>(data, "velocity", 3, count);
  auto& speed = add_array<vtkDoubleArray>(data, "speed", 1, count);
  int entity = static_cast<int>(frame.bodies.size());
  std::vector<FrameParticle> shown;
  for (const FrameParticle& particle : frame.particles) {
    const int number = entity++;
    if (particle.node) continue;
    shown.push_back(particle);
    points->InsertNextPoint(particle.position.x, particle.position.y, particle.position.z);
    index.InsertNextValue(number);
    radius.InsertNextValue(particle.radius);
    mass.InsertNextValue(particle.mass);
    append(velocity, particle.velocity);
    speed.InsertNextValue(norm(particle.velocity));
  }
  model->SetPoints(points);
  add_vertices(*model, points->GetNumberOfPoints());
  add_names_of(data, "name", "body", entity_names(frame));
  add_names(*model, shown);
  return file_content(*model, frame.time, selection);
}

std::string soft_vtu(const Frame& frame, const OutputSelection& selection) {
  std::size_t nodes = 0, elements = 0;
  for (const FrameSoft& body : frame.softs) {
    nodes += body.position.size();
    elements += body.tetrahedra.size() + body.triangles.size();
  }
  vtkNew<vtkUnstructuredGrid> model;
  vtkNew<vtkPoints> points = empty_points(nodes);
  model->Allocate(static_cast<vtkIdType>(elements));
  vtkPointData* at_nodes = model->GetPointData();
  auto& displacement = add_array<vtkDoubleArray>(at_nodes, "displacement", 3, nodes);
  auto& velocity = add_array<vtkDoubleArray>(at_nodes, "velocity", 3, nodes);
  StructureArrays structure(at_nodes, frame.softs, nodes);
  vtkCellData* in_elements = model->GetCellData();
  auto& index = add_array<vtkTypeInt32Array>(in_elements, "body", 1, elements);
  auto& strain = add_array<vtkDoubleArray>(in_elements, "volumetric_strain", 1, elements);
  auto& stress = add_array<vtkDoubleArray>(in_elements, "von_mises", 1, elements);
  auto& quality = add_array<vtkDoubleArray>(in_elements, "quality", 1, elements);
  for (std::size_t b = 0; b < frame.softs.size(); ++b) {
    const FrameSoft& body = frame.softs[b];
    const vtkIdType first = points->GetNumberOfPoints();
    for (std::size_t n = 0; n < body.position.size(); ++n) {
      points->InsertNextPoint(body.position[n].x, body.position[n].y, body.position[n].z);
      append(displacement, body.displacement[n]);
      append(velocity, body.velocity[n]);
      structure.add(body, n, Quat{});
    }
    for (std::size_t e = 0; e < body.volumetric_strain.size(); ++e) {
      const std::size_t solids = body.tetrahedra.size();
      vtkIdType corners[4];
      const int count = e < solids ? 4 : 3;
      for (int a = 0; a < count; ++a)
        corners[a] = first + (e < solids ? body.tetrahedra[e][a] : body.triangles[e - solids][a]);
      model->InsertNextCell(e < solids ? VTK_TETRA : VTK_TRIANGLE, count, corners);
      index.InsertNextValue(static_cast<int>(b));
      strain.InsertNextValue(body.volumetric_strain[e]);
      stress.InsertNextValue(body.von_mises[e]);
      quality.InsertNextValue(body.quality[e]);
    }
  }
  model->SetPoints(points);
  std::vector<std::string> names;
  for (const FrameSoft& body : frame.softs) names.push_back(body.name);
  add_names_of(in_elements, "name", "body", names);
  add_names(*model, frame.softs);
  return file_content<vtkXMLUnstructuredGridWriter>(*model, frame.time, selection);
}

std::string contacts_vtp(const Frame& frame, const OutputSelection& selection) {
  const std::size_t count = frame.contacts.size();
  vtkNew<vtkPolyData> model;
  vtkNew<vtkPoints> points = empty_points(count);
  vtkPointData* data = model->GetPointData();
  auto& normal = add_array<vtkDoubleArray>(data, "normal", 3, count);
  auto& normal_force = add_array<vtkDoubleArray>(data, "normal_force", 3, count);
  auto& friction_force = add_array<vtkDoubleArray>(data, "friction_force", 3, count);
  auto& gap = add_array<vtkDoubleArray>(data, "gap", 1, count);
  auto& geometric_penetration = add_array<vtkDoubleArray>(data, "geometric_penetration", 1, count);
  auto& slip_velocity = add_array<vtkDoubleArray>(data, "slip_velocity", 3, count);
  auto& cone_usage = add_array<vtkDoubleArray>(data, "cone_usage", 1, count);
  auto& cone_axis_1 = add_array<vtkDoubleArray>(data, "cone_axis_1", 3, count);
  auto& cone_axis_2 = add_array<vtkDoubleArray>(data, "cone_axis_2", 3, count);
  auto& status = add_array<vtkTypeInt32Array>(data, "status", 1, count);
  auto& residual = add_array<vtkDoubleArray>(data, "residual", 1, count);
  auto& body_a = add_array<vtkTypeInt32Array>(data, "body_a", 1, count);
  auto& body_b = add_array<vtkTypeInt32Array>(data, "body_b", 1, count);
  auto& id = add_array<vtkTypeInt64Array>(data, "id", 1, count);
  for (const FrameContact& contact : frame.contacts) {
    points->InsertNextPoint(contact.point.x, contact.point.y, contact.point.z);
    append(normal, contact.normal);
    append(normal_force, contact.normal_force);
    append(friction_force, contact.friction_force);
    gap.InsertNextValue(contact.gap);
    geometric_penetration.InsertNextValue(contact.geometric_penetration);
    append(slip_velocity, contact.slip_velocity);
    cone_usage.InsertNextValue(contact.cone_usage);
    append(cone_axis_1, contact.axis_1);
    append(cone_axis_2, contact.axis_2);
    status.InsertNextValue(static_cast<int>(contact.status));
    residual.InsertNextValue(contact.residual);
    body_a.InsertNextValue(contact.body_a);
    body_b.InsertNextValue(contact.body_b);
    id.InsertNextValue(contact.id);
  }
  model->SetPoints(points);
  add_vertices(*model, points->GetNumberOfPoints());
  add_names_of_ends(data, frame);
  list_overlaps(model->GetFieldData(), frame);
  return file_content(*model, frame.time, selection);
}

std::string joints_vtp(const Frame& frame, const OutputSelection& selection) {
  const std::size_t count = frame.joints.size();
  std::set<std::string> types;
  for (const FrameJoint& joint : frame.joints) types.insert(joint.type);
  const auto first = [](const std::vector<double>& values) { return values.empty() ? 0.0 : values[0]; };
  vtkNew<vtkPolyData> model;
  vtkNew<vtkPoints> points = empty_points(count);
  vtkPointData* data = model->GetPointData();
  auto& type = add_array<vtkTypeInt32Array>(data, "type", 1, count);
  auto& body_a = add_array<vtkTypeInt32Array>(data, "body_a", 1, count);
  auto& body_b = add_array<vtkTypeInt32Array>(data, "body_b", 1, count);
  auto& force = add_array<vtkDoubleArray>(data, "force", 3, count);
  auto& torque = add_array<vtkDoubleArray>(data, "torque", 3, count);
  auto& axis = add_array<vtkDoubleArray>(data, "axis", 3, count);
  auto& violation = add_array<vtkDoubleArray>(data, "violation", 1, count);
  auto& coordinate = add_array<vtkDoubleArray>(data, "coordinate", 1, count);
  auto& rate = add_array<vtkDoubleArray>(data, "rate", 1, count);
  auto& effort = add_array<vtkDoubleArray>(data, "effort", 1, count);
  for (const FrameJoint& joint : frame.joints) {
    points->InsertNextPoint(joint.point.x, joint.point.y, joint.point.z);
    type.InsertNextValue(static_cast<int>(std::distance(types.begin(), types.find(joint.type))));
    body_a.InsertNextValue(joint.body_a);
    body_b.InsertNextValue(joint.body_b);
    append(force, joint.force);
    append(torque, joint.torque);
    append(axis, joint.axis);
    violation.InsertNextValue(joint.violation);
    coordinate.InsertNextValue(first(joint.coordinate));
    rate.InsertNextValue(first(joint.rate));
    effort.InsertNextValue(first(joint.effort));
  }
  model->SetPoints(points);
  add_vertices(*model, points->GetNumberOfPoints());
  add_names_of_ends(data, frame);
  add_names(*model, frame.joints);
  add_texts(*model, "types", types, [](const std::string& name) { return name; });
  return file_content(*model, frame.time, selection);
}

std::string pvd(const std::vector<std::pair<double, std::string>>& frames) {
  std::string text =
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
      "  <Collection>\n";
  for (const auto& [time, file] : frames)
    text += "    <DataSet timestep=\"" + shortest_number(time) + "\" group=\"\" part=\"0\" file=\"" + file + "\"/>\n";
  return text + "  </Collection>\n</VTKFile>\n";
}

}  // namespace clarke
