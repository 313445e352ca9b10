#include "core/law/material.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/law/coulomb.h"
#include "core/law/kinematics.h"
#include "core/math/lanes.h"

namespace mujocable {
namespace {

// a cell has at least this part of the path as its length, so that its stiffness is a number
constexpr double kShortestCell = 1e-9;

// play of a mark, in parts of the distance between two of them: vibration moves no material, and
// every mark stays on its arc (chosen; test_vibration_moves_no_material would notice)
constexpr double kPlay = 0.25;

// 1 / count of the sub-contacts
constexpr auto kParts = [] {
  std::array<double, kSubcontacts + 1> parts{};
  for (int k = 1; k <= kSubcontacts; ++k) parts[k] = 1.0 / k;
  return parts;
}();

// slope of the onset below which a cell is not made softer, and rounds until it has converged
constexpr double kSoftest = 1e-6;
constexpr int kOnsetRounds = 40;

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

}  // namespace

int MaterialRoom(int cells) { return 14 * cells + CoulombScratch(cells) + 4 * cells; }

Material TakeMaterial(double* room, int cells) {
  const auto take = [&] {
    double* taken = room;
    room += cells;
    return taken;
  };
  Material m;
  m.length = take();
  m.rate = take();
  m.rest = take();
  m.before = take();
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
  std::fill(record.rubbing(), record.rubbing() + record.ncontact, 0.0);
  // all that is remembered is set, so that a state has the same bits however it came about
  std::fill(record.mark(), record.memory(), 0.0);
}

namespace {

// Elastic energy of a piece of this size with this stretch [J]: the work of (13), or of (11).
inline double StoredEnergy(const AxialStep& step, double size, double stretch) {
  const AxialParameters& p = step.axial;
  const double onset = step.commanded ? 0 : p.transition;
  if (!step.rigid) return p.stiffness * OnsetEnergy(stretch, onset);
  if (!(size > 0)) return 0;
  // no piece with material is strained by more than 1: beyond, a damper holds what has no length
  const double strain = stretch / size, x = std::min(std::max(strain, 0.0), 1.0);
  const double rigidity = p.stiffness * step.length;
  const double energy = rigidity * size * OnsetEnergy(x, onset / step.length);
  // x + (1 - x) ln(1 - x) over x^2 / 2, as a series: 0.2 % at a strain of one half
  const double series = 1 + x * (1.0 / 3 + x * (1.0 / 6 + x * (1.0 / 10 + x * (1.0 / 15))));
  return energy * series + rigidity * size * std::max(strain - 1, 0.0);
}

}  // namespace

double TightenOneCell(const AxialStep& step, const State& state, const Record& record) {
  const AxialParameters& p = step.axial;
  const int n = record.ncontact;
  const double e = record.length() - step.total;
  double tension = step.command;
  if (!step.commanded) {
    const double rate = record.length_rate() + step.motor / step.step;
    tension =
        p.stiffness * Onset(e, p.transition) + p.damping * DampingGate(e, p.transition) * rate;
  }
  tension = std::min(std::max(tension, 0.0), p.max_tension);
  record.energy() = step.most_hold == 0 ? StoredEnergy(step, record.length(), e) : 0;
  record.source_tension() = record.tension()[0] = tension;
  const double share = record.length() > 0 ? step.total / record.length() : 0;
  SlipRates(step.commanded ? 0 : record.length_rate() + step.motor / step.step, record);
  double half = 0;  // of the arc before
  for (int i = 0; i < n; ++i) {
    record.tension()[i + 1] = tension;
    record.slip()[i] = step.step * record.slip_rate()[i];
    record.segment_rest()[i] = share * (half + record.segment()[i] + record.arc()[i] / 2);
    half = record.arc()[i] / 2;
    record.slip_total()[i] = state.slip_total()[i] + record.slip()[i];
    record.dissipation()[i] = record.stuck()[i] = record.cone()[i] = 0;
  }
  record.segment_rest()[n] = share * (half + record.segment()[n]);
  // all that is remembered is set, so that a state has the same bits however it came about
  std::fill(record.rubbing(), record.memory(), 0.0);
  record.cell()[0] = step.total;
  return tension;
}

namespace {

double Size(const AxialStep& step, const Material& m, int j) {
  return std::max(m.length[j], kShortestCell * step.length);
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// stiffness times length of a cell; a commanded cable may have none of its own, and takes the most
double Rigidity(const AxialStep& step) {
  const double own = step.axial.stiffness * step.length;
  return own > 0 || step.most_hold == 0 ? own : kInfinity;
}

// stiffness of a cell
double Hold(const AxialStep& step, double size) {
  const double own = Rigidity(step) / size;
  return step.most_hold == 0 ? own : std::min(own, step.most_hold);
}

}  // namespace

void LayMaterial(const AxialStep& step, const State& state, const ContactCut* cuts, bool fresh,
                 const Record& record, Material& m) {
  const int contacts = record.ncontact, room = MostCells(record.ncontact, record.nwrap);
  // boundaries of the cells as they are now, and those of the old cells that are still there, with
  // the material before each
  double *now = m.work, *then = now + room, *old = then + room;
  const double* cell = state.cell();
  const double* mark = state.mark();
  int n = 0, kept = 0;
  bool moved = false;
  double pooled = fresh ? 0 : *cell++;
  double at = 0, exponents = 0;  // along the path
  double rate = record.length_rate();
  m.length[0] = 0;
  for (int i = 0; i < contacts; ++i) {
    at += record.segment()[i];
    m.length[n] += record.segment()[i];
    const double mu = state.friction()[i], arc = record.arc()[i];
    const int count = mu > 0 && record.Touching(i) ? SubcontactCount(mu * cuts[i].angle) : 0;
    const int before = fresh ? 0 : static_cast<int>(state.rubbing()[i]);
    const bool rubbed = before == count;  // as it does now
    record.rubbing()[i] = count;
    if (!rubbed) {
      for (int k = 0; k < before; ++k, ++mark) pooled += *cell++;
    }
    if (count == 0) {
      m.length[n] += arc;
      at += arc;
      continue;
    }
    const double part = kParts[count];
    const double exponent = part * std::min(mu * record.wrap_angle()[i], kMostExponent);
    if (cuts[i].slot < 0) {
      // a guide is a point: it has one mark, which stays where it is
      m.rate[n] = rate - record.growth()[i];
      rate = record.growth()[i];
      now[n] = at;
      record.mark()[n] = 0;
      m.contact[n] = i;
      m.exponent[n] = exponent;
      exponents += exponent;
      m.length[++n] = 0;
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
      m.length[n] += place - last;
      m.rate[n] = rate - record.growth()[i];
      rate = record.growth()[i];
      now[n] = at + place;
      record.mark()[n] = off;
      m.contact[n] = i;
      m.exponent[n] = exponent;
      exponents += exponent;
      m.length[++n] = 0;
      last = place;
      if (rubbed) {
        then[kept] = at + place - shift;
        old[kept++] = pooled;
        pooled = *cell++;
        moved = moved || shift != 0;
      }
    }
    m.length[n] += arc - last;
    at += arc;
  }
  at += record.segment()[contacts];
  m.length[n] += record.segment()[contacts];
  m.rate[n] = rate;
  old[kept++] = pooled;
  std::fill(record.mark() + n, record.mark() + room - 1, 0.0);
  m.n = ++n;

  if (fresh) {
    for (int j = 0; j < n; ++j) {
      m.rest[j] = at > 0 ? step.total * (m.length[j] / at) : step.total / n;
      if (step.commanded) m.rest[j] = m.length[j] - step.command / Hold(step, Size(step, m, j));
    }
  } else if (kept == n && !moved) {
    std::copy(old, old + n, m.rest);
  } else {
    Spread spread(then, old, kept, at);
    double passed = 0;
    for (int j = 0; j < n; ++j) {
      const double before = spread.Before(j + 1 < n ? now[j] : at);
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

  const double scale = exponents > kMostExponents ? kMostExponents / exponents : 1;
  if (scale < 1) {
    for (int j = 0; j + 1 < n; ++j) m.exponent[j] *= scale;
  }
  int j = 0;
  for (; j + kLanes < n; j += kLanes) {
    const Lanes ratio = Exp(LoadLanes(m.exponent + j));
    StoreLanes(m.ratio + j, ratio);
    StoreLanes(m.inverse + j, 1 / ratio);
  }
  for (; j + 1 < n; ++j) {
    m.ratio[j] = Exp(m.exponent[j]);
    m.inverse[j] = 1 / m.ratio[j];
  }
}

namespace {

// one cell: the axial law (11) as it stands
void FindTension(const AxialStep& step, double longer, double grown, Material& m) {
  const AxialParameters& p = step.axial;
  const double e = (m.length[0] - m.rest[0]) + longer;
  const double gate = DampingGate(e, p.transition);
  m.hold[0] = p.stiffness * DampingGate(e, p.transition);  // the slope of the onset as well
  m.drag[0] = p.damping * gate / step.step;
  m.give[0] = 1;
  const double pull =
      p.stiffness * Onset(e, p.transition) + m.drag[0] * (grown + (m.before[0] - m.rest[0]));
  m.tension[0] = std::min(std::max(pull, 0.0), p.max_tension);
  if (step.commanded) m.tension[0] = std::min(std::max(step.command, 0.0), p.max_tension);
  // where the tension is at a limit it does not change
  if (step.commanded || pull <= 0 || pull >= p.max_tension) m.hold[0] = m.drag[0] = 0;
}

}  // namespace

namespace {

// Tensions of the cells if nothing moved between them; several at a time.
void FreeTensions(const AxialStep& step, double damping, const double* __restrict longer,
                  const double* __restrict grown, const double* __restrict slope,
                  const double* __restrict begin, const Material& m) {
  const double* __restrict length = m.length, * __restrict rest = m.rest;
  const double* __restrict before = m.before;
  double* __restrict hold = m.hold, * __restrict drag = m.drag;
  double* __restrict give = m.give, * __restrict free = m.free;
  const double shortest = kShortestCell * step.length, rigidity = Rigidity(step);
  const double most = step.most_hold > 0 ? step.most_hold : kInfinity;
  const int n = m.n;
  for (int j = 0; j < n; ++j) {
    const double size = length[j] > shortest ? length[j] : shortest, inverse = 1 / size;
    const double own = rigidity * inverse, damper = damping * inverse;
    const double stiff = slope[j] * (own < most ? own : most);
    hold[j] = stiff;
    drag[j] = damper;
    give[j] = 1 / (stiff + damper);
    free[j] = stiff * (((length[j] - rest[j]) + longer[j]) - begin[j] * size) +
              damper * (grown[j] + (before[j] - rest[j]));
  }
}

}  // namespace

void FindTensions(const AxialStep& step, const double* longer, const double* grown, Material& m) {
  if (m.n == 1) return FindTension(step, longer[0], grown[0], m);
  const AxialParameters& p = step.axial;
  const int n = m.n;
  double e = 0;
  for (int j = 0; j < n; ++j) e += (m.length[j] - m.rest[j]) + longer[j];
  if (!step.commanded && !(e > 0)) {
    for (int j = 0; j < n; ++j) m.tension[j] = m.hold[j] = m.drag[j] = 0, m.give[j] = 1;
    std::fill(m.slip, m.slip + n - 1, 0);
    return;
  }
  const double onset = step.commanded ? 0 : p.transition / step.length;  // of the strain
  const double damping =
      step.commanded ? 0 : p.damping * DampingGate(e, p.transition) * step.length / step.step;
  CoulombString s{n,         m.free,         m.give,       m.ratio,
                  m.inverse, step.commanded, step.command, p.max_tension};
  // strains about which the onset is taken as a line: its slope there, and its strain at no tension
  double* strain = m.work + CoulombScratch(n);
  double *slope = strain + n, *begin = slope + n;
  std::fill(strain, strain + n, onset);
  std::fill(slope, slope + n, 1.0);
  std::fill(begin, begin + n, 0.0);
  for (int round = 0; round < kOnsetRounds; ++round) {
    for (int j = 0; j < n && onset > 0; ++j) {
      slope[j] = std::max(std::min(strain[j] / onset, 1.0), kSoftest);
      begin[j] = strain[j] - Onset(strain[j], onset) / slope[j];
    }
    FreeTensions(step, damping, longer, grown, slope, begin, m);
    SolveCoulomb(s, m.work, m.tension, m.slip);
    if (onset == 0) return;
    // strains that these tensions mean, and whether the line was right there
    bool right = true;
    for (int j = 0; j < n; ++j) {
      const double taken = m.give[j] * (m.free[j] - m.tension[j]);
      const double stretch = (m.length[j] - m.rest[j]) + longer[j] - taken;
      const double found = std::min(std::max(stretch / Size(step, m, j), 0.0), onset);
      right = right && std::abs(found - strain[j]) <= 1e-12 * onset;
      strain[j] = found;
    }
    if (right) return;
  }
}

namespace {

// No tension anywhere: what a cell has too little of, it takes from those that have too much, or
// from a motor that gives it. Where there is not enough, each gets its part: dampers may keep a
// cable without tension that is stretched as a whole.
void RestSlack(bool commanded, Material& m) {
  double lacking = 0, extra = 0;
  for (int j = 0; j < m.n; ++j) {
    const double more = m.rest[j] - m.length[j];
    (more > 0 ? extra : lacking) += std::abs(more);
  }
  const double moved = std::min(lacking, extra);
  const double given = commanded || !(extra > 0) ? 0 : moved / extra;
  const double filled = commanded ? 1 : lacking > 0 ? moved / lacking : 0;
  for (int j = 0; j < m.n; ++j) {
    const double more = m.rest[j] - m.length[j];
    m.rest[j] -= (more > 0 ? given : filled) * more;
  }
}

// how much of its friction a contact uses: part of the largest difference of tensions
template <typename Number>
Number ConeOf(const Number& before, const Number& after, const Number& most) {
  const Number zero = All<Number>(0), one = All<Number>(1);
  const Number less = Select(before - after, before, after);
  const Number most_used = less * (most - 1), used = before + after - 2 * less;
  const Number part = used / Select(zero - most_used, most_used, one);
  return Select(zero - most_used, Select(part - 1, part, one), zero);
}

// the same of every boundary of cells, several at a time, into `cone` [n - 1]
void ConesOf(const Material& m, double* cone) {
  int j = 0;
  for (; j + kLanes < m.n; j += kLanes) {
    StoreLanes(cone + j, ConeOf(LoadLanes(m.tension + j), LoadLanes(m.tension + j + 1),
                                LoadLanes(m.ratio + j)));
  }
  for (; j + 1 < m.n; ++j) cone[j] = ConeOf(m.tension[j], m.tension[j + 1], m.ratio[j]);
}

// What the record says of segments and contacts, given the cells. Material is divided in the middle
// of each contact: at its middle mark, or, where it does not rub, evenly between two marks.
void ShowCells(const AxialStep& step, const State& state, const Material& m, const Record& record) {
  const int contacts = record.ncontact;
  record.tension()[0] = record.source_tension() = m.tension[0];
  // what rubs says itself how much of it has passed
  const double* rubbing = record.rubbing();
  if (std::find(rubbing, rubbing + contacts, 0.0) != rubbing + contacts) {
    SlipRates(step.commanded ? 0 : record.length_rate() + step.motor / step.step, record);
  }
  double* cone = m.work;
  ConesOf(m, cone);
  const double per_second = 1 / step.step;
  int j = 0;
  double before = 0, here = 0;  // material of the cells passed; place in this one
  double divided = 0;
  for (int i = 0; i < contacts; ++i) {
    here += record.segment()[i];
    const double arc = record.arc()[i];
    double middle = before;
    if (record.rubbing()[i] != 0) {
      const int first = j, count = static_cast<int>(record.rubbing()[i]);
      if (count == 1) {
        middle = before += m.rest[j++];
        record.cone()[i] = cone[first];
      } else {
        double most = 1;
        for (; j < first + count; ++j) {
          before += m.rest[j];
          if (j - first == count / 2) middle = before;
          most *= m.ratio[j];
        }
        record.cone()[i] = ConeOf(m.tension[first], m.tension[j], most);
      }
      here = arc * kParts[count] / 2 - record.mark()[j - 1];
    } else {
      if (m.length[j] > 0) middle += m.rest[j] * std::min(1.0, (here + arc / 2) / m.length[j]);
      here += arc;
    }
    record.segment_rest()[i] = middle - divided;
    divided = middle;
    record.tension()[i + 1] = m.tension[j];
    if (record.rubbing()[i] != 0) {
      record.slip_rate()[i] = record.slip()[i] * per_second;
    } else {
      record.slip()[i] = record.slip_rate()[i] * step.step;
    }
    record.slip_total()[i] = state.slip_total()[i] + record.slip()[i];
  }
  record.segment_rest()[contacts] = before + m.rest[m.n - 1] - divided;
}

}  // namespace

void MoveMaterial(const AxialStep& step, const State& state, const double* longer, Material& m,
                  const Record& record) {
  const int n = m.n, contacts = record.ncontact;
  const AxialParameters& p = step.axial;
  std::fill(record.slip(), record.slip() + contacts, 0.0);
  std::fill(record.dissipation(), record.dissipation() + contacts, 0.0);
  std::fill(record.stuck(), record.stuck() + contacts, 0.0);
  std::fill(record.cone(), record.cone() + contacts, 0.0);
  // from the distal end: blocks of cells whose contacts slip together share their material
  const bool taut = m.tension[0] > 0;
  const double per_second = 1 / step.step;
  double passed = 0;  // material that came across the boundary before this cell
  for (int j = n - 1; j >= 0 && taut && n > 1; --j) {
    const bool block = (j > 0 && m.slip[j - 1] != 0) || (j + 1 < n && m.slip[j] != 0);
    const bool given = j == 0 && (step.commanded || m.tension[0] >= p.max_tension);
    if (block || given) {
      const double taken = m.give[j] * (m.free[j] - m.tension[j]);
      passed += taken;
      m.rest[j] += taken;
    }
    if (j == 0) break;
    const int i = m.contact[j - 1];
    if (m.slip[j - 1] == 0) {
      passed = 0;
      record.stuck()[i] = 1;
      continue;
    }
    // each sub-contact has its part
    record.slip()[i] += passed * kParts[static_cast<int>(record.rubbing()[i])];
    const double lost = (m.tension[j] - m.tension[j - 1]) * passed;
    record.dissipation()[i] += std::max(0.0, lost) * per_second;
  }
  if (!taut && n > 1) RestSlack(step.commanded, m);

  // where the tensions are evaluated, so that both belong together
  double energy = 0;
  for (int j = 0; j < n; ++j) {
    const double stretch = (m.length[j] - m.rest[j]) + (longer ? longer[j] : 0);
    energy += StoredEnergy(step, Size(step, m, j), stretch);
  }
  record.energy() = step.most_hold == 0 ? energy : 0;
  std::fill(record.cell() + n, record.mark(), 0.0);
  std::copy(m.rest, m.rest + n, record.cell());
  ShowCells(step, state, m, record);
}

void ShowNoForce(const State& state, const Record& record) {
  const int n = record.ncontact;
  record.source_tension() = record.coupled() = record.solves() = record.energy() = 0;
  std::fill(record.tension(), record.tension() + n + 1, 0.0);
  std::fill(record.segment_rest(), record.segment_rest() + n + 1, 0.0);
  for (double* zero :
       {record.slip_rate(), record.dissipation(), record.slip(), record.stuck(), record.cone()}) {
    std::fill(zero, zero + n, 0.0);
  }
  std::copy(state.slip_total(), state.slip_total() + n, record.slip_total());
}

void Slacken(const State& state, const Record& record) {
  ShowNoForce(state, record);
  const int n = record.ncontact, room = MostCells(n, record.nwrap);
  std::copy(state.rubbing(), state.rubbing() + n, record.rubbing());
  std::copy(state.cell(), state.cell() + room, record.cell());
  std::copy(state.mark(), state.mark() + room - 1, record.mark());
  std::copy(state.footing(), state.footing() + kFooting * record.nwrap, record.footing());
}

}  // namespace mujocable
