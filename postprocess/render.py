#!/usr/bin/python3
"""Draws one frame of a run.

    render.py OUTPUT_DIR [-o FILE.png] [--time T] [--forces] [--colour FIELD] [--hide PATTERN ...] [--opaque]

Bodies in stone colours, the ground near them with a grid and soft shadows; with --forces also the contact forces, by
status, and with --colour soft bodies by a field of soft.pvd, for instance von_mises. Static bodies that hide what moves,
as the walls of a bin do, are drawn as glass. The caption gives time, contacts and the worst relative natural map (the
verdict's measure of the contact law) up to that time. Default is the last frame, and frame.png in OUTPUT_DIR.

Needs python3-vtk9. Without a display it starts itself again inside a virtual one (xvfb-run).
"""

import argparse
import os
import shutil
import sys

import run_record


def ensure_display():
    """VTK's OpenGL ends the process where no X server answers, so this comes before it is touched."""
    os.environ.setdefault("LIBGL_ALWAYS_SOFTWARE", "1")
    if os.environ.get("DISPLAY"):
        return
    if shutil.which("xvfb-run") is None:
        run_record.leave("render.py", "no display, and no xvfb-run to make one; scripts/setup.sh installs it", 77)
    arguments = ["xvfb-run", "-a", "-s", "-screen 0 1280x1024x24", sys.executable, os.path.abspath(__file__)]
    os.execvp(arguments[0], arguments + sys.argv[1:])


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("directory", metavar="OUTPUT_DIR")
    parser.add_argument("-o", "--output", metavar="FILE.png", help="default: frame.png in OUTPUT_DIR")
    parser.add_argument("--time", type=float, metavar="T", help="the frame nearest to this time [s]; default: the last")
    parser.add_argument("--forces", action="store_true", help="contact forces as arrows, coloured by status")
    parser.add_argument("--colour", metavar="FIELD", help="soft bodies by von_mises, volumetric_strain, quality, displacement or velocity")
    parser.add_argument("--hide", metavar="PATTERN", nargs="+", default=[],
                        help="leave out bodies of these names, e.g. walls that stand before the rest: '*_left' '*_front'")
    parser.add_argument("--opaque", action="store_true", help="static bodies that hide what moves are not drawn as glass")
    return parser.parse_args()


def count_of(number, one, several):
    return f"{number} {one if number == 1 else several}"


def caption_of(record, time, geometry):
    parts = [run_record.readable_time(time)]
    if geometry.body_count:
        parts.append(count_of(geometry.body_count, "body", "bodies"))
    if geometry.soft_count:
        parts.append(count_of(geometry.soft_count, "soft body", "soft bodies"))
    if geometry.particle_count:
        parts.append(count_of(geometry.particle_count, "particle", "particles"))
    try:
        steps = record.steps()
        contacts = [value for t, value in zip(steps["time"], steps["contacts"]) if t <= time * (1 + 1e-12)]
        if contacts:
            parts.append(count_of(int(contacts[-1]), "contact", "contacts"))
        residuals = [value for t, value in zip(steps["time"], steps["natural_map_relative"]) if t <= time * (1 + 1e-12)]
        if residuals:
            parts.append(f"worst relative natural map {max(residuals):.1e}")
    except run_record.RecordError:
        pass  # frames alone make a picture, too
    return "   \u00b7   ".join(parts)


def main():
    arguments = parse()
    record = run_record.open_or_exit("render.py", [arguments.directory])[0]
    try:
        frames = record.frames("bodies")
        if not frames:
            run = (record.summary.get("provenance") or {}).get("run") or {}
            reason = ("the run was told to write none (-output_every 0): run it again without" if run.get("output_every") == 0
                      else f"{record.path('bodies.pvd')} is not there or lists none")
            run_record.leave("render.py", f"{record.directory} has no frames: {reason}")
        ensure_display()
        try:
            import picture
            from frame_geometry import FrameGeometry
        except ImportError as error:
            run_record.leave("render.py", f"{error}; scripts/setup.sh installs it for /usr/bin/python3", 77)
        wanted = frames[-1][0] if arguments.time is None else arguments.time
        if not wanted >= 0 or wanted > frames[-1][0] * (1 + 1e-9):
            run_record.leave("render.py", f"--time {wanted:g}: the run has frames from {frames[0][0]:g} to {frames[-1][0]:g} s")
        time, bodies = min(frames, key=lambda frame: abs(frame[0] - wanted))
        others = [dict(record.frames(series)).get(time) for series in ("particles", "contacts", "soft")]
        if arguments.forces and others[1] is None:
            run_record.leave("render.py", f"{record.directory} has no contacts; run with -output_contacts for --forces")
        if arguments.colour and others[2] is None:
            run_record.leave("render.py", f"{record.directory} has no soft bodies for --colour")
        geometry = FrameGeometry(bodies, *others, hidden=arguments.hide, field=arguments.colour)
        caption = caption_of(record, time, geometry)
        output = arguments.output or record.path("frame.png")
        if not os.access(os.path.dirname(output) or ".", os.W_OK):
            run_record.leave("render.py", f"{output} cannot be written")
        picture.draw(geometry, arguments.forces, record.case.replace("_", " "), caption, output, arguments.opaque)
    except (run_record.RecordError, OSError, ValueError) as error:
        run_record.leave("render.py", error)
    print(output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
