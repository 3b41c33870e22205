"""Entry point: `clarke study STUDY.yaml ...` runs Python on this folder."""

import os
import sys

sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

from study.command import main  # noqa: E402  (the path comes first)

sys.exit(main())
