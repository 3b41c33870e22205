#include "physics/matrix_problem/matrix_problem.hpp"

#include "framework/error.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace clarke {
namespace {

/// Connected components of the graph of a symmetric matrix, numbered by their smallest member.
std::vector<std::vector<int>> components_of(const SparseMatrix& a) {
  std::vector<int> parent(a.rows);
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&parent](int i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  for (int r = 0; r < a.rows; ++r)
    for (int k = a.start[r]; k < a.start[r + 1]; ++k) {
      const int x = root(r), y = root(a.column[k]);
      parent[std::max(x, y)] = std::min(x, y);
    }
  std::vector<std::vector<int>> out;
  std::vector<int> number(a.rows, -1);
  for (int r = 0; r < a.rows; ++r) {
    const int top = root(r);
    if (number[top] < 0) {
      number[top] = static_cast<int>(out.size());
      out.emplace_back();
    }
    out[number[top]].push_back(r);
  }
  return out;
}

}  // namespace

MatrixProblem::MatrixProblem(const ContactProblem& problem) {
  if (problem.local()) {
    build_local(problem);
    return;
  }
  place_velocities(problem.mass);
  fill_mass(problem.mass, problem.force);
  contacts_ = rows_of(problem.jacobian, 3, problem.offset);
  joints_ = rows_of(problem.joint_jacobian, 1, problem.joint_offset);
}

void MatrixProblem::place_velocities(const SparseMatrix& mass) {
  const std::vector<std::vector<int>> parts = components_of(mass);
  const int n = mass.rows;
  place_.resize(n);
  component_of_.assign(n, -1);
  int places = n;
  const bool natural = std::all_of(parts.begin(), parts.end(),
                                   [](const std::vector<int>& part) { return part.front() / 3 == part.back() / 3; });
  if (natural) {
    std::iota(place_.begin(), place_.end(), 0);
  } else {
    places = 0;
    for (const std::vector<int>& part : parts) {
      const int size = static_cast<int>(part.size());
      if (size > 3) {
        for (int dof : part) component_of_[dof] = static_cast<int>(components_.size());
        components_.push_back({part, {}, {}});
      } else if (places % 3 + size > 3) {
        places += 3 - places % 3;  // a component does not straddle two blocks
      }
      for (int dof : part) {
        place_[dof] = places++;
        if (size > 3) components_.back().places.push_back(place_[dof]);
      }
    }
  }
  mass_.resize((places + 2) / 3);
  free_velocity_.resize(mass_.size());
}

void MatrixProblem::fill_mass(const SparseMatrix& mass, const std::vector<double>& force) {
  std::vector<char> used(3 * mass_.size(), 0);
  for (int r = 0; r < mass.rows; ++r) {
    const int p = place_[r];
    used[p] = 1;
    if (component_of_[r] >= 0) {
      mass_[p / 3](p % 3, p % 3) = 1;
      continue;
    }
    for (int k = mass.start[r]; k < mass.start[r + 1]; ++k)
      mass_[p / 3](p % 3, place_[mass.column[k]] % 3) = mass.value[k];
    free_velocity_[p / 3][p % 3] = force[r];
  }
  for (std::size_t p = 0; p < used.size(); ++p)
    if (!used[p]) mass_[p / 3](static_cast<int>(p % 3), static_cast<int>(p % 3)) = 1;
  for (Component& c : components_) {
    const int n = static_cast<int>(c.dofs.size());
    std::map<int, int> at;
    for (int i = 0; i < n; ++i) at[c.dofs[i]] = i;
    Eigen::MatrixXd m = Eigen::MatrixXd::Zero(n, n);
    Eigen::VectorXd f(n);
    for (int i = 0; i < n; ++i) {
      const int r = c.dofs[i];
      for (int k = mass.start[r]; k < mass.start[r + 1]; ++k) m(i, at[mass.column[k]]) = mass.value[k];
      f(i) = force[r];
    }
    const Eigen::LLT<Eigen::MatrixXd> llt(m);
    if (llt.info() != Eigen::Success) throw InputError("the mass matrix is not positive definite");
    const Eigen::MatrixXd lower = llt.matrixL();
    const Eigen::VectorXd u = lower.triangularView<Eigen::Lower>().solve(f);
    c.factor.resize(static_cast<std::size_t>(n) * n);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j <= i; ++j) c.factor[static_cast<std::size_t>(i) * n + j] = lower(i, j);
      free_velocity_[c.places[i] / 3][c.places[i] % 3] = u(i);
    }
  }
  for (std::size_t b = 0; b < mass_.size(); ++b) {
    // What is transformed is ũ already, and its block may hold others: M⁻¹ there is 1.
    free_velocity_[b] = inverse(mass_[b]) * free_velocity_[b];
  }
}

MatrixRows MatrixProblem::rows_of(const SparseMatrix& jacobian, int rows, const std::vector<double>& offset) const {
  MatrixRows out;
  out.rows = rows;
  out.offset = offset;
  for (int first = 0; first < jacobian.rows; first += rows) {
    std::vector<std::map<int, double>> row(rows);  // place -> value
    for (int r = 0; r < rows; ++r) {
      std::map<int, std::map<int, double>> parts;  // component -> its entries, by number within
      for (int k = jacobian.start[first + r]; k < jacobian.start[first + r + 1]; ++k) {
        const int dof = jacobian.column[k];
        if (component_of_[dof] < 0) {
          row[r][place_[dof]] += jacobian.value[k];
        } else {
          const std::vector<int>& dofs = components_[component_of_[dof]].dofs;
          const auto at = std::lower_bound(dofs.begin(), dofs.end(), dof);
          parts[component_of_[dof]][static_cast<int>(at - dofs.begin())] += jacobian.value[k];
        }
      }
      for (const auto& [number, entries] : parts) {  // a row of J L⁻ᵀ: L x = (row of J)ᵀ
        const Component& c = components_[number];
        const int n = static_cast<int>(c.dofs.size());
        std::vector<double> x(n, 0.0);
        for (const auto& [i, value] : entries) x[i] = value;
        for (int i = 0; i < n; ++i) {
          for (int j = 0; j < i; ++j) x[i] -= c.factor[static_cast<std::size_t>(i) * n + j] * x[j];
          x[i] /= c.factor[static_cast<std::size_t>(i) * n + i];
          if (x[i] != 0) row[r][c.places[i]] += x[i];
        }
      }
    }
    std::vector<int> blocks;
    for (const auto& entries : row)
      for (const auto& [place, value] : entries) blocks.push_back(place / 3);
    std::sort(blocks.begin(), blocks.end());
    blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
    for (int r = 0; r < rows; ++r)
      for (int b : blocks) {
        Vec3 v{};
        for (int d = 0; d < 3; ++d)
          if (const auto at = row[r].find(3 * b + d); at != row[r].end()) v[d] = at->second;
        out.value.push_back(v);
      }
    out.block.insert(out.block.end(), blocks.begin(), blocks.end());
    out.slot.push_back(static_cast<int>(out.block.size()));
  }
  return out;
}

/// W, V and R as one operator over blocks of three: contact i is block i, bilateral row k the first place of block n +
/// k.
void MatrixProblem::build_local(const ContactProblem& problem) {
  const int n = problem.contacts, joints = problem.joint_rows();
  std::vector<double> scale(n + joints, 0.0);           // w_i
  std::vector<std::map<int, Mat3>> column(n + joints);  // block i -> block b -> the operator's b, i
  const auto contact_place = [](int row) { return row; };
  const auto joint_place = [n](int row) { return 3 * (n + row); };
  const auto add = [&](int r, int c, double value) {
    column[c / 3][r / 3](r % 3, c % 3) = value;
    if (r == c) scale[r / 3] += r / 3 < n ? value / 3 : value;
  };
  const auto add_all = [&add](const SparseMatrix& a, const auto& row_place, const auto& column_place, bool both) {
    for (int r = 0; r < a.rows; ++r)
      for (int k = a.start[r]; k < a.start[r + 1]; ++k) {
        add(row_place(r), column_place(a.column[k]), a.value[k]);
        if (both) add(column_place(a.column[k]), row_place(r), a.value[k]);
      }
  };
  add_all(problem.delassus, contact_place, contact_place, false);
  add_all(problem.joint_coupling, contact_place, joint_place, true);
  add_all(problem.joint_delassus, joint_place, joint_place, false);
  joints_.rows = 1;
  for (int i = 0; i < n + joints; ++i) {
    const double m = 1 / scale[i];
    mass_.push_back(Mat3::diagonal(m, m, m));
    const double* q = i < n ? &problem.free_velocity[3 * i] : nullptr;
    free_velocity_.push_back(q ? Vec3{q[0], q[1], q[2]} : Vec3{problem.joint_offset[i - n], 0, 0});
    MatrixRows& item = i < n ? contacts_ : joints_;
    std::vector<int> blocks{i};  // its own first: framework/system.hpp
    for (const auto& [b, block] : column[i])
      if (b != i) blocks.push_back(b);
    for (int r = 0; r < item.rows; ++r)
      for (int b : blocks) {
        Vec3 own{};
        if (b == i) own[r] = 1;
        item.value.push_back(own);
        const Mat3& block = column[i][b];
        item.right.push_back((1 / scale[b]) * Vec3{block(0, r), block(1, r), block(2, r)});
      }
    item.block.insert(item.block.end(), blocks.begin(), blocks.end());
    item.slot.push_back(static_cast<int>(item.block.size()));
  }
  contacts_.offset.assign(3 * n, 0.0);
  joints_.offset.assign(joints, 0.0);
}

std::vector<double> MatrixProblem::velocities(const std::vector<Vec3>& u) const {
  std::vector<double> out(place_.size());
  for (std::size_t d = 0; d < place_.size(); ++d) out[d] = u[place_[d] / 3][place_[d] % 3];
  for (const Component& c : components_) {  // u = L⁻ᵀ u'
    const int n = static_cast<int>(c.dofs.size());
    for (int i = n - 1; i >= 0; --i) {
      double x = out[c.dofs[i]];
      for (int j = i + 1; j < n; ++j) x -= c.factor[static_cast<std::size_t>(j) * n + i] * out[c.dofs[j]];
      out[c.dofs[i]] = x / c.factor[static_cast<std::size_t>(i) * n + i];
    }
  }
  return out;
}

}  // namespace clarke
