// The host's matrices of a step are those that Newton's iteration multiplies with.

#include "verdict/step_matrices.hpp"

#include "ncp/strategies/newton_matrix.hpp"
#include "tests/model_run.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(step_matrices)

// S [H −Jᵀ; −A J  −B] x by the kernels and by the matrices, for a law that turns its rows and one with dense blocks.
BOOST_AUTO_TEST_CASE(the_product_of_newtons_matrix) {
  for (const std::string law : {"-contact_law decoupled -friction_map disc_projection_coupled -ksp_type gmres",
                                "-contact_law soc_fischer_burmeister -ksp_type gmres"}) {
    const ScopedOptions scoped(law + " -snes_max_it 3");
    World w = world_with_plane(0.3);
    for (int i = 0; i < 3; ++i) {
      BodyDescription b = box("b" + std::to_string(i), {0.5, 0.4, 0.1}, 2 + i, {0.1 * i, 0, 0.1 + 0.2 * i});
      b.velocity = {2.0 - i, 1, 0};
      w.bodies.push_back(b);
    }
    Model model(w, 0.01);
    (void)model.step();
    SaddlePointSystem& s = model.problem().system();
    const int n = s.velocity_size(), m = s.pattern.rows;
    BOOST_REQUIRE(m > 12);
    std::vector<double> x(n + m);
    for (int i = 0; i < n + m; ++i) x[i] = std::sin(1.0 + 3 * i);
    const View<double> in = to_device("x", x), out("y", n + m);
    newton_matrix_product(s, in, out);
    std::vector<double> product, row_scale, momentum_scale;
    to_host(out, product);
    to_host(s.row_scale.view(), row_scale);
    to_host(s.momentum_scale.view(), momentum_scale);

    const RowMatrix J = step_jacobian(s), H = block_diagonal(s.hessian);
    const RowBlocks blocks = row_blocks(s);
    const Eigen::Map<const Eigen::VectorXd> u(x.data(), n), impulse(x.data() + n, m);
    const Eigen::VectorXd momentum = H * u - J.transpose() * impulse;
    const Eigen::VectorXd Ju = J * u, rows = -(blocks.A * Ju) - blocks.B * impulse;
    // Sums of some hundred products of order 1 to 100.
    constexpr double kRounding = 1e-11;
    for (int i = 0; i < n; ++i)
      BOOST_TEST(std::fabs(momentum_scale[i / 3] * momentum(i) - product[i]) <= kRounding, law << " velocity " << i);
    for (int r = 0; r < m; ++r)
      BOOST_TEST(std::fabs(row_scale[r] * rows(r) - product[n + r]) <= kRounding, law << " row " << r);
  }
}

BOOST_AUTO_TEST_SUITE_END()
