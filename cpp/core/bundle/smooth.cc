// Tensions of a bundle where nothing rubs: as TightenOneCell, a number of every cable at a time.

#include "core/bundle/bundle.h"

namespace mujocable {
namespace {

// psi_a and the gate of the damper, as Onset and DampingGate
Lanes OnsetOf(const Lanes& e, const Lanes& a) {
  return Select(0 - e, Select(e - a, e * e / (2 * a), e - a / All<Lanes>(2)), All<Lanes>(0));
}
Lanes GateOf(const Lanes& e, const Lanes& a) {
  return Select(0 - e, Select(e - a, e / a, All<Lanes>(1)), All<Lanes>(0));
}

}  // namespace

void Bundle::TightenSmooth(const LaneStep& law) const {
  const Record& r = record_.first;
  const int n = r.ncontact;
  const Lanes zero = All<Lanes>(0), step = All<Lanes>(law.step);
  const Lanes length = law.length, total = law.total, e = length - total;
  Lanes pull = law.command, rate = zero;
  if (!law.commanded) {
    rate = record_.Get(&r.length_rate()) + law.motor / step;
    pull =
        law.stiffness * OnsetOf(e, law.transition) + law.damping * GateOf(e, law.transition) * rate;
  }
  const Lanes tension = Least(Most(pull, zero), law.max_tension);
  record_.Set(&r.energy(), StoredIn(law, StoredEnergy(ElasticOf(law, false), length, e)));
  record_.Set(&r.source_tension(), tension);
  record_.Set(r.tension(), tension);

  const Lanes share = Select(0 - length, total / length, zero);
  const Lanes strain_rate = Select(0 - length, rate / length, zero);
  Lanes beyond = record_.Get(r.segment() + n);  // cable between contact and distal end
  record_.Set(r.segment_rest() + n, share * beyond);
  for (int i = n - 1; i >= 0; --i) {
    const Lanes slip_rate = record_.Get(r.growth() + i) - beyond * strain_rate;
    const Lanes segment = record_.Get(r.segment() + i), slip = step * slip_rate;
    beyond += segment;
    record_.Set(r.tension() + i + 1, tension);
    record_.Set(r.slip_rate() + i, slip_rate);
    record_.Set(r.slip() + i, slip);
    record_.Set(r.slip_total() + i, state_.Get(state_.first.slip_total() + i) + slip);
    record_.Set(r.segment_rest() + i, share * segment);
    for (double* none : {r.dissipation(), r.stuck(), r.cone(), r.rubbing(), r.mark()}) {
      record_.Set(none + i, zero);
    }
    record_.Set(r.cell() + i + 1, zero);
  }
  record_.Set(r.cell(), total);
}

}  // namespace mujocable
