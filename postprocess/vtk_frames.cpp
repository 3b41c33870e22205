#include "postprocess/vtk_frames.hpp"

#include "postprocess/csv_records.hpp"
#include "postprocess/vtk_arrays.hpp"
#include "postprocess/vtk_labels.hpp"

#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkStringArray.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLPolyDataWriter.h>
#include <vtkXMLUnstructuredGridWriter.h>

#include <cmath>
#include <functional>
#include <iterator>
#include <set>
#include <stdexcept>

namespace clarke {
namespace {

constexpr int kCompression = 1;  // of 9, VTK's own is 5: the fastest, because a run waits for its frames

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
  append(add_array<double>(model.GetFieldData(), "TimeValue", 1), time);
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
        structure_ = &add_array<Vec3>(data, "structure", tuples);
        coefficients_ = &add_array<Vec3>(data, "coefficients", tuples);
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

/// How bodies move, and their mass.
template <class Bodies>
void add_motion(vtkFieldData* data, const Bodies& bodies) {
  add_values(data, "velocity", bodies, &FrameBody::velocity);
  add_values(data, "speed", bodies, [](const FrameBody& body) { return norm(body.velocity); });
  add_values(data, "angular_velocity", bodies, &FrameBody::angular_velocity);
  add_values(data, "mass", bodies, &FrameBody::mass);
}

/// The surfaces of all bodies where the frame has them.
void add_surfaces(vtkPolyData& model, const Frame& frame, const std::vector<Surface>& surfaces) {
  // A first pass over the bodies checks them and counts, so that the arrays are allocated once.
  std::size_t point_count = 0;
  std::vector<std::reference_wrapper<const FrameBody>> body_of_cell;
  for (const FrameBody& body : frame.bodies) {
    if (body.surface < 0) continue;
    if (static_cast<std::size_t>(body.surface) >= surfaces.size())
      throw std::logic_error("body '" + body.name + "' has surface " + std::to_string(body.surface) + " of " +
                             std::to_string(surfaces.size()));
    const Surface& surface = surfaces[static_cast<std::size_t>(body.surface)];
    point_count += surface.points.size();
    body_of_cell.insert(body_of_cell.end(), surface.polygons.size(), body);
  }
  vtkNew<vtkPoints> points = empty_points(point_count);
  vtkNew<vtkCellArray> polygons;
  vtkCellData* data = model.GetCellData();
  add_values(data, "body", body_of_cell,
             [&](const FrameBody& body) { return static_cast<int>(&body - frame.bodies.data()); });
  add_motion(data, body_of_cell);
  StructureArrays structure(data, surfaces, body_of_cell.size());

  for (const FrameBody& body : frame.bodies) {
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
  vtkNew<vtkPolyData> model;
  add_vertices(*model, frame.bodies, &FrameBody::position);
  vtkPointData* data = model->GetPointData();
  add_values(data, "body", frame.bodies,
             [&](const FrameBody& body) { return static_cast<int>(&body - frame.bodies.data()); });
  add_values(data, "surface", frame.bodies, &FrameBody::surface);
  add_values(data, "orientation", frame.bodies, &FrameBody::orientation);
  add_motion(data, frame.bodies);
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
  struct Shown {
    const FrameParticle& particle;
    int entity;
  };
  std::vector<Shown> shown;
  int entity = static_cast<int>(frame.bodies.size());
  for (const FrameParticle& particle : frame.particles) {
    if (!particle.node) shown.push_back({particle, entity});
    ++entity;
  }
  vtkNew<vtkPolyData> model;
  add_vertices(*model, shown, [](const Shown& each) { return each.particle.position; });
  vtkPointData* data = model->GetPointData();
  add_values(data, "body", shown, &Shown::entity);
  add_values(data, "radius", shown, [](const Shown& each) { return each.particle.radius; });
  add_values(data, "mass", shown, [](const Shown& each) { return each.particle.mass; });
  add_values(data, "velocity", shown, [](const Shown& each) { return each.particle.velocity; });
  add_values(data, "speed", shown, [](const Shown& each) { return norm(each.particle.velocity); });
  add_names_of(data, "name", "body", entity_names(frame));
  add_texts(*model, "names", shown, [](const Shown& each) { return each.particle.name; });
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
  auto& displacement = add_array<Vec3>(at_nodes, "displacement", nodes);
  auto& velocity = add_array<Vec3>(at_nodes, "velocity", nodes);
  StructureArrays structure(at_nodes, frame.softs, nodes);
  vtkCellData* in_elements = model->GetCellData();
  auto& index = add_array<int>(in_elements, "body", elements);
  auto& strain = add_array<double>(in_elements, "volumetric_strain", elements);
  auto& stress = add_array<double>(in_elements, "von_mises", elements);
  auto& quality = add_array<double>(in_elements, "quality", elements);
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
  const std::vector<FrameContact>& contacts = frame.contacts;
  vtkNew<vtkPolyData> model;
  add_vertices(*model, contacts, &FrameContact::point);
  vtkPointData* data = model->GetPointData();
  add_values(data, "normal", contacts, &FrameContact::normal);
  add_values(data, "normal_force", contacts, &FrameContact::normal_force);
  add_values(data, "friction_force", contacts, &FrameContact::friction_force);
  add_values(data, "gap", contacts, &FrameContact::gap);
  add_values(data, "geometric_penetration", contacts, &FrameContact::geometric_penetration);
  add_values(data, "slip_velocity", contacts, &FrameContact::slip_velocity);
  add_values(data, "cone_usage", contacts, &FrameContact::cone_usage);
  add_values(data, "cone_axis_1", contacts, &FrameContact::axis_1);
  add_values(data, "cone_axis_2", contacts, &FrameContact::axis_2);
  add_values(data, "status", contacts, [](const FrameContact& contact) { return static_cast<int>(contact.status); });
  add_values(data, "residual", contacts, &FrameContact::residual);
  add_values(data, "body_a", contacts, &FrameContact::body_a);
  add_values(data, "body_b", contacts, &FrameContact::body_b);
  add_values(data, "id", contacts, &FrameContact::id);
  add_names_of_ends(data, frame);
  list_overlaps(model->GetFieldData(), frame);
  return file_content(*model, frame.time, selection);
}

std::string joints_vtp(const Frame& frame, const OutputSelection& selection) {
  const std::vector<FrameJoint>& joints = frame.joints;
  std::set<std::string> types;
  for (const FrameJoint& joint : joints) types.insert(joint.type);
  const auto first_of = [](std::vector<double> FrameJoint::*values) {
    return [values](const FrameJoint& joint) { return (joint.*values).empty() ? 0.0 : (joint.*values)[0]; };
  };
  vtkNew<vtkPolyData> model;
  add_vertices(*model, joints, &FrameJoint::point);
  vtkPointData* data = model->GetPointData();
  add_values(data, "type", joints, [&](const FrameJoint& joint) {
    return static_cast<int>(std::distance(types.begin(), types.find(joint.type)));
  });
  add_values(data, "body_a", joints, &FrameJoint::body_a);
  add_values(data, "body_b", joints, &FrameJoint::body_b);
  add_values(data, "force", joints, &FrameJoint::force);
  add_values(data, "torque", joints, &FrameJoint::torque);
  add_values(data, "axis", joints, &FrameJoint::axis);
  add_values(data, "violation", joints, &FrameJoint::violation);
  add_values(data, "coordinate", joints, first_of(&FrameJoint::coordinate));
  add_values(data, "rate", joints, first_of(&FrameJoint::rate));
  add_values(data, "effort", joints, first_of(&FrameJoint::effort));
  add_names_of_ends(data, frame);
  add_names(*model, joints);
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
