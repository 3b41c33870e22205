#include "assembly/system_dump.hpp"

#include "framework/text.hpp"
#include "verdict/step_matrices.hpp"

#include <Eigen/Dense>
#include <Eigen/SparseLU>
#include <petscmat.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace clarke {
namespace {

constexpr const char* kReadme =
    R"(The linear system of one Newton iteration of Clarke: step STEP, t = TIME s, iteration ITERATION.

Every matrix and vector is there twice: NAME.mtx in Matrix Market format (text), NAME.petsc in PETSc's binary format
(MatLoad, VecLoad; in Python petsc4py or PetscBinaryIO). SI units; nothing is scaled, shifted or condensed.

| name | what | size |
|---|---|---|
| `M` | mass, 3 x 3 blocks: a particle has one, a body two (v, then w) | n x n |
| `H` | M plus geometric stiffness and, with -soft_form stiffness, that of elements | n x n |
| `J` | constraint rows; a contact has (n, t1, t2) | m x n |
| `R` | only of a problem whose Delassus operator is given: what stands for J in J' below | m x n |
| `A`, `B` | linearisation of the row laws: dF = A J du + B dL | m x m |
| `g` | momentum residual M (u - u~) - J' L | n |
| `F` | row residual | m |
| `newton` | K = [H, -J'; -A J, -B] | (n + m) square |
| `newton_rhs` | (-g, F): K (du, dL) = newton_rhs | n + m |
| `schur` | S = A J H^-1 J' + B | m x m |
| `schur_rhs` | A J H^-1 g - F: S dL = schur_rhs | m |

`rows.txt` names the joint or contact of every row. What the solver is given is the same system scaled to sqrt(J),
with rows of known multipliers condensed and, where asked for, regularised.
)";

using Vector = Eigen::VectorXd;

void petsc_check(PetscErrorCode error, const std::string& file) {
  if (error) throw std::runtime_error(file + ": cannot be written");
}

void write_text(const std::filesystem::path& path, const std::string& text) {
  std::ofstream stream(path, std::ios::binary);
  stream << text;
  if (!stream.flush()) throw std::runtime_error(path.string() + ": cannot be written");
}

/// Calls view(viewer) on a new binary file, without the .info file PETSc would put beside it.
template <class ViewIt>
void write_binary(const std::string& file, const ViewIt& view) {
  PetscViewer viewer = nullptr;
  petsc_check(PetscViewerCreate(simulation_communicator(), &viewer), file);
  petsc_check(PetscViewerSetType(viewer, PETSCVIEWERBINARY), file);
  petsc_check(PetscViewerBinarySetSkipInfo(viewer, PETSC_TRUE), file);
  petsc_check(PetscViewerFileSetMode(viewer, FILE_MODE_WRITE), file);
  petsc_check(PetscViewerFileSetName(viewer, file.c_str()), file);
  petsc_check(view(viewer), file);
  petsc_check(PetscViewerDestroy(&viewer), file);
}

void write(const std::filesystem::path& folder, const std::string& name, RowMatrix a) {
  a.makeCompressed();
  std::string text = "%%MatrixMarket matrix coordinate real general\n" + std::to_string(a.rows()) + " " +
                     std::to_string(a.cols()) + " " + std::to_string(a.nonZeros()) + "\n";
  for (int r = 0; r < a.rows(); ++r)
    for (RowMatrix::InnerIterator e(a, r); e; ++e)
      text += std::to_string(r + 1) + " " + std::to_string(e.col() + 1) + " " + format_real(e.value()) + "\n";
  write_text(folder / (name + ".mtx"), text);
  const std::string file = (folder / (name + ".petsc")).string();
  Mat mat = nullptr;
  petsc_check(MatCreateSeqAIJWithArrays(simulation_communicator(), static_cast<PetscInt>(a.rows()),
                                        static_cast<PetscInt>(a.cols()), a.outerIndexPtr(), a.innerIndexPtr(),
                                        a.valuePtr(), &mat),
              file);
  write_binary(file, [mat](PetscViewer viewer) { return MatView(mat, viewer); });
  petsc_check(MatDestroy(&mat), file);
}

void write(const std::filesystem::path& folder, const std::string& name, const Vector& x) {
  std::string text = "%%MatrixMarket matrix array real general\n" + std::to_string(x.size()) + " 1\n";
  for (const double v : x) text += format_real(v) + "\n";
  write_text(folder / (name + ".mtx"), text);
  const std::string file = (folder / (name + ".petsc")).string();
  Vec vec = nullptr;
  petsc_check(VecCreateSeqWithArray(simulation_communicator(), 1, static_cast<PetscInt>(x.size()), x.data(), &vec),
              file);
  write_binary(file, [vec](PetscViewer viewer) { return VecView(vec, viewer); });
  petsc_check(VecDestroy(&vec), file);
}

/// Inverse of a block-diagonal matrix with blocks of three.
RowMatrix inverse(const RowMatrix& blocks) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int b = 0; b < blocks.rows(); b += 3) {
    const Eigen::Matrix3d inverse = Eigen::Matrix3d(blocks.block(b, b, 3, 3)).inverse();
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) entries.emplace_back(b + r, b + c, inverse(r, c));
  }
  RowMatrix out(blocks.rows(), blocks.cols());
  out.setFromTriplets(entries.begin(), entries.end());
  return out;
}

/// X H⁻¹ of a symmetric H with blocks anywhere.
RowMatrix divided(const RowMatrix& X, const RowMatrix& H) {
  const Eigen::SparseLU<Eigen::SparseMatrix<double>> factor{Eigen::SparseMatrix<double>(H)};
  return RowMatrix(Eigen::SparseMatrix<double>(factor.solve(Eigen::SparseMatrix<double>(X.transpose()))).transpose());
}

void append(std::vector<Eigen::Triplet<double>>& entries, const RowMatrix& a, double factor, int row, int column) {
  for (int r = 0; r < a.rows(); ++r)
    for (RowMatrix::InnerIterator e(a, r); e; ++e)
      entries.emplace_back(row + r, column + static_cast<int>(e.col()), factor * e.value());
}

std::string with(std::string text, const std::string& word, const std::string& value) {
  return text.replace(text.find(word), word.size(), value);
}

}  // namespace

void SystemDump::linearised(const StepProblem& problem, int iteration, double unit) {
  if (!wanted() || written_ || iteration != options_.iteration || problem.context().step != options_.step) return;
  const SaddlePointSystem& s = problem.system();
  const std::filesystem::path folder = options_.directory;
  std::filesystem::create_directories(folder);

  const RowMatrix J = step_jacobian(s), H = step_hessian(s);
  const RowBlocks blocks = row_blocks(s);
  const int n = static_cast<int>(J.cols()), m = static_cast<int>(J.rows());
  const auto momentum = host_copy(s.momentum_residual.view());
  const auto residual = host_copy(s.residual.view());
  Vector g(n), F(m);
  for (int b = 0; b < s.blocks; ++b) g.segment<3>(3 * b) << momentum(b).x, momentum(b).y, momentum(b).z;
  for (int r = 0; r < m; ++r) F(r) = residual(r);
  g *= unit;
  F *= unit;

  const RowMatrix AJ = blocks.A * J, AJH = s.sparse_hessian() ? divided(AJ, H) : RowMatrix(AJ * inverse(H)),
                  Jt = step_transpose(s).transpose();
  std::vector<Eigen::Triplet<double>> entries;
  append(entries, H, 1, 0, 0);
  append(entries, Jt, -1, 0, n);
  append(entries, AJ, -1, n, 0);
  append(entries, blocks.B, -1, n, n);
  RowMatrix K(n + m, n + m);
  K.setFromTriplets(entries.begin(), entries.end());
  Vector right(n + m);
  right << -g, F;

  write(folder, "M", block_diagonal(s.mass));
  write(folder, "H", H);
  write(folder, "J", J);
  if (s.traits.separate_transpose) write(folder, "R", RowMatrix(Jt.transpose()));
  write(folder, "A", blocks.A);
  write(folder, "B", blocks.B);
  write(folder, "g", g);
  write(folder, "F", F);
  write(folder, "newton", K);
  write(folder, "newton_rhs", right);
  write(folder, "schur", RowMatrix(RowMatrix(AJH * Jt) + blocks.B));
  write(folder, "schur_rhs", Vector(AJH * g - F));
  std::string names;
  for (int r = 0; r < m; ++r) names += problem.row_name(r) + "\n";
  write_text(folder / "rows.txt", names);
  std::string readme = with(kReadme, "STEP", std::to_string(problem.context().step));
  readme = with(readme, "TIME", format_real(problem.context().t + problem.context().h));
  write_text(folder / "README.md", with(readme, "ITERATION", std::to_string(iteration)));
  written_ = true;
}

}  // namespace clarke
