#include <algorithm>

#include "core/law/cell.h"
#include "core/law/material.h"
#include "core/math/inline.h"

namespace mujocable {
namespace {

// play of a mark, in parts of the distance between two of them: vibration moves no material, and
// every mark stays on its arc (chosen; test_vibration_moves_no_material would notice)
constexpr double kPlay = 0.25;

// what is known of the cells before they have their material
struct Cut {
  double *now, *then;   // boundaries of the new cells, and where those of the old ones would be
  int kept = 0;         // boundaries of old cells that are still there
  bool passes = false;  // as in Material
  bool moved = false;   // a mark had to be moved on its surface
  double length = 0;    // of the path
  double exponents = 0;
};

// Cuts the path into cells, contact by contact from the source on: lengths, rates and exponents of
// friction of the new ones, and which of the old ones are still there, with their material in
// `rest`. Exponents stand in the place of the ratios.
class Layer {
 public:
  MUJOCABLE_INLINE Layer(State state, const double* carried, Record record, const Material& m)
      : carried_(carried),
        state_(state),
        record_(record),
        length_of_(m.length),
        rate_of_(m.rate),
        rest_(m.rest),
        exponent_(m.ratio),
        cell_(state.cell()),
        old_mark_(state.mark()),
        rate_(record.length_rate()) {
    cut_.now = m.work;
    cut_.then = cut_.now + CellRoom(state.CellRoom());
    rest_[0] = *cell_++;
  }

  // the segment before contact i, and the contact itself
  MUJOCABLE_INLINE void Pass(int i, const ContactCut& cut) {
    Advance(record_.segment()[i]);
    const double mu = state_.friction()[i];
    const int count = mu > 0 && record_.touching()[i] != 0 ? SubcontactCount(mu * cut.angle) : 0;
    // (a state may hold any number: never more than there is room for)
    const double most = cut.footing >= 0 ? kSubcontacts : 1;
    const int before = static_cast<int>(std::max(0.0, std::min(most, state_.rubbing()[i])));
    const bool rubbed = before == count;  // as it does now
    record_.rubbing()[i] = count;
    if (!rubbed) {
      for (int k = 0; k < before; ++k, ++old_mark_) rest_[cut_.kept] += *cell_++;
    }
    if (count == 0) {
      cut_.passes = true;
      return Advance(record_.arc()[i]);
    }
    const double exponent = kParts[count] * ConeExponent(mu, record_.wrap_angle()[i]);
    cut_.exponents += count * exponent;
    const double growth = record_.growth()[i], rate = rate_ - growth;
    rate_ = growth;
    if (cut.footing >= 0) return PassArc(i, cut.footing, count, exponent, rate, rubbed);
    // a guide is a point: it has one mark, which stays where it is
    length_of_[n_] = length_;
    length_ = 0;
    rate_of_[n_] = rate;
    exponent_[n_] = exponent;
    cut_.now[n_++] = at_;
    if (!rubbed) return;
    cut_.then[cut_.kept] = at_;
    rest_[++cut_.kept] = *cell_++;
    ++old_mark_;
  }

  // the last segment; no cell lies behind it
  MUJOCABLE_INLINE Cut Finish(Material& m) {
    Advance(record_.segment()[record_.ncontact]);
    StoreLanes(length_of_ + n_, Lanes{length_, 0, 0, 0});
    StoreLanes(rate_of_ + n_, Lanes{rate_, 0, 0, 0});
    StoreLanes(exponent_ + n_, All<Lanes>(0));
    m.n = n_ + 1;
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
    const Lanes zero = All<Lanes>(0), even = Lanes{spacing, spacing, spacing, spacing};
    const Lanes play = kPlay * even, back = -1.0 * play;
    const double carried = carried_[footing];
    const double wider = spacing - part * state_.footing()[kFooting * footing];
    Lanes rates{rate, 0, 0, 0};          // between its marks an arc does not grow
    Lanes place = All<Lanes>(-length_);  // of the marks, from the entry; now where the cell begins
    Lanes middle{0.5, 1.5, 2.5, 3.5};
    LaneBits moved = BitsOf(zero);
    double* mark = record_.mark() + n_;
    for (int k = 0; k < count; k += kLanes) {
      const double last = place[kLanes - 1];
      place = middle * even;
      Lanes off = zero, inside = middle - count;
      if (rubbed) {
        const Lanes drift = LoadLanes(old_mark_ + k) - carried - middle * wider;
        off = Select(inside, Least(Most(drift, back), play), zero);
        const Lanes shift = off - drift;  // how far they had to be moved
        place += off;
        moved = moved | BitsOf(Select(inside, shift, zero));
        StoreLanes(cut_.then + cut_.kept + k, at_ + (place - shift));
        StoreLanes(rest_ + cut_.kept + 1 + k, LoadLanes(cell_ + k));
      }
      if (k + kLanes <= kSubcontacts) {
        StoreLanes(mark + k, off);
      } else {
        mark[k] = off[0];
      }
      StoreLanes(cut_.now + n_ + k, at_ + place);
      StoreLanes(exponent_ + n_ + k, Lanes{exponent, exponent, exponent, exponent});
      StoreLanes(length_of_ + n_ + k, place - Shift(last, place));
      StoreLanes(rate_of_ + n_ + k, rates);
      rates = zero;
      middle += All<Lanes>(kLanes);
    }
    static_assert(kSubcontacts % kLanes == 1);  // so that the marks of an arc end where they must
    n_ += count;
    length_ = arc - place[(count - 1) % kLanes];
    at_ += arc;
    if (!rubbed) return;
    cut_.moved = cut_.moved || !AllZero(moved);
    cut_.kept += count;
    cell_ += count;
    old_mark_ += count;
  }

  const double* carried_;
  const State state_;
  const Record record_;
  double *length_of_, *rate_of_, *rest_, *exponent_;  // of the cells
  const double *cell_, *old_mark_;                    // of the state: those still to come
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
void CloseCells(const AxialStep& step, Material& m) {
  const Lanes zero = All<Lanes>(0);
  double *rate = m.rate, *grown = m.grown, *longer = m.longer;
  const int n = m.n;
  StoreLanes(m.rest + n, zero);
  for (int j = 0; j < n; j += kLanes) {
    StoreLanes(grown + j, step.step * LoadLanes(rate + j));
    StoreLanes(longer + j, zero);
  }
}

}  // namespace

void LayOneCell(const AxialStep& step, Record record, Material& m) {
  m.n = 1;
  StoreLanes(m.length, Lanes{record.length(), 0, 0, 0});
  StoreLanes(m.rate, Lanes{record.length_rate(), 0, 0, 0});
  m.rest[0] = step.total;
  m.motor = (step.total + step.motor) - step.total;
  m.slip[0] = 0;
  CloseCells(step, m);
  std::fill(record.rubbing(), record.rubbing() + record.ncontact, 0.0);
  std::fill(record.cell(), record.memory(), 0.0);
}

void LayMaterial(const AxialStep& step, State state, const ContactCut* cuts, const double* carried,
                 bool fresh, Record record, Material& m) {
  Layer layer(state, carried, record, m);
  for (int i = 0; i < record.ncontact; ++i) layer.Pass(i, cuts[i]);
  const Cut cut = layer.Finish(m);
  GiveMaterial(step, fresh, cut, m);
  CloseCells(step, m);
  m.passes = cut.passes;
  m.exponents = cut.exponents > kMostExponents ? kMostExponents / cut.exponents : 1;
}

}  // namespace mujocable
