#!/usr/bin/env bash
# From a clean clone to a picture: installs what is missing, builds, runs the masonry arch, and draws the result and
# how the solver converged.
#
#   scripts/demo.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
out=out/arch

scripts/setup.sh
scripts/build.sh
echo "demo: running cases/arch.yaml"
build/clarke run cases/arch.yaml

# Debian's Python sees Debian's VTK. Debian's VTK draws through X only: a virtual display and Mesa's software renderer
# make the picture on any machine.
/usr/bin/python3 postprocess/plot_convergence.py "$out" -o "$out/convergence.png"
LIBGL_ALWAYS_SOFTWARE=1 xvfb-run -a -s "-screen 0 1280x1024x24" \
  /usr/bin/python3 postprocess/render.py "$out" -o "$out/arch.png"

cat <<END

The arch stands. What was written:
  picture        $out/arch.png
  convergence    $out/convergence.png
  record         $out/summary.json, $out/steps.csv, $out/newton.csv
  for ParaView   $(echo "$out"/*.pvd)

Exchange one part at a time, and compare the figures of the same verdict:
  build/clarke run cases/arch.yaml -preset interactive -output_dir out/arch_budget                              # a budget, to compare with
  build/clarke run cases/arch.yaml -preset interactive -output_dir out/arch_jacobi -ksp_type jacobi             # the linear solver
  build/clarke run cases/arch.yaml -preset interactive -output_dir out/arch_map    -ncp_function minimum_map    # the NCP function
  build/clarke run cases/arch.yaml -preset interactive -output_dir out/arch_dt     -r_factor dt_squared         # the r-factor
  postprocess/compare.py out/arch out/arch_budget out/arch_jacobi out/arch_map out/arch_dt
END
