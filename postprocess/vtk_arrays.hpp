#pragma once
// Arrays and points of a VTK model from things of ours: which member goes into an array stands beside its name.

#include "framework/math/quat.hpp"

#include <vtkCellArray.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkTypeInt32Array.h>
#include <vtkTypeInt64Array.h>

#include <cstddef>
#include <functional>
#include <iterator>
#include <type_traits>

namespace clarke {

template <class Array, int count>
struct VtkArray {
  using type = Array;
  static constexpr int components = count;
};

/// VTK's array of a value of ours.
template <class Value>
struct VtkArrayOf;
template <>
struct VtkArrayOf<double> : VtkArray<vtkDoubleArray, 1> {};
template <>
struct VtkArrayOf<Vec3> : VtkArray<vtkDoubleArray, 3> {};
template <>
struct VtkArrayOf<Quat> : VtkArray<vtkDoubleArray, 4> {};
template <>
struct VtkArrayOf<int> : VtkArray<vtkTypeInt32Array, 1> {};
template <>
struct VtkArrayOf<long long> : VtkArray<vtkTypeInt64Array, 1> {};

template <class Array, class Number>
void append(Array& array, Number x) {
  array.InsertNextValue(x);
}
inline void append(vtkDoubleArray& array, const Vec3& v) { array.InsertNextTuple3(v.x, v.y, v.z); }
inline void append(vtkDoubleArray& array, const Quat& q) { array.InsertNextTuple4(q.w, q.x, q.y, q.z); }

/// An empty array of `Value`, already owned by `data`, to be filled one by one.
template <class Value>
auto& add_array(vtkFieldData* data, const char* name, std::size_t count) {
  using Array = VtkArrayOf<Value>;
  vtkNew<typename Array::type> array;
  array->SetName(name);
  array->SetNumberOfComponents(Array::components);
  array->Allocate(static_cast<vtkIdType>(count) * Array::components);
  data->AddArray(array);
  return *array;
}

/// The array `name`: of each of the things its member or function `value_of`.
template <class Things, class ValueOf>
void add_values(vtkFieldData* data, const char* name, const Things& things, const ValueOf& value_of) {
  using Value = std::decay_t<std::invoke_result_t<const ValueOf&, decltype(*std::begin(things))>>;
  auto& array = add_array<Value>(data, name, std::size(things));
  for (const auto& thing : things) append(array, std::invoke(value_of, thing));
}

inline vtkNew<vtkPoints> empty_points(std::size_t count) {
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  points->Allocate(static_cast<vtkIdType>(count));
  return points;
}

/// A point for each of the things, and one vertex per point, so that viewers show them.
template <class Things, class PlaceOf>
void add_vertices(vtkPolyData& model, const Things& things, const PlaceOf& place_of) {
  vtkNew<vtkPoints> points = empty_points(std::size(things));
  vtkNew<vtkCellArray> vertices;
  for (const auto& thing : things) {
    const Vec3& x = std::invoke(place_of, thing);
    vertices->InsertNextCell({points->InsertNextPoint(x.x, x.y, x.z)});
  }
  model.SetPoints(points);
  model.SetVerts(vertices);
}

}  // namespace clarke
