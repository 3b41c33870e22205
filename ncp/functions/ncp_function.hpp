#pragma once
// NCP functions: φ(a, b) = 0 ⇔ 0 ≤ a ⊥ b ≥ 0, with an element of its generalised gradient.
//
// In a contact row a = C(q⁺)/h and b = r_n Λ_n, both in m/s, so φ is in m/s too. An NCP function is a pure function
// object
//   template <class T> NcpValue<T> operator()(T a, T b) const
// Adding one costs a file and its line in ncp/register.cpp; the batch below makes it a kernel over flat arrays, so that
// NCP functions, friction maps and r-factors never multiply into kernels.

#include "framework/device.hpp"
#include "framework/math/dual.hpp"
#include "framework/options.hpp"
#include "framework/registry.hpp"

namespace clarke {

template <class T>
struct NcpValue {
  T value;   // φ
  T da, db;  // ∂φ/∂a, ∂φ/∂b ≥ 0
};

/// Which NCP function, and what all of them share.
struct NcpOptions {
  std::string ncp_function = "fischer_burmeister";
  std::string corner = "active";
  double corner_radius = 1e-10;
  double slope_min = 1e-6;
  /// Defined where the registry of NCP functions is.
  void describe(OptionVisitor& v);
};
/// The slopes an NCP function takes at its corner, and how near that is; handed to the function objects.
struct NcpCorner {
  double radius = 1e-10;  // [m/s]; rounding of gaps over h is 1e-13 for metre-sized models
  double da = 1, db = 0;
};
NcpCorner corner_of(const NcpOptions& options);

class NcpFunction {
 public:
  virtual ~NcpFunction() = default;
  /// Elementwise over the first n entries.
  virtual void evaluate(int n, const NcpCorner& corner, const View<double>& a, const View<double>& b,
                        const View<double>& value, const View<double>& da, const View<double>& db) const = 0;
  /// One pair of arguments in other scalars: in reduced precision, and with derivatives carried along.
  virtual NcpValue<float> at(float a, float b) const = 0;
  virtual NcpValue<Dual> at(const Dual& a, const Dual& b) const = 0;
  /// Options of its own, for reading and for the record.
  virtual void describe(OptionVisitor& /*visitor*/) {}
};

/// A function with parameters of its own has a member `parameters` with describe().
template <class Phi>
concept HasParameters = requires(Phi phi, OptionVisitor& v) {
  phi.parameters.describe(v);
};

template <class Phi>
class NcpBatch final : public NcpFunction {
 public:
  /// Reads the function's own options, if it has any, from the database.
  NcpBatch() {
    if constexpr (HasParameters<Phi>) read_options(phi_.parameters);
  }
  void describe([[maybe_unused]] OptionVisitor& visitor) override {
    if constexpr (HasParameters<Phi>) phi_.parameters.describe(visitor);
  }
  NcpValue<float> at(float a, float b) const override { return phi_(a, b); }
  NcpValue<Dual> at(const Dual& a, const Dual& b) const override { return phi_(a, b); }
  void evaluate(int n, const NcpCorner& corner, const View<double>& a, const View<double>& b, const View<double>& value,
                const View<double>& da, const View<double>& db) const override {
    Phi phi = phi_;
    phi.corner = corner;
    parallel_for(
        Phi::kName, n,
        KOKKOS_LAMBDA(int i) {
          const NcpValue<double> f = phi(a(i), b(i));
          value(i) = f.value;
          da(i) = f.da;
          db(i) = f.db;
        },
        10);
  }

 private:
  Phi phi_{};
};

Registry<NcpFunction>& ncp_function_registry();

}  // namespace clarke
