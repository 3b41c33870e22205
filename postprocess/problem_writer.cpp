#include "postprocess/problem_writer.hpp"

#include "framework/hdf5_handle.hpp"
#include "postprocess/atomic_file.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace clarke {
namespace {

/// What HDF5 refuses becomes an exception.
struct Handle : Hdf5Handle {
  Handle(hid_t id, herr_t (*close)(hid_t)) : Hdf5Handle(id, close) {
    if (!valid()) throw std::runtime_error("HDF5 refused");
  }
};

void petsc_check(herr_t error) {
  if (error < 0) throw std::runtime_error("HDF5 refused");
}

class Group {
 public:
  Group(hid_t parent, const std::string& name)
      : id_(H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose) {}

  Group group(const std::string& name) const { return {id_, name}; }

  void integers(const char* name, const std::vector<int>& values) const {
    list(name, H5T_STD_I32LE, H5T_NATIVE_INT, values.size(), values.data());
  }
  void integer(const char* name, int value) const { integers(name, {value}); }
  void numbers(const char* name, const std::vector<double>& values) const {
    list(name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values.size(), values.data());
  }
  /// One text, zero-terminated: what H5LTmake_dataset_string makes.
  void text(const char* name, const std::string& value) const {
    const Handle type = text_type(value.size() + 1);
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    write(name, type, type, space, value.c_str());
  }
  /// A list of texts of the same length, filled up with zeros.
  void texts(const char* name, const std::vector<std::string>& values) const {
    std::size_t length = 1;
    for (const std::string& value : values) length = std::max(length, value.size() + 1);
    std::string all;
    for (const std::string& value : values) all += value + std::string(length - value.size(), '\0');
    const Handle type = text_type(length);
    list(name, type, type, values.size(), all.data());
  }

 private:
  static Handle text_type(std::size_t length) {
    return {[length] {
              const hid_t type = H5Tcopy(H5T_C_S1);
              if (type < 0 || H5Tset_size(type, length) < 0 || H5Tset_strpad(type, H5T_STR_NULLTERM) < 0 ||
                  H5Tset_cset(type, H5T_CSET_UTF8) < 0)
                return hid_t{-1};
              return type;
            }(),
            H5Tclose};
  }
  void list(const char* name, hid_t in_file, hid_t in_memory, std::size_t count, const void* data) const {
    const hsize_t size = count;
    const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
    write(name, in_file, in_memory, space, data);
  }
  void write(const char* name, hid_t in_file, hid_t in_memory, hid_t space, const void* data) const {
    const Handle set(H5Dcreate2(id_, name, in_file, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
    petsc_check(H5Dwrite(set, in_memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data));
  }
  Handle id_;
};

/// Rows of `transposed` are the columns of what is written.
void write_columns(const Group& parent, const char* name, const SparseMatrix& transposed) {
  const Group g = parent.group(name);
  g.integer("nzmax", static_cast<int>(transposed.value.size()));
  g.integer("m", transposed.columns);
  g.integer("n", transposed.rows);
  g.integer("nz", -1);
  g.integers("p", transposed.start);
  g.integers("i", transposed.column);
  g.numbers("x", transposed.value);
}

SparseMatrix transposed(const SparseMatrix& a) {
  SparseMatrix t{a.columns, a.rows, std::vector<int>(a.columns + 1, 0), std::vector<int>(a.value.size()),
                 std::vector<double>(a.value.size())};
  for (int c : a.column) ++t.start[c + 1];
  for (int c = 0; c < a.columns; ++c) t.start[c + 1] += t.start[c];
  std::vector<int> next(t.start.begin(), t.start.end() - 1);
  for (int r = 0; r < a.rows; ++r)
    for (int k = a.start[r]; k < a.start[r + 1]; ++k) {
      const int at = next[a.column[k]]++;
      t.column[at] = r;
      t.value[at] = a.value[k];
    }
  return t;
}

void write_info(const Group& problem, const ContactProblem& p) {
  const Group info = problem.group("info");
  info.text("title", p.title);
  info.text("description", p.description);
  info.text("math_info", p.math_info);
}

void write_values(const Group& g, const ProblemSolution& s) {
  const auto given = [&g](const char* name, const std::vector<double>& values) {
    if (!values.empty()) g.numbers(name, values);
  };
  given("v", s.velocity);
  given("u", s.contact_velocity);
  given("r", s.contact_impulse);
  given("l", s.joint_impulse);
}

void write_rest(hid_t file, const ContactProblem& p, const std::string& provenance) {
  if (p.solution.given()) write_values(Group(file, "solution"), p.solution);
  if (!p.guesses.empty()) {
    const Group guesses(file, "guesses");
    guesses.integer("number_of_guesses", static_cast<int>(p.guesses.size()));
    for (std::size_t i = 0; i < p.guesses.size(); ++i) write_values(guesses.group(std::to_string(i + 1)), p.guesses[i]);
  }
  const Group ours(file, "clarke");
  const auto given = [&ours](const char* name, const std::vector<double>& values) {
    if (!values.empty()) ours.numbers(name, values);
  };
  given("contact_compliance", p.compliance);
  given("joint_compliance", p.joint_compliance);
  given("joint_lower", p.joint_lower);
  given("joint_upper", p.joint_upper);
  if (!p.contact_names.empty()) ours.texts("contact_names", p.contact_names);
  if (!p.joint_row_names.empty()) ours.texts("joint_row_names", p.joint_row_names);
  if (!provenance.empty()) ours.text("provenance", provenance);
}

void write_global(hid_t file, const ContactProblem& p) {
  const Group g(file, "fclib_global");
  g.integer("spacedim", 3);
  write_columns(g, "M", p.mass);  // symmetric
  write_columns(g, "H", p.jacobian);
  if (p.joint_rows() > 0) write_columns(g, "G", p.joint_jacobian);
  const Group vectors = g.group("vectors");
  vectors.numbers("f", p.force);
  vectors.numbers("w", p.offset);
  vectors.numbers("mu", p.friction);
  if (p.joint_rows() > 0) vectors.numbers("b", p.joint_offset);
  write_info(g, p);
}

void write_local(hid_t file, const ContactProblem& p, const DelassusForm& form) {
  const Group g(file, "fclib_local");
  g.integer("spacedim", 3);
  write_columns(g, "W", transposed(form.W));
  const Group vectors = g.group("vectors");
  if (!form.R.empty()) {
    write_columns(g, "V", transposed(form.V));
    write_columns(g, "R", transposed(form.R));
    vectors.numbers("s", form.s);
  }
  vectors.numbers("q", form.q);
  vectors.numbers("mu", p.friction);
  write_info(g, p);
}

/// Calls write(file) on a new file beside `path`, which then takes its place.
template <class Write>
void write_whole(const std::filesystem::path& path, const Write& write) {
  const Hdf5Quiet quiet;
  const std::filesystem::path partial = path.string() + std::string(kPartialSuffix);
  try {
    std::filesystem::create_directories(path.parent_path().empty() ? "." : path.parent_path());
    {
      const Handle file(H5Fcreate(partial.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
      write(file);
      petsc_check(H5Fflush(file, H5F_SCOPE_LOCAL));
    }
    std::filesystem::rename(partial, path);
  } catch (const std::exception& error) {
    std::error_code ignored;
    std::filesystem::remove(partial, ignored);
    throw std::runtime_error(path.string() + ": cannot be written: " + error.what());
  }
}

}  // namespace

void write_problem(const std::filesystem::path& path, const ContactProblem& problem, const std::string& provenance) {
  write_whole(path, [&](hid_t file) {
    if (problem.local()) {
      write_local(file, problem,
                  {problem.delassus, problem.joint_coupling, problem.joint_delassus, problem.free_velocity,
                   problem.joint_offset});
    } else {
      write_global(file, problem);
    }
    write_rest(file, problem, provenance);
  });
}

void write_problem(const std::filesystem::path& path, const ContactProblem& problem, const DelassusForm& form,
                   const std::string& provenance) {
  ContactProblem rest = problem;
  rest.compliance.clear();  // in W and R already
  rest.joint_compliance.clear();
  rest.solution.velocity.clear();
  for (ProblemSolution& guess : rest.guesses) guess.velocity.clear();
  write_whole(path, [&](hid_t file) {
    write_local(file, rest, form);
    write_rest(file, rest, provenance);
  });
}

}  // namespace clarke
