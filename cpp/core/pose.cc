#include "core/pose.h"

#include <algorithm>
#include <new>

#include "core/surface/groove.h"

namespace mujocable {
namespace {

// sizes of a surface without a closed form
MUJOCABLE_COLD void SetSmoothSizes(const double* size, double cable_radius, double rounding,
                                   Surface& s) {
  switch (s.kind) {
    case SurfaceKind::kEllipsoid:
      std::copy(size, size + 3, s.size);
      s.radius = std::min({size[0], size[1], size[2]}) + cable_radius;
      break;
    case SurfaceKind::kCapsule:
      s.radius = size[0] + cable_radius;
      s.size[2] = size[1];
      break;
    case SurfaceKind::kBox:
      // rounded edges stay inside the geom; a sharp box is rounded by the cable alone
      for (int i = 0; i < 3; ++i) s.size[i] = size[i] - rounding;
      break;
    case SurfaceKind::kTorus:
    case SurfaceKind::kMesh:
    case SurfaceKind::kCylinder:
    case SurfaceKind::kSphere:
      break;  // no size of a geom changes it, or a closed form has its own
  }
}

}  // namespace

void SetSizes(const double* size, double cable_radius, double rounding, Surface& s) {
  if (IsSmooth(s)) return SetSmoothSizes(size, cable_radius, rounding, s);
  const double depth = s.size[0] - s.radius;  // of a groove
  s.radius = s.inside ? size[0] - cable_radius : size[0] + cable_radius;
  s.half_length = size[1];  // of a cylinder
  if (IsGrooved(s)) s.size[0] = s.radius + depth;
}

namespace {

// turn about a cylinder that coaxial hinges explain, as in Wrap
double HingeBias(const Bodies& bodies, const WrapNode& w) {
  double bias = 0;
  for (const Hinge& h : w.hinges) {
    bias += h.sign * (bodies.coordinate[h.coordinate] - bodies.home_coordinate[h.coordinate]);
  }
  return bias;
}

// a wrap where its geom, or the site of a ring, is now; put at `at`
void PoseWrap(const Bodies& bodies, double cable_radius, int frame, const WrapNode& w, bool hints,
              Wrap* at) {
  Wrap& wrap = *new (at) Wrap(w);
  Surface& s = wrap.surface;
  const bool ring = s.kind == SurfaceKind::kTorus;
  if (!ring) SetSizes(bodies.geom_size + 3 * frame, cable_radius, w.rounding, s);
  s.pos = Load((ring ? bodies.site_pos : bodies.geom_pos) + 3 * frame);
  CopyNumbers((ring ? bodies.site_rot : bodies.geom_rot) + 9 * frame, 9, s.rot.m);
  if (hints && w.side == HintKind::kSite) wrap.hint = Load(bodies.site_pos + 3 * w.hint_site);
  if (hints && w.side == HintKind::kPoint) wrap.hint = s.pos + Rotate(s.rot, w.hint_point);
  wrap.bias = HingeBias(bodies, w);
}

}  // namespace

void PoseElements(const CableModel& model, const Bodies& bodies, Wrap* wraps, Sheath* sheaths,
                  Element* elements, bool hints) {
  const WrapNode* wrap = model.wraps.data();
  const SheathNode* sheath = model.sheaths.data();
  for (const Node& node : model.nodes) {
    if (node.kind == ElementKind::kWrap) {
      PoseWrap(bodies, model.radius, node.frame, *wrap++, hints, wraps);
      *elements++ = {node.kind, false, false, wraps++, {}};
      continue;
    }
    Element& element = *elements++;
    element = {node.kind, node.clamp_before, node.clamp_after, nullptr,
               Load(bodies.site_pos + 3 * node.frame)};
    if (node.kind != ElementKind::kSheath) continue;
    const auto axis = [&](int site) {
      const double* rot = bodies.site_rot + 9 * site;
      return Vec3{rot[2], rot[5], rot[8]};
    };
    element.sheath = new (sheaths++)
        Sheath{sheath->length, sheath->bend, axis(sheath->entry), axis(sheath->exit)};
    ++sheath;
  }
}

}  // namespace mujocable
