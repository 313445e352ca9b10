#include <algorithm>
#include <cmath>

#include "core/law/cell.h"
#include "core/law/coulomb.h"
#include "core/law/material.h"
#include "core/math/inline.h"

namespace mujocable {
namespace {

// play of a mark, in parts of the distance between two of them: vibration moves no material, and
// every mark stays on its arc (chosen; test_vibration_moves_no_material would notice)
constexpr double kPlay = 0.25;

// what is known of the cells before they have their material
struct Cut {
  double *now, *then;  // boundaries of the new cells, and where those of the old ones would be
  int kept = 0;        // boundaries of old cells that are still there
  bool moved = false;  // a mark had to be moved on its surface
  double length = 0;   // of the path
  double exponents = 0;
};

// Cuts the path into cells, contact by contact from the source on: lengths, rates and exponents of
// friction of the new ones, and which of the old ones are still there, with their material in
// `rest`. Exponents stand in the place of the ratios.
class Layer {
 public:
  MUJOCABLE_INLINE Layer(double step, State state, const double* carried, Record record,
                         const Material& m)
      : step_(step),
        carried_(carried),
        state_(state),
        record_(record),
        m_(m),
        cell_(state.cell()),
        old_mark_(state.mark()),
        mark_(record.mark()),
        rate_(record.length_rate()) {
    cut_.now = m.work;
    cut_.then = cut_.now + CellRoom(state.CellRoom());
    m_.rest[0] = *cell_++;
  }

  // the segment before contact i, and the contact itself
  MUJOCABLE_INLINE void Pass(int i, const ContactCut& cut) {
    Advance(record_.segment()[i]);
    const double mu = state_.friction()[i];
    const int count = mu > 0 && record_.touching()[i] != 0 ? SubcontactCount(mu * cut.angle) : 0;
    const int before = static_cast<int>(state_.rubbing()[i]);
    const bool rubbed = before == count;  // as it does now
    record_.rubbing()[i] = count;
    if (!rubbed) {
      for (int k = 0; k < before; ++k, ++old_mark_) m_.rest[cut_.kept] += *cell_++;
    }
    if (count == 0) return Advance(record_.arc()[i]);
    const double exponent = kParts[count] * std::min(mu * record_.wrap_angle()[i], kMostExponent);
    cut_.exponents += count * exponent;
    const double growth = record_.growth()[i], rate = rate_ - growth;
    rate_ = growth;
    if (cut.footing >= 0) return PassArc(i, cut.footing, count, exponent, rate, rubbed);
    // a guide is a point: it has one mark, which stays where it is
    m_.length[n_] = length_;
    length_ = 0;
    m_.rate[n_] = rate;
    m_.grown[n_] = step_ * rate;
    m_.ratio[n_] = exponent;
    cut_.now[n_++] = at_;
    *mark_++ = 0;
    if (!rubbed) return;
    cut_.then[cut_.kept] = at_;
    m_.rest[++cut_.kept] = *cell_++;
    ++old_mark_;
  }

  // the last segment; no cell lies behind it
  MUJOCABLE_INLINE Cut Finish(Material& m) {
    Advance(record_.segment()[record_.ncontact]);
    StoreLanes(m_.length + n_, Lanes{length_, 0, 0, 0});
    StoreLanes(m_.rate + n_, Lanes{rate_, 0, 0, 0});
    StoreLanes(m_.grown + n_, Lanes{step_ * rate_, 0, 0, 0});
    StoreLanes(m_.ratio + n_, All<Lanes>(0));
    m.n = n_ + 1;
    std::fill(mark_, record_.footing(), 0.0);
    cut_.length = at_;
    return cut_;
  }

 private:
  MUJOCABLE_INLINE void Advance(double length) {
    at_ += length;
    length_ += length;
  }

  // several marks at a time; what is written past the last one the next contact writes anew
  MUJOCABLE_INLINE void PassArc(int i, int footing, int count, double exponent, double rate,
                                bool rubbed) {
    const double arc = record_.arc()[i], part = kParts[count], spacing = part * arc;
    const Lanes play = All<Lanes>(kPlay * spacing), zero = All<Lanes>(0), back = -1.0 * play;
    double carried = 0, wider = 0;
    if (rubbed) {
      carried = carried_[footing];
      wider = spacing - part * state_.footing()[kFooting * footing];
    }
    Lanes rates{rate, 0, 0, 0};          // between its marks an arc does not grow
    Lanes place = All<Lanes>(-length_);  // of the marks, from the entry; now where the cell begins
    Lanes middle{0.5, 1.5, 2.5, 3.5};
    for (int k = 0; k < count; k += kLanes) {
      const double last = place[kLanes - 1];
      place = middle * spacing;
      Lanes off = zero;
      if (rubbed) {
        const Lanes drift = LoadLanes(old_mark_ + k) - carried - middle * wider;
        const Lanes least = Select(drift - back, back, drift);
        off = Select(play - least, play, least);
        const Lanes shift = off - drift;  // how far they had to be moved
        place += off;
        cut_.moved = cut_.moved || !AllZero(Select(middle - count, shift, zero));
        StoreLanes(cut_.then + cut_.kept + k, at_ + (place - shift));
        StoreLanes(m_.rest + cut_.kept + 1 + k, LoadLanes(cell_ + k));
      }
      if (k + kLanes <= kSubcontacts) {
        StoreLanes(mark_ + k, off);
      } else {
        mark_[k] = off[0];
      }
      StoreLanes(cut_.now + n_ + k, at_ + place);
      StoreLanes(m_.ratio + n_ + k, All<Lanes>(exponent));
      StoreLanes(m_.length + n_ + k, place - Shift(last, place));
      StoreLanes(m_.rate + n_ + k, rates);
      StoreLanes(m_.grown + n_ + k, step_ * rates);
      rates = zero;
      middle += All<Lanes>(kLanes);
    }
    static_assert(kSubcontacts % kLanes == 1);  // so that the marks of an arc end where they must
    n_ += count;
    mark_ += count;
    length_ = arc - place[(count - 1) % kLanes];
    at_ += arc;
    if (!rubbed) return;
    cut_.kept += count;
    cell_ += count;
    old_mark_ += count;
  }

  const double step_;
  const double* carried_;
  const State state_;
  const Record record_;
  const Material m_;                // where its arrays are
  const double *cell_, *old_mark_;  // of the state: those still to come
  double* mark_;                    // off its even place
  Cut cut_;
  int n_ = 0;
  double length_ = 0;  // of this cell so far
  double at_ = 0;      // along the path
  double rate_;        // at which what is still to come grows
};

// Spreads the material of the old cells over the new ones, evenly within each old one.
void Spread(const Cut& cut, Material& m) {
  double *old = m.tension, *ends = cut.then;  // there are no tensions yet
  CopyNumbers(m.rest, cut.kept + 1, old);
  ends[cut.kept] = cut.now[m.n - 1] = cut.length;
  int cell = 0;
  double begin = 0, passed = 0, given = 0;  // of this old cell; material before it; in new cells
  for (int j = 0; j < m.n; ++j) {
    const double x = cut.now[j];
    while (cell < cut.kept && ends[cell] <= x) {
      begin = std::max(begin, ends[cell]);
      passed += old[cell++];
    }
    const double size = ends[cell] - begin;
    const double before =
        size > 0 ? passed + old[cell] * std::min(1.0, (x - begin) / size) : passed;
    m.rest[j] = before - given;
    given = before;
  }
}

// Gives each cell its material: even tension where nothing is remembered, else what it had, spread
// anew where marks have moved. What there is more or less in total goes to the first.
void GiveMaterial(const AxialStep& step, bool fresh, const Cut& cut, Material& m) {
  const int n = m.n;
  const double at = cut.length;
  if (fresh) {
    for (int j = 0; j < n; ++j) {
      m.rest[j] = at > 0 ? step.total * (m.length[j] / at) : step.total / n;
      if (step.commanded) m.rest[j] = m.length[j] - step.command / Hold(step, Size(step, m, j));
    }
  } else if (cut.kept + 1 != n || cut.moved) {
    Spread(cut, m);
  }
  if (!step.commanded) {
    double sum = 0;
    for (int j = 0; j < n; ++j) sum += m.rest[j];
    m.rest[0] += step.total - sum;
  }
  m.motor = (m.rest[0] + step.motor) - m.rest[0];
}

// no cell lies behind the last one; tensions are found where the bodies stand
void CloseCells(Material& m) {
  const Lanes zero = All<Lanes>(0);
  StoreLanes(m.rest + m.n, zero);
  for (int j = 0; j < m.n; j += kLanes) StoreLanes(m.longer + j, zero);
}

}  // namespace

int MaterialRoom(int cells) { return 13 * CellRoom(cells) + WorkRoom(cells); }

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
  m.longer = take();
  m.grown = take();
  m.ratio = take();
  m.inverse = take();
  m.tension = take();
  m.free = take();
  m.give = take();
  m.hold = take();
  m.drag = take();
  m.slip = reinterpret_cast<int*>(take());
  m.work = room;
  return m;
}

void LayOneCell(const AxialStep& step, Record record, Material& m) {
  m.n = 1;
  const double rate = record.length_rate();
  StoreLanes(m.length, Lanes{record.length(), 0, 0, 0});
  StoreLanes(m.rate, Lanes{rate, 0, 0, 0});
  StoreLanes(m.grown, Lanes{step.step * rate, 0, 0, 0});
  m.rest[0] = step.total;
  m.motor = (step.total + step.motor) - step.total;
  m.slip[0] = 0;
  CloseCells(m);
  std::fill(record.rubbing(), record.rubbing() + record.ncontact, 0.0);
  // all that is remembered is set, so that a state has the same bits however it came about
  std::fill(record.mark(), record.memory(), 0.0);
}

void LayMaterial(const AxialStep& step, State state, const ContactCut* cuts, const double* carried,
                 bool fresh, Record record, Material& m) {
  Layer layer(step.step, state, carried, record, m);
  for (int i = 0; i < record.ncontact; ++i) layer.Pass(i, cuts[i]);
  const Cut cut = layer.Finish(m);
  GiveMaterial(step, fresh, cut, m);
  CloseCells(m);
  m.exponents = cut.exponents > kMostExponents ? kMostExponents / cut.exponents : 1;
}

}  // namespace mujocable
