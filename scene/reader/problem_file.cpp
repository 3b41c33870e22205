#include "scene/reader/problem_file.hpp"

#include "framework/error.hpp"
#include "framework/text.hpp"
#include "scene/reader/hdf5_reader.hpp"
#include "framework/rehearsal.hpp"

#include <Eigen/SparseCholesky>

#include <algorithm>
#include <cmath>
#include <new>
#include <numeric>

namespace clarke {

SparseMatrix compressed_rows(int rows, int columns, const std::vector<int>& row, const std::vector<int>& column,
                             const std::vector<double>& value) {
  std::vector<std::size_t> order(value.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return row[a] != row[b] ? row[a] < row[b] : column[a] < column[b];
  });
  SparseMatrix out;
  out.rows = rows;
  out.columns = columns;
  out.start.assign(rows + 1, 0);
  for (std::size_t k = 0; k < order.size();) {
    const int r = row[order[k]], c = column[order[k]];
    double sum = 0;
    for (; k < order.size() && row[order[k]] == r && column[order[k]] == c; ++k) sum += value[order[k]];
    if (sum == 0) continue;
    out.column.push_back(c);
    out.value.push_back(sum);
    ++out.start[r + 1];
  }
  std::partial_sum(out.start.begin(), out.start.end(), out.start.begin());
  return out;
}

SparseMatrix transposed(const SparseMatrix& matrix) {
  std::vector<int> row(matrix.column.size());
  for (int r = 0; r < matrix.rows; ++r) std::fill(row.begin() + matrix.start[r], row.begin() + matrix.start[r + 1], r);
  return compressed_rows(matrix.columns, matrix.rows, matrix.column, row, matrix.value);
}

double asymmetry(const SparseMatrix& matrix) {
  const SparseMatrix t = transposed(matrix);
  double largest = 0, difference = 0;
  for (double v : matrix.value) largest = std::max(largest, std::fabs(v));
  for (int r = 0; r < matrix.rows; ++r) {
    int i = matrix.start[r], j = t.start[r];
    while (i < matrix.start[r + 1] || j < t.start[r + 1]) {
      const int ci = i < matrix.start[r + 1] ? matrix.column[i] : matrix.columns;
      const int cj = j < t.start[r + 1] ? t.column[j] : matrix.columns;
      const double a = ci <= cj ? matrix.value[i++] : 0, b = cj <= ci ? t.value[j++] : 0;
      difference = std::max(difference, std::fabs(a - b));
    }
  }
  return largest > 0 ? difference / largest : 0;
}

namespace {

using Sparse = Eigen::SparseMatrix<double>;

class ProblemReader {
 public:
  explicit ProblemReader(const std::string& file) : in_(file) { p_.file = file; }

  ContactProblem read() {
    const bool global = in_.has("fclib_global");
    root_ = global ? "fclib_global" : "fclib_local";
    if (!in_.has(root_))
      throw InputError(in_.file() + ": no contact problem: expected a group fclib_local or fclib_global");
    if (const int dimensions = in_.integer(root_ + "/spacedim"); dimensions != 3)
      in_.fail(root_ + "/spacedim", "expected 3, got " + std::to_string(dimensions) + ": only problems in space");
    p_.title = in_.text(root_ + "/info/title");
    p_.description = in_.text(root_ + "/info/description");
    p_.math_info = in_.text(root_ + "/info/math_info");
    const std::string mu = root_ + "/vectors/mu";
    p_.friction = finite(mu);
    p_.contacts = static_cast<int>(p_.friction.size());
    for (std::size_t i = 0; i < p_.friction.size(); ++i)
      if (p_.friction[i] < 0)
        in_.fail(mu, "entry " + std::to_string(i) + ": expected a coefficient of at least 0, got " +
                         format_real(p_.friction[i]));
    if (global) {
      read_global();
    } else {
      read_local();
    }
    read_additional();
    if (in_.has("solution")) p_.solution = values("solution");
    read_guesses();
    return std::move(p_);
  }

 private:
  std::vector<double> finite(const std::string& path) {
    std::vector<double> out = in_.numbers(path);
    check_finite(path, out);
    return out;
  }

  void check_finite(const std::string& path, const std::vector<double>& list) {
    for (std::size_t i = 0; i < list.size(); ++i)
      if (!std::isfinite(list[i])) in_.fail(path, "entry " + std::to_string(i) + " is " + format_real(list[i]));
  }

  std::vector<double> vector(const std::string& path, int size) {
    std::vector<double> out = finite(path);
    check_size(path, out.size(), size);
    return out;
  }

  void check_size(const std::string& path, std::size_t found, long long size) {
    if (found != static_cast<std::size_t>(size))
      in_.fail(path, "expected " + std::to_string(size) + " entries, found " + std::to_string(found));
  }

  /// One of the three storages of FCLIB, as rows.
  SparseMatrix matrix(const std::string& path) {
    const int m = in_.integer(path + "/m"), n = in_.integer(path + "/n"), nz = in_.integer(path + "/nz");
    const int most = in_.integer(path + "/nzmax");
    if (m < 0 || n < 0 || most < 0) in_.fail(path, "negative size");
    if (nz < -2)
      in_.fail(path + "/nz", "expected -1 (columns), -2 (rows) or a number of triplets, got " + std::to_string(nz));
    std::vector<int> pointer = in_.integers(path + "/p"), index = in_.integers(path + "/i");
    std::vector<double> value = in_.numbers(path + "/x");  // may be longer than what is used
    if (nz >= 0) {
      for (const auto& [name, size] :
           {std::pair<const char*, std::size_t>{"/p", pointer.size()}, {"/i", index.size()}, {"/x", value.size()}})
        if (size < static_cast<std::size_t>(nz))
          in_.fail(path + name, "expected " + std::to_string(nz) + " triplets, found " + std::to_string(size));
      for (std::vector<int>* list : {&pointer, &index}) list->resize(nz);
      value.resize(nz);
      check_finite(path + "/x", value);
      check_indices(path + "/i", index, m);
      check_indices(path + "/p", pointer, n);
      return compressed_rows(m, n, index, pointer, value);
    }
    const bool by_column = nz == -1;
    const int lines = by_column ? n : m;
    check_size(path + "/p", pointer.size(), lines + 1LL);
    if (pointer[0] != 0) in_.fail(path + "/p", "expected to begin with 0");
    for (int l = 0; l < lines; ++l)
      if (pointer[l + 1] < pointer[l]) in_.fail(path + "/p", "decreases at entry " + std::to_string(l + 1));
    const std::size_t count = static_cast<std::size_t>(pointer[lines]);
    for (const auto& [name, size] : {std::pair<const char*, std::size_t>{"/i", index.size()}, {"/x", value.size()}})
      if (size < count)
        in_.fail(path + name, "expected " + std::to_string(count) + " entries, found " + std::to_string(size));
    index.resize(count);
    value.resize(count);
    check_finite(path + "/x", value);
    check_indices(path + "/i", index, by_column ? m : n);
    std::vector<int> line(count);
    for (int l = 0; l < lines; ++l) std::fill(line.begin() + pointer[l], line.begin() + pointer[l + 1], l);
    return by_column ? compressed_rows(m, n, index, line, value) : compressed_rows(m, n, line, index, value);
  }

  void check_indices(const std::string& path, const std::vector<int>& index, int end) {
    for (std::size_t k = 0; k < index.size(); ++k)
      if (index[k] < 0 || index[k] >= end)
        in_.fail(path, "entry " + std::to_string(k) + ": " + std::to_string(index[k]) + " is not in [0, " +
                           std::to_string(end) + ")");
  }

  void check_shape(const std::string& path, const SparseMatrix& a, int rows, int columns) {
    if (a.rows != rows || a.columns != columns)
      in_.fail(path, "expected " + std::to_string(rows) + " x " + std::to_string(columns) + ", found " +
                         std::to_string(a.rows) + " x " + std::to_string(a.columns));
  }

  void read_local() {
    const int n = 3 * p_.contacts;
    p_.delassus = matrix(root_ + "/W");
    check_shape(root_ + "/W", p_.delassus, n, n);
    p_.free_velocity = vector(root_ + "/vectors/q", n);
    for (int i = 0; i < p_.contacts; ++i) {
      double trace = 0;
      for (int r = 3 * i; r < 3 * i + 3; ++r)
        for (int k = p_.delassus.start[r]; k < p_.delassus.start[r + 1]; ++k)
          if (p_.delassus.column[k] == r) trace += p_.delassus.value[k];
      if (!(trace > 0))
        in_.fail(root_ + "/W", "contact " + std::to_string(i) + ": the trace of its block is " + format_real(trace) +
                                   "; expected it above 0");
    }
    if (p_.contacts == 0) in_.fail(root_ + "/vectors/mu", "a local problem without contacts");
    if (in_.has(root_ + "/V") || in_.has(root_ + "/R")) read_local_joints();
  }

  void read_local_joints() {
    const std::string r = root_ + "/R";
    p_.joint_delassus = matrix(r);
    const int rows = p_.joint_delassus.rows;
    check_shape(r, p_.joint_delassus, rows, rows);
    p_.joint_coupling = matrix(root_ + "/V");
    check_shape(root_ + "/V", p_.joint_coupling, 3 * p_.contacts, rows);
    p_.joint_offset = vector(root_ + "/vectors/s", rows);
    for (int i = 0; i < rows; ++i) {
      double diagonal = 0;
      for (int k = p_.joint_delassus.start[i]; k < p_.joint_delassus.start[i + 1]; ++k)
        if (p_.joint_delassus.column[k] == i) diagonal = p_.joint_delassus.value[k];
      if (!(diagonal > 0))
        in_.fail(r,
                 "row " + std::to_string(i) + ": its diagonal is " + format_real(diagonal) + "; expected it above 0");
    }
  }

  void read_global() {
    const std::string m = root_ + "/M";
    p_.mass = matrix(m);
    const int n = p_.mass.rows;
    if (n == 0) in_.fail(m, "a problem without velocities");
    check_shape(m, p_.mass, n, n);
    check_mass(m);
    p_.force = vector(root_ + "/vectors/f", n);
    p_.jacobian.columns = n;
    if (p_.contacts > 0 || in_.has(root_ + "/H")) {
      const SparseMatrix h = matrix(root_ + "/H");
      check_shape(root_ + "/H", h, n, 3 * p_.contacts);
      p_.jacobian = transposed(h);
    }
    for (int i = 0; i < p_.contacts; ++i)
      if (p_.jacobian.start[3 * i] == p_.jacobian.start[3 * i + 3])
        in_.fail(root_ + "/H", "contact " + std::to_string(i) + " acts on no velocity");
    p_.offset = p_.contacts > 0 ? vector(root_ + "/vectors/w", 3 * p_.contacts) : std::vector<double>();
    if (!in_.has(root_ + "/G")) return;
    const SparseMatrix g = matrix(root_ + "/G");
    check_shape(root_ + "/G", g, n, g.columns);
    p_.joint_jacobian = transposed(g);
    for (int r = 0; r < g.columns; ++r)
      if (p_.joint_jacobian.start[r] == p_.joint_jacobian.start[r + 1])
        in_.fail(root_ + "/G", "row " + std::to_string(r) + " acts on no velocity");
    p_.joint_offset = vector(root_ + "/vectors/b", g.columns);
  }

  void check_mass(const std::string& path) {
    constexpr double kWritten = 1e-10;  // files are written with all digits, but by sums in some other order
    if (const double a = asymmetry(p_.mass); a > kWritten)
      in_.fail(path, "not symmetric: max |M - M'| / max |M| = " + format_real(a));
    std::vector<Eigen::Triplet<double>> entries;
    for (int r = 0; r < p_.mass.rows; ++r)
      for (int k = p_.mass.start[r]; k < p_.mass.start[r + 1]; ++k)
        entries.emplace_back(r, p_.mass.column[k], p_.mass.value[k]);
    Sparse mass(p_.mass.rows, p_.mass.rows);
    mass.setFromTriplets(entries.begin(), entries.end());
    if (Eigen::SimplicialLLT<Sparse>(mass).info() != Eigen::Success) in_.fail(path, "not positive definite");
  }

  void read_additional() {
    const int rows = p_.joint_rows();
    const bool local = p_.local();  // W and R have the compliance in them
    if (!local && in_.has("clarke/contact_compliance")) {
      p_.compliance = vector("clarke/contact_compliance", 3 * p_.contacts);
      check_not_negative("clarke/contact_compliance", p_.compliance);
    }
    if (!local && in_.has("clarke/joint_compliance")) {
      p_.joint_compliance = vector("clarke/joint_compliance", rows);
      check_not_negative("clarke/joint_compliance", p_.joint_compliance);
    }
    const bool lower = in_.has("clarke/joint_lower"), upper = in_.has("clarke/joint_upper");
    if (lower != upper)
      in_.fail(lower ? "clarke/joint_upper" : "clarke/joint_lower", "is missing beside the other bound");
    if (lower) {
      p_.joint_lower = in_.numbers("clarke/joint_lower");
      p_.joint_upper = in_.numbers("clarke/joint_upper");
      check_size("clarke/joint_lower", p_.joint_lower.size(), rows);
      check_size("clarke/joint_upper", p_.joint_upper.size(), rows);
      constexpr double kInf = std::numeric_limits<double>::infinity();
      for (int r = 0; r < rows; ++r)
        if (!(p_.joint_lower[r] <= p_.joint_upper[r]) || p_.joint_lower[r] == kInf || p_.joint_upper[r] == -kInf)
          in_.fail("clarke/joint_lower", "row " + std::to_string(r) + ": expected lower <= upper, got " +
                                             format_real(p_.joint_lower[r]) + " and " + format_real(p_.joint_upper[r]));
    }
    p_.contact_names = names("clarke/contact_names", p_.contacts);
    p_.joint_row_names = names("clarke/joint_row_names", rows);
    p_.provenance = in_.text("clarke/provenance");
  }

  std::vector<std::string> names(const std::string& path, int size) {
    if (!in_.has(path)) return {};
    std::vector<std::string> out = in_.texts(path);
    check_size(path, out.size(), size);
    return out;
  }

  void check_not_negative(const std::string& path, const std::vector<double>& list) {
    for (std::size_t i = 0; i < list.size(); ++i)
      if (list[i] < 0)
        in_.fail(path, "entry " + std::to_string(i) + ": expected at least 0, got " + format_real(list[i]));
  }

  /// Those of v, u, r, l that are there.
  ProblemSolution values(const std::string& group) {
    const auto optional = [&](const char* name, int size) {
      const std::string path = group + "/" + name;
      return size > 0 && in_.has(path) ? vector(path, size) : std::vector<double>();
    };
    ProblemSolution s;
    s.velocity = optional("v", p_.mass.rows);
    s.contact_velocity = optional("u", 3 * p_.contacts);
    s.contact_impulse = optional("r", 3 * p_.contacts);
    s.joint_impulse = optional("l", p_.joint_rows());
    return s;
  }

  void read_guesses() {
    if (!in_.has("guesses")) return;
    const int count = in_.has("guesses/number_of_guesses") ? in_.integer("guesses/number_of_guesses") : 0;
    for (int g = 1; g <= count; ++g) {
      const std::string group = "guesses/" + std::to_string(g);
      if (!in_.has(group)) in_.fail(group, "is missing");
      p_.guesses.push_back(values(group));
    }
  }

  Hdf5Reader in_;
  std::string root_;
  ContactProblem p_;
};

}  // namespace

ContactProblem read_problem(const std::string& file) {
  rehearse(file, [&file] { (void)ProblemReader(file).read(); });
  try {
    return ProblemReader(file).read();
  } catch (const std::bad_alloc&) {
    throw InputError(file + ": states sizes that do not fit into memory");
  }
}

}  // namespace clarke
