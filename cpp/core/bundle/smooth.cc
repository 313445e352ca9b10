// Tensions of a bundle where nothing rubs: as TightenOneCell, a number of every cable at a time.

#include "core/bundle/bundle.h"
#include "core/bundle/steps.h"

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

void Bundle::TightenSmooth(const AxialStep* steps) const {
  const Record& r = record_.first;
  const int n = r.ncontact;
  const bool commanded = steps[0].commanded;
  const Lanes zero = All<Lanes>(0), step = All<Lanes>(steps[0].step);
  const Lanes total = Each(steps, [](const AxialStep& s) { return s.total; });
  const Lanes length = record_.Get(&r.length()), e = length - total;
  const Lanes motor = Each(steps, [](const AxialStep& s) { return s.motor; });
  const Lanes rate = commanded ? zero : record_.Get(&r.length_rate()) + motor / step;
  const Elastic<Lanes> elastic = ElasticOf(steps, false);
  Lanes pull = Each(steps, [](const AxialStep& s) { return s.command; });
  if (!commanded) {
    const Lanes damping = Each(steps, [](const AxialStep& s) { return s.axial.damping; });
    pull =
        elastic.stiffness * OnsetOf(e, elastic.onset) + damping * GateOf(e, elastic.onset) * rate;
  }
  const Lanes most = Each(steps, [](const AxialStep& s) { return s.axial.max_tension; });
  const Lanes tension = Least(Most(pull, zero), most);
  record_.Set(&r.energy(), StoredIn(steps, StoredEnergy(elastic, length, e)));
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
