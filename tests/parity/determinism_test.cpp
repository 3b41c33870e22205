// The same numbers whatever runs the kernels: sums and products bit for bit those of a plain loop, and whole runs that
// repeat.

#include "tests/model_run.hpp"
#include "tests/property/random_pattern.hpp"

#include <boost/test/unit_test.hpp>

#include <cstring>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(determinism)

namespace {

/// Sizes around the chunk of a sum and the grain below which kernels run on the calling thread.
const int kSizes[] = {0,          1,      kSumChunk - 1, kSumChunk,      kSumChunk + 1,
                      kGrain - 1, kGrain, kGrain + 1,    3 * kGrain + 7, 100003};

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

/// Numbers of many sizes and both signs, so that every order of additions gives other bits.
std::vector<double> scattered(int n, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> v;
  for (int i = 0; i < n; ++i) v.push_back(random.sign() * random.log_uniform(1e-8, 1e8));
  return v;
}
std::vector<Vec3> scattered3(int n, std::uint64_t seed) {
  const std::vector<double> v = scattered(3 * n, seed);
  std::vector<Vec3> out;
  for (int i = 0; i < n; ++i) out.push_back({v[3 * i], v[3 * i + 1], v[3 * i + 2]});
  return out;
}

struct RunBits {
  std::vector<Vec3> x, u;
  std::vector<Quat> q;
  std::vector<double> impulse;
  std::vector<double> errors;  // of every Newton iteration
};

RunBits run_model(const World& world, const std::string& options, int steps) {
  const ScopedOptions scoped(options);
  Model model(world, 1.0 / 120);
  RunBits out;
  run(model, steps, [&](const StepReport& r) {
    for (const NewtonIteration& n : r.newton) out.errors.push_back(n.velocity_error);
  });
  to_host(model.state().x, out.x);
  to_host(model.state().u, out.u);
  to_host(model.state().orientation, out.q);
  to_host(model.impulse(), out.impulse);
  return out;
}

bool same_bits(const RunBits& a, const RunBits& b) {
  return same_bits(a.x, b.x) && same_bits(a.u, b.u) && same_bits(a.q, b.q) && same_bits(a.impulse, b.impulse) &&
         same_bits(a.errors, b.errors);
}

/// A wall of boxes that a faster one hits: enough contacts for kernels on several threads.
World wall() {
  World w = world_with_plane(0.4);
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k < 8; ++k)
      w.bodies.push_back(box("b" + std::to_string(8 * i + k), {0.5, 0.25, 0.25}, 1 + 0.1 * k,
                             {1.01 * i + (k % 2) * 0.5, 0, 0.25 + 0.5 * k}));
  w.bodies.push_back(box("hammer", {0.3, 0.3, 0.3}, 20, {1.5, 1, 1.6}));
  w.bodies.back().velocity = {0, -8, 0};
  return w;
}

}  // namespace

/// Σ v, Σ v², Σ v³ through the library.
static void library_sums(const std::vector<double>& v, double (&out)[3]) {
  const View<double> view = to_device("v", v);
  SumScratch<3> scratch;
  deterministic_sum<3>(
      "test_sums", static_cast<int>(v.size()),
      KOKKOS_LAMBDA(int i) {
        const double x = view(i);
        return Kokkos::Array<double, 3>{{x, x * x, x * x * x}};
      },
      scratch, out);
}

/// The same by teams, as a device has them.
static void team_sums(const std::vector<double>& v, double (&out)[3]) {
  const int n = static_cast<int>(v.size());
  const View<double> view = to_device("v", v), partial("partial", 3 * sum_chunks(n)), sums("sums", 3);
  team_sum<Exec, 3>(
      "test_team_sums", n,
      KOKKOS_LAMBDA(int i) {
        const double x = view(i);
        return Kokkos::Array<double, 3>{{x, x * x, x * x * x}};
      },
      partial, KOKKOS_LAMBDA(const Kokkos::Array<double, 3>& sum) {
        for (int k = 0; k < 3; ++k) sums(k) = sum[k];
      });
  std::vector<double> host;
  to_host(sums, host);
  std::copy(host.begin(), host.end(), out);
}

BOOST_AUTO_TEST_CASE(sums_are_those_of_a_plain_loop) {
  for (int n : kSizes) {
    const std::vector<double> v = scattered(n, 1);
    double sums[3], by_teams[3], expected[3] = {0, 0, 0};
    library_sums(v, sums);
    team_sums(v, by_teams);
    for (int first = 0; first < n; first += kSumChunk) {
      double chunk[3] = {0, 0, 0};
      for (int i = first; i < std::min(n, first + kSumChunk); ++i) {
        chunk[0] += v[i];
        chunk[1] += v[i] * v[i];
        chunk[2] += v[i] * v[i] * v[i];
      }
      for (int k = 0; k < 3; ++k) expected[k] += chunk[k];
    }
    BOOST_TEST_CONTEXT("n " << n)
    for (int k = 0; k < 3; ++k) {
      BOOST_TEST((std::memcmp(&sums[k], &expected[k], sizeof(double)) == 0));
      BOOST_TEST((std::memcmp(&by_teams[k], &expected[k], sizeof(double)) == 0));
    }
  }
}

BOOST_AUTO_TEST_CASE(products_are_those_of_a_plain_loop) {
  for (int items : {1, 100, kGrain / 8 - 1, kGrain / 8 + 1, 5000}) {
    const int blocks = items / 2 + 5;
    const PatternBuilder b = random_pattern(items, blocks, 6, 2);
    PatternStorage storage;
    const Pattern p = storage.build(b, blocks);
    const std::vector<Vec3> values = scattered3(p.values, 3), u = scattered3(blocks, 4);
    const std::vector<double> x = scattered(p.rows, 5);
    const View<double> y("y", p.rows);
    const View<Vec3> f("f", blocks);
    multiply(p, to_device("J", values), to_device("u", u), y);
    multiply_transpose(p, to_device("J", values), to_device("x", x), f);
    fence();
    std::vector<double> y_host, y_expected(p.rows, 0.0);
    std::vector<Vec3> f_host, f_expected(blocks);
    to_host(y, y_host);
    to_host(f, f_host);
    for (int i = 0; i < items; ++i) {
      const int slots = b.item_slot[i + 1] - b.item_slot[i], rows = b.item_row[i + 1] - b.item_row[i];
      for (int r = 0; r < rows; ++r)
        for (int j = 0; j < slots; ++j)
          y_expected[b.item_row[i] + r] +=
              dot(values[b.item_value[i] + r * slots + j], u[b.slot_block[b.item_slot[i] + j]]);
      // In the transpose a block collects its items in order, and an item's rows in order.
      for (int j = 0; j < slots; ++j)
        for (int r = 0; r < rows; ++r)
          f_expected[b.slot_block[b.item_slot[i] + j]] +=
              values[b.item_value[i] + r * slots + j] * x[b.item_row[i] + r];
    }
    BOOST_TEST_CONTEXT(items << " items") {
      BOOST_TEST(same_bits(y_host, y_expected));
      BOOST_TEST(same_bits(f_host, f_expected));
    }
  }
}

/// v(i) := g(v(i)) by the library's loop, on the calling thread or not, as n and `cost` decide.
static void library_map(const View<double>& v, int cost) {
  parallel_for(
      "test_map", static_cast<int>(v.extent(0)),
      KOKKOS_LAMBDA(int i) { v(i) = std::sqrt(std::fabs(v(i))) * v(i) + 1 / (1 + v(i) * v(i)); }, cost);
}

BOOST_AUTO_TEST_CASE(small_and_large_loops_agree) {
  for (int n : kSizes) {
    const std::vector<double> v = scattered(n, 6);
    const View<double> light = to_device("v", v), heavy = to_device("v", v);
    library_map(light, 1);
    library_map(heavy, 2 * kGrain);  // always shared among threads
    fence();
    std::vector<double> a, b, c = v;
    to_host(light, a);
    to_host(heavy, b);
    for (double& x : c) x = std::sqrt(std::fabs(x)) * x + 1 / (1 + x * x);
    BOOST_TEST_CONTEXT("n " << n) {
      BOOST_TEST(same_bits(a, b));
      if (kDeviceIsHost) BOOST_TEST(same_bits(a, c));  // a device rounds its library functions in its own way
    }
  }
}

BOOST_AUTO_TEST_CASE(runs_repeat) {
  for (const char* options :
       {"-ksp_type pcr -ksp_max_it 20 -snes_max_it 6", "-ksp_type pcg -ksp_max_it 20 -snes_max_it 6",
        "-ksp_type jacobi -ksp_max_it 20 -snes_max_it 3", "-ksp_type gauss_seidel -ksp_max_it 20 -snes_max_it 3",
        "-ksp_type preonly -pc_type cholesky -snes_max_it 4", "-snes_type nsgs -nsgs_sweeps 20 -snes_max_it 3",
        "-ksp_type pcr -ksp_max_it 20 -snes_max_it 6 -contact_stiffness 1e6 -friction_stiffness 1e5 -r_factor global",
        "-ksp_type gmres -contact_law soc_fischer_burmeister -ksp_max_it 20 -snes_max_it 3"}) {
    const RunBits once = run_model(wall(), options, 12), again = run_model(wall(), options, 12);
    BOOST_TEST_CONTEXT(options) {
      BOOST_TEST(same_bits(once, again));
      BOOST_TEST(once.impulse.size() > 300u);  // the wall is in contact
      for (const Vec3& x : once.x) BOOST_TEST(std::isfinite(x.x + x.y + x.z));
    }
  }
}

// Copies of one run inside another one: bodies that never meet do not change each other's bits.
BOOST_AUTO_TEST_CASE(strangers_do_not_matter) {
  constexpr double kFar = 64;  // a power of two and many bits away from rounding trouble
  const auto two = [&](bool both) {
    World w = world_with_plane(0.4);
    BodyDescription b = box("first", {0.5, 0.25, 0.125}, 2, {0, 0, 1});
    b.orientation = from_axis_angle(normalized(Vec3{1, 2, 0.5}), 0.7);
    b.angular_velocity = {1, 2, 3};
    w.bodies.push_back(b);
    b.name = "second";
    b.position.y = kFar;
    b.velocity = {1, 0, 0};
    if (both) w.bodies.push_back(b);
    return w;
  };
  // A direct solver couples everything in one factorisation; point relaxation does not.
  const std::string options =
      "-ksp_type gauss_seidel -ksp_max_it 30 -snes_max_it 5 -snes_atol 0 -ksp_convergence_test "
      "skip";
  const RunBits alone = run_model(two(false), options, 60), accompanied = run_model(two(true), options, 60);
  BOOST_TEST((std::memcmp(&alone.x[1], &accompanied.x[1], sizeof(Vec3)) == 0));
  BOOST_TEST((std::memcmp(&alone.q[1], &accompanied.q[1], sizeof(Quat)) == 0));
}

BOOST_AUTO_TEST_SUITE_END()
