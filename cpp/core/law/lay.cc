#include <algorithm>
#include <cmath>

#include "core/law/cell.h"
#include "core/law/coulomb.h"
#include "core/law/material.h"
#include "core/math/exp.h"
#include "core/math/inline.h"

namespace mujocable {
namespace {

// play of a mark, in parts of the distance between two of them: vibration moves no material, and
// every mark stays on its arc (chosen; test_vibration_moves_no_material would notice)
constexpr double kPlay = 0.25;

// By how much the entry has moved along the arc over its body; the exit by that and the growth of
// the arc. Of each the arc follows from where it was and is, and from the tangents there: exact on
// a circle.
double EntryCarried(const double* then, const double* now) {
  const auto both = [](const double* at) { return PairOf(Load(at), Load(at + 6)); };
  const Pair3 before = both(then + 4), after = both(now + 4), mean = before + after;
  const Pair size = Sqrt(Dot(mean, mean));
  const Pair along = Dot(both(now + 1) - both(then + 1), mean);
  const Pair3 turn = after - before;
  const Pair chord = Sqrt(Dot(turn, turn));
  const auto carried = [&](int k) {
    if (!(size[k] > 1e-3)) return 0.0;                // turned around: no way to tell how far
    const double half = std::min(1.0, chord[k] / 2);  // sine of half the turn
    const double bend = half > 1e-4 ? std::asin(half) / half : 1 + half * half / 6;
    return bend * along[k] / size[k];
  };
  // both ends have a say, so that nothing depends on which of them is called the first
  return (carried(0) + carried(1) - (now[0] - then[0])) / 2;
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

// Cuts the path into cells, contact by contact from the source on: lengths, rates and exponents of
// friction of the new ones, and which of the old ones are still there.
class Layer {
 public:
  MUJOCABLE_INLINE Layer(const State& state, bool fresh, const Record& record, Material& m)
      : fresh_(fresh),
        contacts_(record.ncontact),
        room_(MostCells(record.ncontact, record.nwrap)),
        cell_(state.cell()),
        mark_(state.mark()),
        friction_(state.friction()),
        rubbed_before_(state.rubbing()),
        old_footing_(state.footing()),
        segment_(record.segment()),
        arc_(record.arc()),
        angle_(record.wrap_angle()),
        growth_(record.growth()),
        touching_(record.touching()),
        footing_(record.footing()),
        rubbing_(record.rubbing()),
        new_mark_(record.mark()),
        m_(m),
        now_(m.work),
        then_(now_ + room_),
        old_(then_ + room_),
        rate_(record.length_rate()) {
    if (!fresh) pooled_ = *cell_++;
    m_.length[0] = 0;
  }

  // the segment before contact i, and the contact itself
  MUJOCABLE_INLINE void Pass(int i, const ContactCut& cut) {
    Advance(segment_[i]);
    const double mu = friction_[i];
    const int count = mu > 0 && touching_[i] != 0 ? SubcontactCount(mu * cut.angle) : 0;
    const int before = fresh_ ? 0 : static_cast<int>(rubbed_before_[i]);
    const bool rubbed = before == count;  // as it does now
    rubbing_[i] = count;
    if (!rubbed) {
      for (int k = 0; k < before; ++k, ++mark_) pooled_ += *cell_++;
    }
    if (count == 0) return Advance(arc_[i]);
    const double exponent = kParts[count] * std::min(mu * angle_[i], kMostExponent);
    if (cut.footing >= 0) return PassArc(i, cut.footing, count, exponent, rubbed);
    // a guide is a point: it has one mark, which stays where it is
    EndCell(i, 0, 0, exponent);
    if (!rubbed) return;
    Keep(0);
    ++mark_;
  }

  // the last segment
  MUJOCABLE_INLINE Kept Finish() {
    Advance(segment_[contacts_]);
    m_.rate[n_] = rate_;
    old_[kept_++] = pooled_;
    std::fill(new_mark_ + n_, new_mark_ + room_ - 1, 0.0);
    m_.n = ++n_;
    return {now_, then_, old_, kept_, moved_, at_};
  }

  double exponents() const { return exponents_; }

 private:
  void Advance(double length) {
    at_ += length;
    m_.length[n_] += length;
  }

  // a mark at `place` along the contact, `off` its even place, ends this cell
  MUJOCABLE_INLINE void EndCell(int i, double place, double off, double exponent) {
    m_.rate[n_] = rate_ - growth_[i];
    rate_ = growth_[i];
    now_[n_] = at_ + place;
    new_mark_[n_] = off;
    m_.contact[n_] = i;
    m_.exponent[n_] = exponent;
    exponents_ += exponent;
    m_.length[++n_] = 0;
  }

  // there was a mark before, which would be at `place` now
  MUJOCABLE_INLINE void Keep(double place) {
    then_[kept_] = at_ + place;
    old_[kept_++] = pooled_;
    pooled_ = *cell_++;
  }

  MUJOCABLE_INLINE void PassArc(int i, int footing, int count, double exponent, bool rubbed) {
    const double arc = arc_[i], part = kParts[count], spacing = part * arc, play = kPlay * spacing;
    double carried = 0, wider = 0;
    if (rubbed) {
      const double* then = old_footing_ + kFooting * footing;
      carried = EntryCarried(then, footing_ + kFooting * footing);
      wider = spacing - part * then[0];
    }
    double last = 0;  // mark before this one, from the entry
    for (int k = 0; k < count; ++k) {
      double off = 0, shift = 0;  // of the mark from its place; how far it had to be moved
      if (rubbed) {
        const double drift = *mark_++ - carried - (k + 0.5) * wider;
        off = std::min(std::max(drift, -play), play);
        shift = off - drift;
      }
      const double place = (k + 0.5) * spacing + off;
      m_.length[n_] += place - last;
      EndCell(i, place, off, exponent);
      last = place;
      if (!rubbed) continue;
      Keep(place - shift);
      moved_ = moved_ || shift != 0;
    }
    m_.length[n_] += arc - last;
    at_ += arc;
  }

  const bool fresh_;
  const int contacts_, room_;
  const double *cell_, *mark_;  // of the state: those still to come
  const double *friction_, *rubbed_before_, *old_footing_;
  const double *segment_, *arc_, *angle_, *growth_, *touching_, *footing_;
  double *rubbing_, *new_mark_;
  Material& m_;
  double *now_, *then_, *old_;  // as in Kept
  int n_ = 0, kept_ = 0;
  bool moved_ = false;
  double pooled_ = 0;  // material since the last mark that is kept
  double at_ = 0;      // along the path
  double rate_;        // at which what is still to come grows
  double exponents_ = 0;
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

void StoreFooting(double* to, double arc, const Pair3& point, const Pair3& tangent) {
  to[0] = arc;
  Store(to + 1, point.First());
  Store(to + 4, tangent.First());
  Store(to + 7, point.Second());
  Store(to + 10, tangent.Second());
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
  Layer layer(state, fresh, record, m);
  for (int i = 0; i < record.ncontact; ++i) layer.Pass(i, cuts[i]);
  const Kept kept = layer.Finish();
  GiveMaterial(step, fresh, kept, m);
  CloseCells(step.step, m);
  FillRatios(layer.exponents(), m);
}

}  // namespace mujocable
