#include "plugin/step/frames.h"

#include <cstring>
#include <new>

#include "core/surface/groove.h"

namespace mujocable {

Wrap PoseWrap(const mjModel* m, const mjData* d, const CableConfig& c, const WrapNode& w) {
  Wrap wrap = w.wrap;
  Surface& s = wrap.surface;
  const double depth = s.size[0] - s.radius;  // of a groove
  if (!w.ring) SetSizes(m->geom_size + 3 * w.object, c, w.rounding, s);
  if (IsGrooved(s)) s.size[0] = s.radius + depth;
  s.pos = Load((w.ring ? d->site_xpos : d->geom_xpos) + 3 * w.object);
  std::memcpy(s.rot.m, (w.ring ? d->site_xmat : d->geom_xmat) + 9 * w.object, sizeof s.rot.m);
  if (w.hint == HintKind::kSite) wrap.hint = Load(d->site_xpos + 3 * w.hint_site);
  if (w.hint == HintKind::kPoint) wrap.hint = s.pos + Rotate(s.rot, w.hint_point);
  wrap.bias = HingeBias(m, d, w);
  return wrap;
}

void PoseElements(const mjModel* m, const mjData* d, const CableConfig& c, Wrap* wraps,
                  Sheath* sheaths, Element* elements) {
  const int n = static_cast<int>(c.nodes.size());
  const WrapNode* prepared = c.wraps.data();
  const SheathNode* sheath = c.sheaths.data();
  for (int i = 0; i < n; ++i) {
    const Node& node = c.nodes[i];
    if (node.kind != ElementKind::kWrap) {
      elements[i] = {node.kind, node.clamp_before, node.clamp_after, nullptr,
                     Load(d->site_xpos + 3 * node.object)};
      if (node.kind == ElementKind::kSheath) {
        const auto axis = [&](int site) {
          const mjtNum* rot = d->site_xmat + 9 * site;
          return Vec3{rot[2], rot[5], rot[8]};
        };
        const SheathNode& s = *sheath++;
        elements[i].sheath = new (sheaths++) Sheath{s.length, s.bend, axis(s.entry), axis(s.exit)};
      }
      continue;
    }
    new (wraps) Wrap(PoseWrap(m, d, c, *prepared++));  // memory that holds nothing yet
    elements[i] = {node.kind, false, false, wraps++, {}};
  }
}

}  // namespace mujocable
