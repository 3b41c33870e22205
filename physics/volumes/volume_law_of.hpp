#pragma once
// VolumeLawType made of a law, and the pool of its volumes.

#include "framework/row_assembly.hpp"
#include "framework/state_archive.hpp"
#include "physics/soft/rows/elastic_rows.hpp"
#include "physics/volumes/volume_pool.hpp"

#include <limits>

namespace clarke {

template <VolumeLaw L>
class VolumePool final : public Volumes {
 public:
  VolumePool(const Entities& entities, const World& world, const std::vector<int>& volumes,
             const VolumeOptions& options)
      : surfaces_(entities, world, volumes),
        count_(static_cast<int>(volumes.size())),
        slope_(options.tangent == "sparse" ? 0 : 1) {
    std::vector<L> laws;
    for (const int v : volumes) {
      const VolumeDescription& d = world.volumes[v];
      laws.push_back(L::of(d));
      if (slope_ == 0 && laws.back().rigid())
        throw InputError("-volume_tangent sparse: volume '" + d.name +
                         "' is kept, and its pressure follows from no volume: expected a compressibility, or "
                         "-volume_tangent row");
      amount_of_.push_back(d.amount);
      names_.push_back(d.name);
    }
    laws_ = to_device("volume_laws", laws);
    full_ = View<double>("volume_full", count_);
    last_impulse_ = View<double>("volume_last_impulse", count_);
    rows_.items = rows_.rows = count_;
    for (auto* view : {&rows_.velocity, &rows_.compliance, &rows_.violation, &rows_.lower, &rows_.upper})
      *view = View<double>("volume_rows", count_);
    fill(rows_.lower, -std::numeric_limits<double>::infinity());
    fill(rows_.upper, std::numeric_limits<double>::infinity());
    std::vector<int> rigid;
    for (const L& law : laws) rigid.push_back(law.rigid());
    rows_.rigid = to_device("volume_rigid", rigid);
    fill_up(0);
    for (int v = 0; v < count_; ++v) {
      const double start = surfaces_.lists().start[v];
      readings_.push_back({names_[v], start, laws[v].rigid() ? 0 : laws[v].pressure(start / amounts_[v])});
    }
  }

  std::string kind() const override { return "volume"; }
  std::string item_name(int item) const override {
    return item < count_ ? "volume " + names_[item] : "a triangle of a volume";
  }
  void pattern(PatternBuilder& builder) const override {
    for (const auto& blocks : surfaces_.lists().blocks) builder.add_item(1, blocks);
    if (!whole_stiffness_) return;
    for (const auto& blocks : surfaces_.lists().triangle_blocks) builder.add_item(0, blocks);
  }
  void set_whole_stiffness(bool whole) override { whole_stiffness_ = whole; }
  const RowSet* rows() const override { return &rows_; }
  void warm_start(const View<double>& impulse) override { Kokkos::deep_copy(impulse, last_impulse_); }

  void carry_over(StateArchive& archive) override {
    archive.view("impulse", last_impulse_);
    for (VolumeReading& reading : readings_)
      archive.group(reading.name, [&] {
        archive.real("volume", reading.volume);
        archive.real("pressure", reading.pressure);
      });
  }

  void begin_step(const StepContext& context, const State&) override {
    refuse_velocity_level(context, "volumes");
    fill_up(context.stage_time());
    h_ = context.h;
  }

  void evaluate(const StepContext& context, const StepPoint& point, const SystemSlice& slice, bool linearise) override {
    bind_rows(rows_, point, slice);
    surfaces_.measure(point.x, slice);
    surfaces_.clear_forces(slice);
    const View<L> laws = laws_;
    const View<double> V = surfaces_.volume(), inverse_area = surfaces_.views().inverse_area, full = full_;
    const SystemSlice& s = slice;
    const RowSet rows = rows_;
    const double h = context.h, b = context.b, slope = slope_;
    parallel_for(
        "volume_rows", count_,
        KOKKOS_LAMBDA(int v) {
          const double per_area = inverse_area(v), p = rows.impulse(v) / h * per_area;
          rows.violation(v) = (V(v) - full(v) * laws(v).expansion(p)) * per_area;
          rows.velocity(v) = rows.violation(v) / b;
          rows.compliance(v) = -full(v) * laws(v).expansion_slope(p) * per_area * per_area / (h * b);
          s.residual(v) = rows.velocity(v);
          s.a(v) = slope;
          s.b(v) = rows.compliance(v);
          s.slip_frame(2 * v) = 1;
          s.slip_frame(2 * v + 1) = 0;
        },
        30);
    evaluate_bounds(nullptr, rows_, point, linearise);
  }
  void delassus_diagonal_known(const StepContext&, const SystemSlice& slice) override { rows_.out = slice; }

  void geometric_stiffness(const StepContext& context, const StepPoint& point, const SystemSlice& slice,
                           const View<Mat3>&) override {
    if (whole_stiffness_) surfaces_.stiffness(context.b, point, slice);
  }

  void end_step(const View<double>& impulse) override {
    Kokkos::deep_copy(last_impulse_, impulse);
    const auto host = host_copy(impulse);
    const auto V = host_copy(surfaces_.volume());
    for (int v = 0; v < count_; ++v) {
      readings_[v].volume = V(v);
      readings_[v].pressure = host(v) / h_ * surfaces_.lists().inverse_area[v];
    }
  }
  std::vector<VolumeReading> readings() const override { return readings_; }

  double elastic_energy(const View<double>&, double) const override {
    const auto V = host_copy(surfaces_.volume());
    const auto laws = host_copy(laws_);
    double energy = 0;
    for (int v = 0; v < count_; ++v) energy += amounts_[v] * laws(v).energy(V(v) / amounts_[v]);
    return energy;
  }

 private:
  /// V₀ at time t.
  void fill_up(double t) {
    amounts_.resize(count_);
    for (int v = 0; v < count_; ++v) {
      const double amount = amount_of_[v](t);
      if (!(amount > 0))
        throw InputError("volume '" + names_[v] + "': amount: expected > 0 at " + std::to_string(t) + " s");
      amounts_[v] = amount * surfaces_.lists().start[v];
    }
    to_device(amounts_, full_);
  }

  VolumeSurfaces surfaces_;
  int count_;
  double slope_;  // of the residual along J du in Newton's matrix
  View<L> laws_;
  View<double> full_;            // V₀ of this step [m³]
  std::vector<double> amounts_;  // the same on the host
  std::vector<TimeFunction> amount_of_;
  std::vector<std::string> names_;
  std::vector<VolumeReading> readings_;
  View<double> last_impulse_;
  RowSet rows_;
  bool whole_stiffness_ = false;
  double h_ = 0;  // [s] of this step
};

template <VolumeLaw L>
class VolumeLawTypeOf final : public VolumeLawType {
 public:
  bool gas() const override { return L::kGas; }
  double expansion(const VolumeDescription& d, double p) const override { return L::of(d).expansion(p); }
  double expansion_slope(const VolumeDescription& d, double p) const override { return L::of(d).expansion_slope(p); }
  double pressure(const VolumeDescription& d, double J) const override { return L::of(d).pressure(J); }
  double energy(const VolumeDescription& d, double J) const override { return L::of(d).energy(J); }
  std::unique_ptr<Volumes> build(const Entities& entities, const World& world, const std::vector<int>& volumes,
                                 const VolumeOptions& options) const override {
    return std::make_unique<VolumePool<L>>(entities, world, volumes, options);
  }
};

}  // namespace clarke
