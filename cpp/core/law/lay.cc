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

// what is known of the cells before they have their material
struct Cut {
  double *now, *then;  // boundaries of the new cells, and where those of the old ones would be
  double* exponent;    // of friction, of each boundary
  double* mark;        // off their even places
  int kept = 0;        // boundaries of old cells that are still there
  bool moved = false;  // a mark had to be moved on its surface
  double length = 0;   // of the path
  double exponents = 0;
};

// Cuts the path into cells, contact by contact from the source on: lengths, rates and exponents of
// friction of the new ones, and which of the old ones are still there, with their material in
// `rest`.
class Layer {
 public:
  MUJOCABLE_INLINE Layer(double step, const State& state, const double* carried, bool fresh,
                         const Record& record, Material& m)
      : step_(step),
        carried_(carried),
        fresh_(fresh),
        friction_(state.friction()),
        rubbed_before_(state.rubbing()),
        old_footing_(state.footing()),
        segment_(record.segment()),
        arc_(record.arc()),
        angle_(record.wrap_angle()),
        growth_(record.growth()),
        touching_(record.touching()),
        rubbing_(record.rubbing()),
        m_(m),
        cell_(state.cell()),
        mark_(state.mark()),
        rate_(record.length_rate()) {
    const int room = CellRoom(MostCells(record.ncontact, record.nwrap));
    cut_.now = m.work;
    cut_.then = cut_.now + room;
    cut_.exponent = cut_.then + room;
    cut_.mark = cut_.exponent + room;
    if (!fresh) m_.rest[0] = *cell_++;
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
      for (int k = 0; k < before; ++k, ++mark_) m_.rest[cut_.kept] += *cell_++;
    }
    if (count == 0) return Advance(arc_[i]);
    const double exponent = kParts[count] * std::min(mu * angle_[i], kMostExponent);
    cut_.exponents += count * exponent;
    const double growth = growth_[i], rate = rate_ - growth;
    rate_ = growth;
    if (cut.footing >= 0) return PassArc(i, cut.footing, count, exponent, rate, rubbed);
    // a guide is a point: it has one mark, which stays where it is
    m_.length[n_] = length_;
    length_ = 0;
    m_.rate[n_] = rate;
    m_.grown[n_] = step_ * rate;
    m_.contact[n_] = i;
    StoreLanes(cut_.exponent + n_, All<Lanes>(exponent));
    cut_.mark[n_] = 0;
    cut_.now[n_++] = at_;
    if (!rubbed) return;
    cut_.then[cut_.kept] = at_;
    m_.rest[++cut_.kept] = *cell_++;
    ++mark_;
  }

  // the last segment
  MUJOCABLE_INLINE const Cut& Finish(const Record& record) {
    Advance(segment_[record.ncontact]);
    m_.length[n_] = length_;
    m_.rate[n_] = rate_;
    m_.grown[n_] = step_ * rate_;
    m_.n = n_ + 1;
    CopyNumbers(cut_.mark, n_, record.mark());
    std::fill(record.mark() + n_, record.footing(), 0.0);
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
    const double arc = arc_[i], part = kParts[count], spacing = part * arc;
    const Lanes play = All<Lanes>(kPlay * spacing), zero = All<Lanes>(0), back = -1.0 * play;
    double carried = 0, wider = 0;
    if (rubbed) {
      carried = carried_[footing];
      wider = spacing - part * old_footing_[kFooting * footing];
    }
    Lanes rates{rate, 0, 0, 0};          // between its marks an arc does not grow
    Lanes place = All<Lanes>(-length_);  // of the marks, from the entry; now where the cell begins
    for (int k = 0; k < count; k += kLanes) {
      const Lanes middle = (k + 0.5) + Lanes{0, 1, 2, 3};
      const double last = place[kLanes - 1];
      place = middle * spacing;
      if (rubbed) {
        const Lanes drift = LoadLanes(mark_ + k) - carried - middle * wider;
        const Lanes least = Select(drift - back, back, drift);
        const Lanes off = Select(play - least, play, least);
        const Lanes shift = off - drift;  // how far they had to be moved
        place += off;
        cut_.moved = cut_.moved || !AllZero(Select(middle - count, shift, zero));
        StoreLanes(cut_.mark + n_ + k, off);
        StoreLanes(cut_.then + cut_.kept + k, at_ + (place - shift));
        StoreLanes(m_.rest + cut_.kept + 1 + k, LoadLanes(cell_ + k));
      } else {
        StoreLanes(cut_.mark + n_ + k, zero);
      }
      StoreLanes(cut_.now + n_ + k, at_ + place);
      StoreLanes(cut_.exponent + n_ + k, All<Lanes>(exponent));
      StoreLanes(m_.length + n_ + k, place - Shift(last, place));
      StoreLanes(m_.rate + n_ + k, rates);
      StoreLanes(m_.grown + n_ + k, step_ * rates);
      for (int j = 0; j < kLanes; ++j) m_.contact[n_ + k + j] = i;
      rates = zero;
    }
    n_ += count;
    length_ = arc - place[(count - 1) % kLanes];
    at_ += arc;
    if (!rubbed) return;
    cut_.kept += count;
    cell_ += count;
    mark_ += count;
  }

  const double step_;
  const double* carried_;
  const bool fresh_;
  const double *friction_, *rubbed_before_, *old_footing_;
  const double *segment_, *arc_, *angle_, *growth_, *touching_;
  double* rubbing_;
  Material& m_;
  const double *cell_, *mark_;  // of the state: those still to come
  Cut cut_;
  int n_ = 0;
  double length_ = 0;  // of this cell so far
  double at_ = 0;      // along the path
  double rate_;        // at which what is still to come grows
};

// Spreads the material of the old cells over the new ones, evenly within each old one.
void Spread(const Cut& cut, Material& m) {
  double *old = cut.mark, *ends = cut.then;  // marks are in the record by now
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

// Ratios of the contacts from their exponents.
void FillRatios(const Cut& cut, Material& m) {
  const int n = m.n;
  const double scale = cut.exponents > kMostExponents ? kMostExponents / cut.exponents : 1;
  for (int j = 0; j + 1 < n; j += kLanes) {
    const Lanes ratio = Exp(scale * LoadLanes(cut.exponent + j));
    StoreLanes(m.ratio + j, ratio);
    StoreLanes(m.inverse + j, 1 / ratio);
  }
}

// no cell lies behind the last one; tensions are found where the bodies stand
void CloseCells(Material& m) {
  const Lanes zero = All<Lanes>(0);
  for (double* cells : {m.length, m.rate, m.grown, m.rest}) StoreLanes(cells + m.n, zero);
  for (int j = 0; j < m.n; j += kLanes) StoreLanes(m.longer + j, zero);
}

}  // namespace

int MaterialRoom(int cells) { return 14 * CellRoom(cells) + WorkRoom(cells); }

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
  m.contact = reinterpret_cast<int*>(take());
  m.slip = reinterpret_cast<int*>(take());
  m.work = room;
  return m;
}

void LayOneCell(const AxialStep& step, const Record& record, Material& m) {
  m.n = 1;
  m.length[0] = record.length();
  m.rate[0] = record.length_rate();
  m.grown[0] = step.step * m.rate[0];
  m.rest[0] = step.total;
  m.motor = (step.total + step.motor) - step.total;
  m.slip[0] = 0;
  CloseCells(m);
  std::fill(record.rubbing(), record.rubbing() + record.ncontact, 0.0);
  // all that is remembered is set, so that a state has the same bits however it came about
  std::fill(record.mark(), record.memory(), 0.0);
}

void LayMaterial(const AxialStep& step, const State& state, const ContactCut* cuts,
                 const double* carried, bool fresh, const Record& record, Material& m) {
  Layer layer(step.step, state, carried, fresh, record, m);
  for (int i = 0; i < record.ncontact; ++i) layer.Pass(i, cuts[i]);
  const Cut& cut = layer.Finish(record);
  GiveMaterial(step, fresh, cut, m);
  CloseCells(m);
  FillRatios(cut, m);
}

}  // namespace mujocable
