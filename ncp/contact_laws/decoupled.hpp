#pragma once
// The scalar contact law: an NCP function for the normal row, a friction map for the tangential rows, an r-factor for
// both. Each is exchangeable by option; each is one batch over flat arrays.
//
//   F_n = φ(ĉ, r_n Λ_n),   A_n = ∂φ/∂a,   B_n = r_n ∂φ/∂b;   F_f from the friction map

#include "framework/row_law.hpp"
#include "ncp/contact_laws/section_laws.hpp"
#include "ncp/friction_maps/friction_map.hpp"
#include "ncp/functions/ncp_function.hpp"
#include "ncp/r_factors/r_factor.hpp"

namespace clarke {

struct DecoupledLawOptions {
  NcpOptions ncp;
  std::string friction_map = "disc_projection";
  std::string r_factor = "delassus_diagonal";
  double denominator_min = 1e-3;
  void describe(OptionVisitor& v);
};

class DecoupledLaw final : public RowLaw {
 public:
  /// Reads its options from the database.
  DecoupledLaw();
  bool symmetric() const override { return map_->symmetric(); }
  bool takes_sections() const override { return map_->takes_sections(); }
  std::string laws_with_sections() const override { return clarke::laws_with_sections(); }
  const char* safeguard() const override { return map_->safeguard(); }
  void evaluate(const RowSet& rows, bool linearise) override;
  void compute_r_factors(const RowSet& rows, double h) override;
  void describe(OptionVisitor& visitor) override {
    options_.describe(visitor);
    ncp_->describe(visitor);
    r_factor_->describe(visitor);
  }

 private:
  DecoupledLawOptions options_;
  std::unique_ptr<NcpFunction> ncp_;
  std::unique_ptr<FrictionMap> map_;
  std::unique_ptr<RFactor> r_factor_;
  Buffer<double> a_{"ncp_a"}, b_{"ncp_b"}, value_{"ncp_phi"}, da_{"ncp_da"}, db_{"ncp_db"};
};

Registry<RowLaw>& contact_law_registry();

}  // namespace clarke
