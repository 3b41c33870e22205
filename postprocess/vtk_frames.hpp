#pragma once
// A frame as VTK XML PolyData, for ParaView and postprocess/render.py.
//
// bodies     all surfaces in world coordinates, static ones included. Cell data: body (entity index), velocity and
//            speed [m/s] of the centre of mass, angular_velocity [rad/s], mass [kg] (0: static).
// poses      instead of bodies: one vertex each, at its origin. The same arrays as point data, orientation (unit
//            quaternion w, x, y, z from the frame of the body to the world) and surface: which cells of `surfaces` are
//            its own (-1: none).
// surfaces   once in a run: all surfaces, each in the frame of its body. Cell data: surface.
// soft       the tetrahedra of all soft bodies, a .vtu. Point data: displacement [m], velocity. Cell data: body (number
//            of the soft body), volumetric_strain, von_mises [Pa], quality (1 regular, 0 flat, negative inverted).
// particles  one vertex each, without the nodes of soft bodies. Point data: body (entity index, counted on from the
//            bodies), radius [m], mass, velocity, speed.
// contacts   one vertex each, also a file when there are none. Point data: normal (from b to a), normal_force and
//            friction_force [N] on a, gap [m], slip_velocity [m/s] of a against b, cone_usage, status (0 open, 1 stick,
//            2 slip), residual [N s], body_a, body_b (entity indices), id.
//
// joints     one vertex each, at the anchor on a. Point data: type (index into the field array `types`, the names of
//            the types in this frame in alphabetical order), body_a, body_b (entity indices; -1: the world), force [N]
//            and torque [N m] on a, axis, violation, and coordinate, rate, effort of the first coordinate (0 where
//            there is none).
//
// A selection leaves arrays out. All carry the field arrays TimeValue [s], which VTK readers know, and names (bodies,
// particles, joints). Coordinates and figures in double precision. Data appended raw with zlib compression and 64-bit
// headers; nothing of the clock or the machine goes in, so equal frames give equal bytes with one VTK and zlib. The
// whole file is built in memory.

#include "framework/frame.hpp"
#include "postprocess/output_selection.hpp"

#include <string>
#include <utility>
#include <vector>

namespace clarke {

/// Throws std::logic_error when a surface refers to points that it does not have.
void check_surfaces(const std::vector<Surface>& surfaces);

/// The content of a .vtp file each. bodies_vtp throws std::logic_error for a body whose surface is not there.
std::string bodies_vtp(const Frame& frame, const std::vector<Surface>& surfaces, const OutputSelection& selection = {});
std::string poses_vtp(const Frame& frame, const OutputSelection& selection = {});
std::string surfaces_vtp(const std::vector<Surface>& surfaces);
std::string particles_vtp(const Frame& frame, const OutputSelection& selection = {});
std::string soft_vtu(const Frame& frame, const OutputSelection& selection = {});
std::string contacts_vtp(const Frame& frame, const OutputSelection& selection = {});
std::string joints_vtp(const Frame& frame, const OutputSelection& selection = {});

/// The content of a .pvd file: (time [s], file name) of each frame.
std::string pvd(const std::vector<std::pair<double, std::string>>& frames);

}  // namespace clarke
