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
  switch (m->geom_type[e.frame]) {
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

Bodies Home::View(const CableConfig& c) {
  site_pos_.resize(3 * m_->nsite);
  site_rot_.resize(9 * m_->nsite);
  geom_pos_.resize(3 * m_->ngeom);
  geom_rot_.resize(9 * m_->ngeom);
  const auto put = [](const Pose& pose, int i, std::vector<double>& pos, std::vector<double>& rot) {
    Store(pos.data() + 3 * i, pose.pos);
    std::copy_n(pose.rot.m, 9, rot.data() + 9 * i);
  };
  const auto site = [&](int i) { put(Site(i), i, site_pos_, site_rot_); };
  for (const ElementConfig& e : c.elements) {
    if (e.side == HintKind::kSite) site(e.hint_site);
    e.OnGeom() ? put(Geom(e.frame), e.frame, geom_pos_, geom_rot_) : site(e.frame);
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

void SetShape(const mjModel* m, double cable_radius, ElementConfig& e) {
  Surface& s = e.surface;
  s.kind = KindOf(m, e);
  switch (s.kind) {
    case SurfaceKind::kTorus:
      s.radius = e.ring_tube + cable_radius;
      s.size[0] = e.ring_radius;
      break;
    case SurfaceKind::kMesh:
      s.radius = s.mesh->radius;
      s.size[0] = s.mesh->extent;
      break;
    case SurfaceKind::kEllipsoid:
      s.offset = cable_radius;
      break;
    case SurfaceKind::kBox:
      s.radius = e.rounding + cable_radius;
      break;
    default:
      break;
  }
  if (!e.ring) SetSizes(m->geom_size + 3 * e.frame, cable_radius, e.rounding, s);
  if (e.grooved) {
    const double depth = e.groove > 0 ? e.groove : kGrooveDepth * s.radius;
    s.size[0] = s.radius + depth;
    // at the edge a V is this wide; a round groove as wide as it is deep
    s.size[1] = depth * (e.half_angle > 0 ? std::tan(e.half_angle) : 1);
  }
}

}  // namespace mujocable
