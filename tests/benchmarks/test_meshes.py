"""The table of meshes by number of faces: its rows are measured, and the cache makes it fast."""

import shutil

from benchmarks import meshes


def test_a_row_is_measured(monkeypatch, tmp_path):
  # counting takes a minute of valgrind
  monkeypatch.setattr(shutil, "which", lambda _: None)
  row = meshes.measure(25, str(tmp_path))
  assert row["faces"] == 5000 and "instructions" not in row
  assert 0 < row["cached"] < row["seconds"] < 20
  # the egg is 0.12 m long
  assert 0 < row["rms"] < 1e-5 * 0.12 and 0 < row["cell"] < 0.012
