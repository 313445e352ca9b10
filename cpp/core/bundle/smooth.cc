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

LaneRow Bundle::TightenSmooth(const LaneStep& law) const {
  const RecordLanes record = record_;  // (a copy: no store can change it)
  const Record& r = record.first;
  const auto [place, direction, lengths, growth] = *course_;
  const int n = r.ncontact;
  const Lanes zero = All<Lanes>(0), step = All<Lanes>(law.step);
  const Lanes length = law.length, total = law.total, e = length - total;
  Lanes pull = law.command, rate = zero;
  if (!law.commanded) {
    const Lanes grows = record.Get(&r.length_rate());
    rate = grows + law.motor / step;
    pull = law.stiffness * OnsetOf(e, law.transition) +
           law.damping * GateOf(e, law.transition) * (law.length_rate_only ? grows : rate);
  }
  const Lanes tension = Least(Most(pull, zero), law.max_tension);
  const LaneRow tensions(cable_[0]->workspace_, n + 1);
  record.Set(&r.energy(), StoredIn(law, StoredEnergy(ElasticOf(law, Rigid()), length, e)));
  record.Set(&r.source_tension(), tension);

  const Lanes share = Select(0 - length, total / length, zero);
  const Lanes strain_rate = Select(0 - length, rate / length, zero);
  record.Fill(r.dissipation(), 4 * n, 0);  // and slip, stuck, cone
  record.Fill(r.rubbing(), 3 * n + 1, 0);  // and cell, mark
  record.Set(r.cell(), total);
  Lanes beyond = zero;  // cable between contact and distal end
  for (int i = n; i >= 0; --i) {
    const Lanes segment = lengths[i];
    tensions.Set(i, tension);
    record.Set(r.tension() + i, tension);
    record.Set(r.segment_rest() + i, share * segment);
    beyond = i == n ? segment : beyond + segment;
    if (i == 0) break;
    const Lanes slip_rate = growth[i - 1] - beyond * strain_rate, slip = step * slip_rate;
    record.Set(r.slip_rate() + i - 1, slip_rate);
    record.Set(r.slip() + i - 1, slip);
    record.Set(r.slip_total() + i - 1, state_.Get(state_.first.slip_total() + i - 1) + slip);
  }
  return tensions;
}

}  // namespace mujocable
