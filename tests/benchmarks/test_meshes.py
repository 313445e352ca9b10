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


def test_a_pill_is_exact_however_many_faces(tmp_path):
  # of exact surfaces: what is left is the single precision of its vertices, 6e-8 of 0.09 m
  rows = [meshes.load(splits, "pill") for splits in (12, 25)]
  assert [row["faces"] for row in rows] == [1152, 5000]
  assert all(0 < row["rms"] < 6e-8 * 0.09 for row in rows)
  assert abs(rows[1]["cell"] / rows[0]["cell"] - 1) < 0.02
