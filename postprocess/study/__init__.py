"""The study bench: runs what a study file lists, each run in a process of its own, and writes tables and a report.

  study_file   the YAML file, read strictly            run          one run: its options, its key, its directory
  yaml_reader  checked reading with places             runner       processes, limits, what is done already
  measures     figures computed from a run's files     progress     a bar, or plain lines
  results      runs.csv, steps.csv, histories.h5       report       report.html
  plots/       one file per kind of plot, registered in plots/__init__.py

Needs Debian's numpy, matplotlib, yaml and h5py, and vtk for measures of contact forces. Links no solver: what it knows of a
run is what the run wrote (docs/output.md). The format of study files is described in docs/studies.md.
"""
