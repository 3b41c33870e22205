#!/usr/bin/env bash
# Makes the pictures of the documentation anew: docs/images/arch.png, arch_convergence.png, allegro_grasp.png, table_pile.png,
# mixed_shapes.png, soft_grasp.png, pneunet.png, log_slide.png, log_slide_around.png and cones.png. Needs a built program (scripts/build.sh); takes some three minutes.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
run() { build/clarke run cases/arch.yaml -progress none -output_dir "$@"; }

run "$out/arch"
/usr/bin/python3 postprocess/render.py "$out/arch" -o docs/images/arch.png

# Four ways to the same solution, from zero, full steps, to 1e-10 m/s.
common=(-preset accurate -newton_start zero -time_end 0.25 -output_every 0)
run "$out/tangent" "${common[@]}"
run "$out/soc" "${common[@]}" -contact_law soc_fischer_burmeister -ksp_type preonly -pc_type lu
run "$out/coupled" "${common[@]}" -friction_map disc_projection_coupled -ksp_type preonly -pc_type lu
run "$out/fixed_point" "${common[@]}" -friction_map fixed_point
/usr/bin/python3 postprocess/plot_convergence.py "$out/tangent" "$out/coupled" "$out/soc" "$out/fixed_point" \
  -o docs/images/arch_convergence.png

build/clarke run cases/allegro_grasp.yaml -progress none -output_dir "$out/grasp" -output_every 2880
/usr/bin/python3 postprocess/render.py "$out/grasp" -o docs/images/allegro_grasp.png

for logs in log_slide log_slide_around; do
  build/clarke run "cases/$logs.yaml" -progress none -output_dir "$out/$logs" -output_every 4
  /usr/bin/python3 postprocess/render.py "$out/$logs" -o "docs/images/$logs.png" --time 1.7
done
for soft in soft_grasp pneunet; do
  build/clarke run "cases/$soft.yaml" -progress none -output_dir "$out/$soft"
  /usr/bin/python3 postprocess/render.py "$out/$soft" --colour von_mises -o "docs/images/$soft.png"
done
build/clarke run docs/tutorials/cones.yaml -progress none -output_dir "$out/cones" -output_every 0
scripts/cones_picture.py "$out/cones" docs/images/cones.png

for pile in table_pile mixed_shapes; do
  build/clarke run "cases/$pile.yaml" -progress none -output_dir "$out/$pile"
  /usr/bin/python3 postprocess/render.py "$out/$pile" -o "docs/images/$pile.png" --hide '*_left' '*_front' '*_right'
done
