// Rows in the order of velocity blocks: the same sums as through the gather list, bit for bit, and of the last
// reduction.

#include "linear/reduced_system.hpp"
#include "tests/property/newton_systems.hpp"

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(gathered_rows)

BOOST_AUTO_TEST_CASE(same_bits_after_every_reduction) {
  for (const World& world : {box_on_plane(), jointed_rods(), soft_cube()})
    for (const std::string law : {"-contact_law decoupled", "-contact_law alart_curnier"}) {
      MidNewton m = mid_newton(world, law, 7);
      ReducedSystem reduced;
      for (int round = 0; round < 2; ++round) {
        reduced.reduce(m.system(), {});
        const Pattern p = reduced.pattern();
        const GatheredRows::Rows rows = reduced.gathered();
        const View<Vec3> R = reduced.right(), got("got", p.blocks), expected("expected", p.blocks);
        const View<double> x = m.impulse;
        const View<int> gather = p.gather;
        parallel_for(
            "both_gathers", p.blocks, KOKKOS_LAMBDA(int b) {
              got(b) = gather_rows(rows, gather, x, b);
              expected(b) = block_gather(p, R, x, b);
            });
        fence();
        std::vector<Vec3> a, b;
        to_host(got, a), to_host(expected, b);
        double size = 0;
        for (int k = 0; k < p.blocks; ++k) {
          BOOST_TEST((a[k].x == b[k].x && a[k].y == b[k].y && a[k].z == b[k].z));
          size = std::fmax(size, norm(a[k]));
        }
        BOOST_TEST(size > 0);
        const View<Vec3> J = m.system().jacobian.view(), T = m.system().right();
        parallel_for(
            "other_rows", p.values, KOKKOS_LAMBDA(int v) {
              if (T.data() != J.data()) T(v) = 3.0 * T(v);
              J(v) = 2.0 * J(v);
            });
        fence();
      }
    }
}

BOOST_AUTO_TEST_SUITE_END()
