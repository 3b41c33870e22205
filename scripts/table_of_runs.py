"""What the scripts that make a table of many runs have in common: their command line."""

import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def parse_runs(parser):
    """The arguments of the parser, --program, --output and --keep; `options`: what stands after "--"."""
    parser.add_argument("--program", default=os.path.join(ROOT, "build", "clarke"))
    parser.add_argument("-o", "--output", metavar="FILE.md", help="default: standard output")
    parser.add_argument("--keep", metavar="DIR", help="keep the output directories of the runs here")
    arguments, options = sys.argv[1:], []
    if "--" in arguments:
        at = arguments.index("--")
        arguments, options = arguments[:at], arguments[at + 1:]
    parsed = parser.parse_args(arguments)
    parsed.options = options
    return parsed
