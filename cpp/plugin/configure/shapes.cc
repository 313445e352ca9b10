#include "plugin/configure/shapes.h"

#include <algorithm>
#include <cmath>

#include "core/pose.h"
#include "core/surface/groove.h"

namespace mujocable {
namespace {

Pose LocalPose(const mjtNum* pos, const mjtNum* quat) {
  Pose pose;
  pose.pos = Load(pos);
  mju_quat2Mat(pose.rot.m, quat);
  return pose;
}

SurfaceKind KindOf(const mjModel* m, const ElementConfig& e) {
  if (e.ring) return SurfaceKind::kTorus;
  switch (m->geom_type[e.object]) {
    case mjGEOM_CYLINDER:
      return SurfaceKind::kCylinder;
    case mjGEOM_ELLIPSOID:
      return SurfaceKind::kEllipsoid;
    case mjGEOM_CAPSULE:
      return SurfaceKind::kCapsule;
    case mjGEOM_BOX:
      return SurfaceKind::kBox;
    case mjGEOM_MESH:
      return SurfaceKind::kMesh;
    default:
      return SurfaceKind::kSphere;
  }
}

Surface ShapeOf(const mjModel* m, const CableConfig& c, const ElementConfig& e) {
  Surface s;
  s.kind = KindOf(m, e);
  s.inside = e.inside;
  switch (s.kind) {
    case SurfaceKind::kTorus:
      s.radius = e.ring_tube + c.radius;
      s.size[0] = e.ring_radius;
      break;
    case SurfaceKind::kMesh:
      s.mesh = e.mesh;
      s.radius = e.mesh->radius;
      s.size[0] = e.mesh->extent;
      break;
    case SurfaceKind::kEllipsoid:
      s.offset = c.radius;
      break;
    case SurfaceKind::kBox:
      s.radius = e.rounding + c.radius;
      break;
    default:
      break;
  }
  if (!e.ring) SetSizes(m->geom_size + 3 * e.object, c.radius, e.rounding, s);
  if (e.grooved) {
    const double depth = e.groove > 0 ? e.groove : kGrooveDepth * s.radius;
    s.size[0] = s.radius + depth;
    // at the edge a V is this wide; a round groove as wide as it is deep
    s.size[1] = depth * (e.half_angle > 0 ? std::tan(e.half_angle) : 1);
  }
  return s;
}

Pose Compose(const Pose& parent, const Pose& child) {
  Pose pose;
  pose.pos = parent.pos + Rotate(parent.rot, child.pos);
  mju_mulMatMat(pose.rot.m, parent.rot.m, child.rot.m, 3, 3, 3);
  return pose;
}

}  // namespace

Home::Home(const mjModel* m) : m_(m), body_(m->nbody) {
  // at qpos0 every joint is at its reference, so the frames simply chain
  for (int b = 1; b < m->nbody; ++b) {
    body_[b] =
        Compose(body_[m->body_parentid[b]], LocalPose(m->body_pos + 3 * b, m->body_quat + 4 * b));
  }
}

Pose Home::Site(int i) const {
  return Compose(body_[m_->site_bodyid[i]], LocalPose(m_->site_pos + 3 * i, m_->site_quat + 4 * i));
}

Pose Home::Geom(int i) const {
  return Compose(body_[m_->geom_bodyid[i]], LocalPose(m_->geom_pos + 3 * i, m_->geom_quat + 4 * i));
}

Bodies Home::View(const CableModel& c) {
  site_pos_.resize(3 * m_->nsite);
  site_rot_.resize(9 * m_->nsite);
  geom_pos_.resize(3 * m_->ngeom);
  geom_rot_.resize(9 * m_->ngeom);
  const auto put = [](const Pose& pose, int i, std::vector<double>& pos, std::vector<double>& rot) {
    Store(pos.data() + 3 * i, pose.pos);
    std::copy_n(pose.rot.m, 9, rot.data() + 9 * i);
  };
  const auto site = [&](int i) { put(Site(i), i, site_pos_, site_rot_); };
  for (const Node& node : c.nodes) {
    if (node.kind != ElementKind::kWrap) site(node.frame);
  }
  for (const WrapNode& w : c.wraps) {
    if (w.hint == HintKind::kSite) site(w.hint_site);
    w.at_site ? site(w.frame) : put(Geom(w.frame), w.frame, geom_pos_, geom_rot_);
  }
  Bodies bodies{};
  bodies.site_pos = site_pos_.data();
  bodies.site_rot = site_rot_.data();
  bodies.geom_pos = geom_pos_.data();
  bodies.geom_rot = geom_rot_.data();
  bodies.geom_size = m_->geom_size;
  bodies.coordinate = bodies.home_coordinate = m_->qpos0;
  return bodies;
}

Surface HomeSurface(const mjModel* m, const CableConfig& c, const ElementConfig& e,
                    const Home& home) {
  Surface s = ShapeOf(m, c, e);
  const Pose pose = home.Of(e);
  s.pos = pose.pos;
  s.rot = pose.rot;
  return s;
}

WrapNode PrepareWrap(const mjModel* m, const CableConfig& c, const ElementConfig& e) {
  WrapNode node{{}, e.ring, e.object, e.hint, e.hint_site, e.hint_point, e.rounding, e.hinges};
  Wrap& wrap = node.wrap;
  wrap.surface = ShapeOf(m, c, e);
  wrap.permanent = e.permanent;
  wrap.endless = e.endless;
  wrap.guided = e.guided;
  wrap.bearing = e.bearing;
  wrap.bearings = e.bearings;
  wrap.turns = e.turns;
  wrap.has_hint = e.hint != HintKind::kNone;
  wrap.follows_hinges = !e.hinges.empty();
  return node;
}

}  // namespace mujocable
