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
  bool joined = false;  // a boundary is gone, and the cells beside it are one
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
        cells_in_(m.give),
        exponent_(m.ratio),
        cell_(state.cell()),
        old_mark_(state.mark()),
        rate_(record.length_rate()) {
    cut_.now = m.work;
    cut_.then = cut_.now + CellRoom(state.CellRoom());
    rest_[0] = *cell_++;
    cells_in_[0] = 1;
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
    if (!rubbed && before > 0) {
      cut_.joined = true;
      cells_in_[cut_.kept] += before;
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
    cells_in_[cut_.kept] = 1;
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
        StoreLanes(cells_in_ + cut_.kept + 1 + k, All<Lanes>(1));
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
  double *length_of_, *rate_of_, *rest_, *cells_in_, *exponent_;  // of the cells
  const double *cell_, *old_mark_;  // of the state: those still to come
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

// The same of a cable whose cells are as stiff as the step can follow, whatever their length: it is
// tension that they bring, and stretch only follows from it. A new cell has the mean tension of the
// old ones in it; cells that are joined, theirs. Only what is loose is spread like material.
void SpreadTension(const AxialStep& step, const Cut& cut, Material& m) {
  double *old = m.tension, *ends = cut.then;  // there are no tensions yet
  const double* cells_in = m.give;
  const double rigidity = Rigidity(step), shortest = kShortestCell * step.length;
  ends[cut.kept] = cut.now[m.n - 1] = cut.length;
  for (int k = 0; k <= cut.kept; ++k) {
    const double size = ends[k] - (k > 0 ? ends[k - 1] : 0), stretch = size - m.rest[k];
    const double hold = std::min(rigidity / std::max(size, shortest), step.held / cells_in[k]);
    old[k] = stretch > 0 ? stretch * hold : stretch;
  }
  int cell = 0;
  double begin = 0, at = 0;  // of this old cell; how far it is shared out
  for (int j = 0; j < m.n; ++j) {
    const double from = at, to = cut.now[j];
    double pull = 0, loose = 0;
    const auto share = [&](double end) {
      const double size = ends[cell] - begin, part = end - at;
      if (old[cell] > 0) pull += part * old[cell];
      if (old[cell] < 0 && size > 0) loose += part / size * old[cell];
      at = end;
    };
    for (; cell < cut.kept && ends[cell] <= to; ++cell) {
      if (ends[cell] > at) share(ends[cell]);
      if (ends[cell] <= begin) loose += std::min(0.0, old[cell]);
      begin = std::max(begin, ends[cell]);
    }
    if (to > at) share(to);
    const double tension = to > from ? pull / (to - from) : std::max(0.0, old[cell]);
    m.rest[j] = m.length[j] - tension / Hold(step, Size(step, m, j)) - loose;
  }
}

// The energy that goes where old cells of other strain are joined: material has slid there, on the
// way along the surface that the mark was moved. `old`: the material of the old cells, as many.
void CountDivided(const AxialStep& step, const Cut& cut, const double* old, Material& m) {
  const Elastic<double> elastic = ElasticOf<double>(step);
  // beyond the tension limit a stretch costs the limit
  const double limit = step.axial.max_tension;
  const double most = StretchFor(limit, elastic.rigidity, elastic.onset_strain);
  const auto density = [&](double strain) {
    const double beyond = strain > most ? limit * (strain - most) : 0;
    return StoredEnergy(elastic, 1.0, std::min(strain, most)) + beyond;
  };
  const double *now = cut.now, *then = cut.then;
  const int n = m.n;
  std::fill(m.divided, m.divided + n, 0.0);
  const auto old_density = [&](int k) {
    const double size = then[k] - (k > 0 ? then[k - 1] : 0);
    return size > 0 ? density(1 - old[k] / size) : 0;
  };
  for (int j = 0; j < n; ++j) {
    const double begin = j > 0 ? now[j - 1] : 0, size = now[j] - begin;
    if (!(size > 0)) continue;
    double before = 0;  // in the parts of old cells that lie in this one: its own and neighbors'
    for (int k = std::max(0, j - 1); k < std::min(n, j + 2); ++k) {
      const double from = std::max(begin, k > 0 ? then[k - 1] : 0), to = std::min(now[j], then[k]);
      if (to > from) before += (to - from) * old_density(k);
    }
    const double lost = std::max(0.0, before - size * density(1 - m.rest[j] / size));
    const bool first = j > 0 && then[j - 1] != now[j - 1], last = j + 1 < n && then[j] != now[j];
    const double part = first && last ? lost / 2 : lost;
    if (first) m.divided[j - 1] += part;
    if (last) m.divided[j] += part;
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
  } else if (step.most_hold > 0) {
    const bool other = step.held != step.most_hold;  // a step of another size
    if (cut.kept + 1 != n || cut.moved || cut.joined || other) SpreadTension(step, cut, m);
  } else if (cut.kept + 1 != n || cut.moved) {
    Spread(cut, m);
    m.moved = cut.kept + 1 == n;
    if (m.moved) CountDivided(step, cut, m.tension, m);
  }
  if (!step.commanded) {
    double sum = 0;
    for (int j = 0; j < n; ++j) sum += m.rest[j];
    m.rest[0] += step.total - sum;
  }
  m.motor = (m.rest[0] + DampedMotor(step)) - m.rest[0];
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
  m.motor = (step.total + DampedMotor(step)) - step.total;
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
