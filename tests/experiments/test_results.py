"""Results: a page has its sections in order and keeps those of the others."""

from experiments.robots.results import Check, Report, write_section


def section(name, title):
  report = Report(name, title)
  report.checks = [Check("something", 0.5, 1.0, "mm"), Check("else", 2.0, 1.0)]
  return report


def test_sections_are_replaced_in_place(tmp_path):
  page = tmp_path / "robots.md"
  write_section(section("finger", "Second"), {}, page)
  write_section(section("spirob11", "First"), {}, page)
  write_section(section("finger", "Second, anew"), {}, page)
  text = page.read_text()
  assert text.count("<!-- finger: begin -->") == 1
  assert text.index("## First") < text.index("## Second, anew")
  assert "| something | 0.5 mm | at most 1 mm | met |" in text
  assert "| else | 2 | at most 1 | MISSED |" in text


def test_a_report_is_met_when_all_checks_are():
  report = section("finger", "x")
  assert not report.met
  report.checks.pop()
  assert report.met
