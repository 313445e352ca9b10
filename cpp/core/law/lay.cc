#include <algorithm>
#include <cmath>

#include "core/law/cell.h"
#include "core/law/coulomb.h"
#include "core/law/material.h"
#include "core/math/exp.h"

namespace mujocable {
namespace {

// play of a mark, in parts of the distance between two of them: vibration moves no material, and
// every mark stays on its arc (chosen; test_vibration_moves_no_material would notice)
constexpr double kPlay = 0.25;

// Arc by which a point has moved along the path over its body, given the tangents before and after:
// exact on a circle.
double Carried(const Vec3& p0, const Vec3& t0, const Vec3& p1, const Vec3& t1) {
  const Vec3 mean = t0 + t1;
  const double size = Norm(mean);
  if (!(size > 1e-3)) return 0;                          // turned around: no way to tell how far
  const double half = std::min(1.0, Norm(t1 - t0) / 2);  // sine of half the turn
  const double bend = half > 1e-4 ? std::asin(half) / half : 1 + half * half / 6;
  return bend * Dot(p1 - p0, mean) / size;
}

// by how much the entry has moved along the arc; the exit by that and the growth of the arc
double EntryCarried(const double* then, const double* now) {
  const double entry = Carried(Load(then + 1), Load(then + 4), Load(now + 1), Load(now + 4));
  const double exit = Carried(Load(then + 7), Load(then + 10), Load(now + 7), Load(now + 10));
  // both ends have a say, so that nothing depends on which of them is called the first
  return (entry + exit - (now[0] - then[0])) / 2;
}

// Material along a path: how much lies before x, given that of cells which end at `ends` [n - 1],
// evenly spread in each.
class Spread {
 public:
  Spread(const double* ends, const double* rest, int n, double length)
      : ends_(ends), rest_(rest), n_(n), length_(length) {}

  // for ascending x
  double Before(double x) {
    while (cell_ + 1 < n_ && End(cell_) <= x) {
      begin_ = std::max(begin_, End(cell_));
      passed_ += rest_[cell_++];
    }
    const double size = End(cell_) - begin_;
    return size > 0 ? passed_ + rest_[cell_] * std::min(1.0, (x - begin_) / size) : passed_;
  }

 private:
  double End(int cell) const { return cell + 1 < n_ ? ends_[cell] : length_; }
  const double *ends_, *rest_;
  int n_, cell_ = 0;
  double length_, begin_ = 0, passed_ = 0;
};

// the old cells that are still there
struct Kept {
  const double *now, *then, *old;  // boundaries now and before, material before each
  int n;
  bool moved;     // a mark had to be moved on its surface
  double length;  // of the path
};

// Gives each cell its material: even tension where nothing is remembered, else what it had, spread
// anew where marks have moved. What there is more or less in total goes to the first.
void GiveMaterial(const AxialStep& step, bool fresh, const Kept& kept, Material& m) {
  const int n = m.n;
  const double at = kept.length;
  if (fresh) {
    for (int j = 0; j < n; ++j) {
      m.rest[j] = at > 0 ? step.total * (m.length[j] / at) : step.total / n;
      if (step.commanded) m.rest[j] = m.length[j] - step.command / Hold(step, Size(step, m, j));
    }
  } else if (kept.n == n && !kept.moved) {
    std::copy(kept.old, kept.old + n, m.rest);
  } else {
    Spread spread(kept.then, kept.old, kept.n, at);
    double passed = 0;
    for (int j = 0; j < n; ++j) {
      const double before = spread.Before(j + 1 < n ? kept.now[j] : at);
      m.rest[j] = before - passed;
      passed = before;
    }
  }
  if (!step.commanded) {
    double sum = 0;
    for (int j = 0; j < n; ++j) sum += m.rest[j];
    m.rest[0] += step.total - sum;
  }
  std::copy(m.rest, m.rest + n, m.before);
  m.before[0] += step.motor;
}

// Ratios of the contacts from their exponents, which add up to `exponents`.
void FillRatios(double exponents, Material& m) {
  const int n = m.n;
  const double scale = exponents > kMostExponents ? kMostExponents / exponents : 1;
  if (scale < 1) {
    for (int j = 0; j + 1 < n; ++j) m.exponent[j] *= scale;
  }
  StoreLanes(m.exponent + n - 1, All<Lanes>(0));
  for (int j = 0; j + 1 < n; j += kLanes) {
    const Lanes ratio = Exp(LoadLanes(m.exponent + j));
    StoreLanes(m.ratio + j, ratio);
    StoreLanes(m.inverse + j, 1 / ratio);
  }
}

// no cell lies behind the last one; tensions are found where the bodies stand
void CloseCells(double step, Material& m) {
  for (double* cells : {m.length, m.rate, m.rest, m.before}) {
    StoreLanes(cells + m.n, All<Lanes>(0));
  }
  for (int j = 0; j < m.n; j += kLanes) {
    StoreLanes(m.longer + j, All<Lanes>(0));
    StoreLanes(m.grown + j, step * LoadLanes(m.rate + j));
  }
}

}  // namespace

int MaterialRoom(int cells) { return 16 * CellRoom(cells) + WorkRoom(cells); }

Material TakeMaterial(double* room, int cells) {
  const auto take = [&] {
    double* taken = room;
    room += CellRoom(cells);
    return taken;
  };
  Material m;
  m.length = take();
  m.rate = take();
  m.rest = take();
  m.before = take();
  m.longer = take();
  m.grown = take();
  m.ratio = take();
  m.inverse = take();
  m.exponent = take();
  m.tension = take();
  m.free = take();
  m.give = take();
  m.hold = take();
  m.drag = take();
  m.contact = reinterpret_cast<int*>(take());
  m.slip = reinterpret_cast<int*>(take());
  m.work = room;
  return m;
}

void StoreFooting(double* to, double arc, const Vec3& entry, const Vec3& t_entry, const Vec3& exit,
                  const Vec3& t_exit) {
  to[0] = arc;
  Store(to + 1, entry);
  Store(to + 4, t_entry);
  Store(to + 7, exit);
  Store(to + 10, t_exit);
}

void LayOneCell(const AxialStep& step, const Record& record, Material& m) {
  m.n = 1;
  m.length[0] = record.length();
  m.rate[0] = record.length_rate();
  m.rest[0] = step.total;
  m.before[0] = step.total + step.motor;
  m.slip[0] = 0;
  CloseCells(step.step, m);
  std::fill(record.rubbing(), record.rubbing() + record.ncontact, 0.0);
  // all that is remembered is set, so that a state has the same bits however it came about
  std::fill(record.mark(), record.memory(), 0.0);
}

void LayMaterial(const AxialStep& step, const State& state, const ContactCut* cuts, bool fresh,
                 const Record& record, Material& m) {
  const int contacts = record.ncontact, room = MostCells(record.ncontact, record.nwrap);
  // boundaries of the cells as they are now, and those of the old cells that are still there, with
  // the material before each
  double *now = m.work, *then = now + room, *old = then + room;
  const double *cell = state.cell(), *mark = state.mark();
  // (where all this lies, once)
  const double *segments = record.segment(), *arcs = record.arc(), *angles = record.wrap_angle();
  const double *growths = record.growth(), *touching = record.touching();
  const double *frictions = state.friction(), *rubbed_before = state.rubbing();
  double *rubbing = record.rubbing(), *marks = record.mark();
  double *lengths = m.length, *rates = m.rate, *boundary_exponents = m.exponent;
  int* boundary_contacts = m.contact;
  int n = 0, kept = 0;
  bool moved = false;
  double pooled = fresh ? 0 : *cell++;
  double at = 0, exponents = 0;  // along the path
  double rate = record.length_rate();
  lengths[0] = 0;
  for (int i = 0; i < contacts; ++i) {
    at += segments[i];
    lengths[n] += segments[i];
    const double mu = frictions[i], arc = arcs[i];
    const int count = mu > 0 && touching[i] != 0 ? SubcontactCount(mu * cuts[i].angle) : 0;
    const int before = fresh ? 0 : static_cast<int>(rubbed_before[i]);
    const bool rubbed = before == count;  // as it does now
    rubbing[i] = count;
    if (!rubbed) {
      for (int k = 0; k < before; ++k, ++mark) pooled += *cell++;
    }
    if (count == 0) {
      lengths[n] += arc;
      at += arc;
      continue;
    }
    const double part = kParts[count];
    const double exponent = part * std::min(mu * angles[i], kMostExponent);
    if (cuts[i].slot < 0) {
      // a guide is a point: it has one mark, which stays where it is
      rates[n] = rate - growths[i];
      rate = growths[i];
      now[n] = at;
      marks[n] = 0;
      boundary_contacts[n] = i;
      boundary_exponents[n] = exponent;
      exponents += exponent;
      lengths[++n] = 0;
      if (rubbed) {
        then[kept] = at;
        old[kept++] = pooled;
        pooled = *cell++;
        ++mark;
      }
      continue;
    }
    const double spacing = part * arc, play = kPlay * spacing;
    double carried = 0, wider = 0;
    if (rubbed) {
      const double* footing = state.footing() + kFooting * cuts[i].slot;
      carried = EntryCarried(footing, record.footing() + kFooting * cuts[i].slot);
      wider = spacing - part * footing[0];
    }
    double last = 0;  // mark before this one, from the entry
    for (int k = 0; k < count; ++k) {
      double off = 0, shift = 0;  // of the mark from its place; how far it had to be moved
      if (rubbed) {
        const double drift = *mark++ - carried - (k + 0.5) * wider;
        off = std::min(std::max(drift, -play), play);
        shift = off - drift;
      }
      const double place = (k + 0.5) * spacing + off;
      lengths[n] += place - last;
      rates[n] = rate - growths[i];
      rate = growths[i];
      now[n] = at + place;
      marks[n] = off;
      boundary_contacts[n] = i;
      boundary_exponents[n] = exponent;
      exponents += exponent;
      lengths[++n] = 0;
      last = place;
      if (rubbed) {
        then[kept] = at + place - shift;
        old[kept++] = pooled;
        pooled = *cell++;
        moved = moved || shift != 0;
      }
    }
    lengths[n] += arc - last;
    at += arc;
  }
  at += segments[contacts];
  lengths[n] += segments[contacts];
  rates[n] = rate;
  old[kept++] = pooled;
  std::fill(marks + n, marks + room - 1, 0.0);
  m.n = ++n;

  GiveMaterial(step, fresh, {now, then, old, kept, moved, at}, m);
  CloseCells(step.step, m);
  FillRatios(exponents, m);
}

}  // namespace mujocable
