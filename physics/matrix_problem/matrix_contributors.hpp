#pragma once
// The contributors of a given problem (matrix_problem.hpp): everything is constant, and linear but for friction and
// bounds.
//
//   MatrixMass      M, ũ                              MatrixContacts   v = J u + w + γ Λ through a contact law
//   MatrixJoints    v = G u + b + E Λ, one row each; bounded ones through a joint law                       [eq. B3]
//
// What would be a gap is the velocity ĉ = v_n here; `gap` itself is zero, as the positions are not known.

#include "framework/contributor.hpp"
#include "framework/row_law.hpp"
#include "physics/matrix_problem/matrix_problem.hpp"

namespace clarke {

class MatrixMass final : public Contributor {
 public:
  explicit MatrixMass(const MatrixProblem& problem);
  std::string kind() const override { return "matrix_mass"; }
  void begin_step(const StepContext&, const State&) override {}
  void fill_mass(const StepContext&, const State&, SaddlePointSystem& system) override;
  void pattern(PatternBuilder&) const override {}
  void evaluate(const StepContext&, const StepPoint&, const SystemSlice&, bool) override {}
  std::string item_name(int) const override { return ""; }

 private:
  View<Mat3> mass_, inverse_;
  View<Vec3> free_velocity_;
};

/// Constant coefficients of items on the device, and what is done with them.
class MatrixCoefficients {
 public:
  explicit MatrixCoefficients(const MatrixRows& rows);
  void pattern(PatternBuilder& builder) const;
  /// J (and R) of the slice := coefficients; v := J u + offset + γ Λ of its rows. (Public: device lambdas.)
  void evaluate(const StepPoint& point, const SystemSlice& slice, const View<double>& compliance,
                const View<double>& velocity) const;
  int rows() const { return static_cast<int>(offset_.extent(0)); }
  int items() const { return host_.items(); }
  bool separate() const { return right_.extent(0) > 0; }

 private:
  MatrixRows host_;  // slots and blocks, for the pattern
  View<Vec3> value_, right_;
  View<double> offset_;
};

class MatrixContacts final : public Contributor {
 public:
  /// `symmetric_delassus`: of the given W; true for a global problem. Names may be empty.
  MatrixContacts(const MatrixRows& rows, const std::vector<double>& friction, const std::vector<double>& compliance,
                 std::vector<std::string> names, std::unique_ptr<RowLaw> law, bool symmetric_delassus);
  /// Where a warm start begins; empty: at zero.
  void set_guess(std::vector<double> impulse) { guess_ = std::move(impulse); }

  std::string kind() const override { return "matrix_contacts"; }
  void begin_step(const StepContext& context, const State& state) override;
  void pattern(PatternBuilder& builder) const override { coefficients_.pattern(builder); }
  RowTraits traits() const override {
    return {.symmetric = law_->symmetric(),
            .separate_transpose = coefficients_.separate(),
            .symmetric_delassus = symmetric_delassus_};
  }
  void evaluate(const StepContext& context, const StepPoint& point, const SystemSlice& slice, bool linearise) override;
  void delassus_diagonal_known(const StepContext& context, const SystemSlice& slice) override;
  void warm_start(const View<double>& impulse) override;
  std::string item_name(int item) const override;
  const RowSet* rows() const override { return &rows_; }
  void count_law_safeguards(std::map<std::string, long>& counts) const override;
  RowLaw& law() { return *law_; }
  /// Another law from the next step on (StepProblem::forget_layout); `law` becomes the one before.
  void exchange_law(std::unique_ptr<RowLaw>& law) { std::swap(law, law_); }

 private:
  MatrixCoefficients coefficients_;
  std::vector<std::string> names_;
  std::unique_ptr<RowLaw> law_;
  bool symmetric_delassus_, compliant_;
  std::vector<double> guess_;
  RowSet rows_;
  View<double> compliance_, compliant_diagonal_;
};

class MatrixJoints final : public Contributor {
 public:
  /// Bounds and compliance as in ContactProblem; `law` may be null where there are no bounds.
  MatrixJoints(const MatrixRows& rows, const ContactProblem& problem, std::shared_ptr<RowLaw> law);
  void set_guess(std::vector<double> impulse) { guess_ = std::move(impulse); }

  std::string kind() const override { return "matrix_joints"; }
  void begin_step(const StepContext&, const State&) override {}
  void pattern(PatternBuilder& builder) const override { coefficients_.pattern(builder); }
  RowTraits traits() const override { return {.separate_transpose = coefficients_.separate()}; }
  void evaluate(const StepContext& context, const StepPoint& point, const SystemSlice& slice, bool linearise) override;
  void delassus_diagonal_known(const StepContext&, const SystemSlice& slice) override { rows_.out = slice; }
  void warm_start(const View<double>& impulse) override;
  std::string item_name(int item) const override;
  const RowSet* rows() const override { return &rows_; }

 private:
  MatrixCoefficients coefficients_;
  std::vector<std::string> names_;
  std::shared_ptr<RowLaw> law_;
  std::vector<double> guess_;
  RowSet rows_;
};

}  // namespace clarke
