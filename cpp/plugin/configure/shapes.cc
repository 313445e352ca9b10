// Shapes of the surfaces of a route, and where everything stands at qpos0.

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/pose.h"
#include "core/surface/groove.h"
#include "plugin/configure/build.h"

namespace mujocable {
namespace {

// depth of a groove that is not given, in radii of the wheel. Chosen: holds a fleet angle of 24
// degrees at the edge; test_grooves would notice.
constexpr double kGrooveDepth = 0.1;

Pose LocalPose(const mjtNum* pos, const mjtNum* quat) {
  Pose pose;
  pose.pos = Load(pos);
  mju_quat2Mat(pose.rot.m, quat);
  return pose;
}

// what a geom is to a cable, from mjGEOM_SPHERE on
constexpr SurfaceKind kGeomKinds[] = {SurfaceKind::kSphere,    SurfaceKind::kCapsule,
                                      SurfaceKind::kEllipsoid, SurfaceKind::kCylinder,
                                      SurfaceKind::kBox,       SurfaceKind::kMesh};
static_assert(std::size(kGeomKinds) == mjGEOM_MESH - mjGEOM_SPHERE + 1);

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
  if (e.ring) {
    s.kind = SurfaceKind::kTorus;
    s.radius = e.ring_tube + cable_radius;
    s.size[0] = e.ring_radius;
    return;
  }
  s.kind = kGeomKinds[m->geom_type[e.frame] - mjGEOM_SPHERE];
  if (s.kind == SurfaceKind::kEllipsoid) s.offset = cable_radius;
  if (s.kind == SurfaceKind::kBox) s.radius = e.rounding + cable_radius;
  if (s.mesh) {
    s.radius = s.mesh->radius;
    s.size[0] = s.mesh->extent;
  }
  SetSizes(m->geom_size + 3 * e.frame, cable_radius, e.rounding, s);
  if (e.grooved) {
    const double depth = e.groove > 0 ? e.groove : kGrooveDepth * s.radius;
    s.size[0] = s.radius + depth;
    // at the edge a V is this wide; a round groove as wide as it is deep
    s.size[1] = depth * (e.half_angle > 0 ? std::tan(e.half_angle) : 1);
  }
}

}  // namespace mujocable
