// Pieces of the laws of rows: where what a compliant row carries is smooth.

#include "framework/sets/piece.hpp"
#include "framework/sets/resolvent.hpp"
#include "tests/property/random.hpp"
#include "tests/property/taylor.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <limits>
#include <string>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(pieces)

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr int kSamples = 400;
constexpr double kRounding = 1e-14;  // of a few operations on numbers of the size of z
constexpr double kKink = 1e-9;       // of the size of z: beyond a margin that vanishes p is the same but for that

using Vector = std::array<double, 3>;
using Pieces = std::array<Piece, 3>;

/// Calls f(set) for boxes with every kind of bound, and for cones.
template <class F>
void for_sets_with_pieces(const F& f) {
  const Vector lower{-1, -kInf, 0.5}, upper{2, 0, 0.5};  // the last is both at once
  AdmissibleSet set;
  set.rows = 3;
  set.lower = lower.data(), set.upper = upper.data();
  BOOST_TEST_CONTEXT("box") { f(set); }
  set = {};
  set.rows = 3;
  set.kind = SetKind::cone;
  for (const double friction : {0.0, 0.3, 4.0}) {
    set.friction = friction;
    BOOST_TEST_CONTEXT("friction " << friction) { f(set); }
  }
}

Vector random_argument(Random& random) {
  const Vec3 v = random.log_uniform(0.1, 10) * random.unit_vector();
  return {v.x, v.y, v.z};
}
double size(const Vector& a) { return std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]); }

Pieces where(const AdmissibleSet& set, const Vector& z) {
  Pieces piece{};
  pieces_at(set, z.data(), piece.data());
  return piece;
}
Vector carried(const AdmissibleSet& set, const Pieces& piece, const Vector& z) {
  Vector p{};
  double D[9];
  project_in_piece(set, piece.data(), z.data(), p.data(), D);
  return p;
}
Vector margins(const AdmissibleSet& set, const Pieces& piece, const Vector& z) {
  Vector margin{};
  piece_margins(set, piece.data(), z.data(), margin.data());
  return margin;
}

}  // namespace

// In the pieces where z is, p is the law's own and no margin is negative; in others some margin is.
BOOST_AUTO_TEST_CASE(law_in_its_pieces) {
  for_sets_with_pieces([](const AdmissibleSet& set) {
    Random random(3);
    for (int i = 0; i < kSamples; ++i) {
      const Vector z = random_argument(random), other = random_argument(random);
      const Pieces piece = where(set, z);
      const Vector p = carried(set, piece, z);
      Vector law = z;
      if (set.kind == SetKind::cone) {
        const double still[3] = {0, 0, 0}, one[3] = {1, 1, 1};
        double D[9];
        resolvent(set, z.data(), still, one, still, law.data(), D);
      } else {
        project(set, law.data());
      }
      for (int r = 0; r < 3; ++r) BOOST_TEST(std::fabs(p[r] - law[r]) <= kRounding * size(z));
      for (const double margin : margins(set, piece, z)) BOOST_TEST(margin >= 0);
      const Pieces elsewhere = where(set, other);
      const bool slips = set.kind != SetKind::cone || (set.friction > 0 && elsewhere[0] == Piece::free);
      bool same = true, negative = false;
      for (int r = 0; r < 3; ++r) {
        same &= elsewhere[r] == piece[r] || (set.kind == SetKind::cone && r > 0 && !slips);
        negative |= margins(set, elsewhere, z)[r] < 0;
      }
      BOOST_TEST(same != negative);
    }
  });
}

// Derivatives of p and of the margins, pieces held, also where z has left them.
BOOST_AUTO_TEST_CASE(derivatives_in_pieces) {
  for_sets_with_pieces([](const AdmissibleSet& set) {
    Random random(5);
    int nearer = 0;  // the other bound has become the nearer one on the way
    for (int i = 0; i < kSamples; ++i) {
      const Vector z = random_argument(random), d = random_argument(random);
      const Pieces piece = where(set, i % 2 ? z : random_argument(random));
      Vector p{}, slope{};
      double D[9];
      project_in_piece(set, piece.data(), z.data(), p.data(), D);
      piece_margin_slopes(set, piece.data(), z.data(), d.data(), slope.data());
      const Vector margin = margins(set, piece, z);
      const auto at = [&](double e) { return Vector{z[0] + e * d[0], z[1] + e * d[1], z[2] + e * d[2]}; };
      for (int r = 0; r < 3; ++r) {
        const double along = D[3 * r] * d[0] + D[3 * r + 1] * d[1] + D[3 * r + 2] * d[2];
        BOOST_TEST(taylor_slope(
                       size(z) + size(d),
                       [&](double e) { return std::fabs(carried(set, piece, at(e))[r] - p[r] - e * along); },
                       1e-4) > kTaylorSlope);
        if (!(margin[r] < kNoMargin)) continue;
        nearer += !(taylor_slope(
                        size(z) + size(d),
                        [&](double e) { return std::fabs(margins(set, piece, at(e))[r] - margin[r] - e * slope[r]); },
                        1e-4) > kTaylorSlope);
      }
    }
    BOOST_TEST(nearer <= kSamples / 50);
  });
}

// Where a margin vanishes the pieces beyond it carry the same, have it the other way round, and lead back.
BOOST_AUTO_TEST_CASE(pieces_beyond_a_margin) {
  for_sets_with_pieces([](const AdmissibleSet& set) {
    Random random(7);
    std::array<int, 3> crossed{};
    for (int i = 0; i < kSamples; ++i) {
      Vector z = random_argument(random);
      const int row = i % 3;
      if (set.kind != SetKind::cone) {
        z[row] = i % 2 && std::isfinite(set.lower[row]) ? set.lower[row] : set.upper[row];
        if (set.lower[row] == set.upper[row]) z[row] -= 1e-3 * kKink;  // free nowhere else than there
      } else if (row == 0) {
        z[0] = kKink * kKink;
      } else {
        z[0] = std::fabs(z[0]);
        const double keep = set.friction * z[0] / std::hypot(z[1], z[2]);
        z[1] *= keep, z[2] *= keep;
      }
      const Pieces from = where(set, z);
      const Vector before = margins(set, from, z);
      if (!(std::fabs(before[row]) <= kKink * size(z))) continue;
      Pieces to = from;
      cross_margin(set, z.data(), row, to.data());
      ++crossed[row];
      BOOST_TEST((to[row] != from[row]));
      const Vector p = carried(set, from, z), q = carried(set, to, z);
      for (int r = 0; r < 3; ++r) BOOST_TEST(std::fabs(p[r] - q[r]) <= kKink * size(z));
      const Vector d = random_argument(random);
      Vector leaves{}, enters{};
      piece_margin_slopes(set, from.data(), z.data(), d.data(), leaves.data());
      piece_margin_slopes(set, to.data(), z.data(), d.data(), enters.data());
      BOOST_TEST(std::fabs(leaves[row] + enters[row]) <= kRounding * size(d));
      Pieces back = to;
      cross_margin(set, z.data(), row, back.data());
      BOOST_TEST((back[row] == from[row]));
    }
    BOOST_TEST(crossed[0] > kSamples / 10);
    BOOST_TEST((crossed[1] > kSamples / 10) == (set.kind != SetKind::cone || set.friction > 0));
  });
}

// What has neither bounds nor a disc has no pieces to hold.
BOOST_AUTO_TEST_CASE(sets_without_pieces) {
  AdmissibleSet set;
  set.rows = 3;
  set.kind = SetKind::disc;
  BOOST_TEST(!has_pieces(set));
  const FrictionSection ellipse{SectionKind::quarters, 1, 0.5, 0.8, 1.5, 0, 0};
  set.kind = SetKind::cone, set.friction = 0.5, set.section = &ellipse;
  BOOST_TEST(!has_pieces(set));
  const Vector none{-kInf, -kInf, -kInf}, all{kInf, kInf, kInf}, z{3, -2, 7};
  set = {};
  set.rows = 3;
  set.lower = none.data(), set.upper = all.data();
  BOOST_TEST(has_pieces(set));
  for (const double margin : margins(set, where(set, z), z)) BOOST_TEST(margin >= kNoMargin);
}

BOOST_AUTO_TEST_SUITE_END()
