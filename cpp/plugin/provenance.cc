// Provenance: the part of a model that a configuration was read from, and whether it is the same
// in another model. Simulations of a batch may run on models of their own.

#include "config.h"
#include "hash.h"

namespace mujocable {

double GeometryOf(const mjModel* m, const CableConfig& c) {
  Hash hash;
  for (int b : c.bodies) {
    hash.Numbers(m->body_pos + 3 * b, 3);
    hash.Numbers(m->body_quat + 4 * b, 4);
    const int first = m->body_jntadr[b], count = m->body_jntnum[b];
    if (count > 0) {
      hash.Numbers(m->jnt_pos + 3 * first, 3 * count);
      hash.Numbers(m->jnt_axis + 3 * first, 3 * count);
    }
  }
  for (const ElementConfig& e : c.elements) {
    const bool site = e.ring || e.kind != ElementKind::kWrap;
    if (!site) {
      hash.Number(m->geom_type[e.object]);
      hash.Number(m->geom_dataid[e.object]);
      hash.Numbers(m->geom_size + 3 * e.object, 3);
    }
    hash.Numbers((site ? m->site_pos : m->geom_pos) + 3 * e.object, 3);
    hash.Numbers((site ? m->site_quat : m->geom_quat) + 4 * e.object, 4);
    if (e.hint == HintKind::kSite) hash.Numbers(m->site_pos + 3 * e.hint_site, 3);
  }
  return hash.Value();
}

bool SameModel(const mjModel* m, int instance, const CableConfig& c) {
  return SameSource(m, instance, c) && GeometryOf(m, c) == c.geometry;
}

}  // namespace mujocable
