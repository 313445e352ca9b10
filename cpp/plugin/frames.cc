#include "frames.h"

#include <algorithm>

#include "core/wrench.h"

namespace mujocable {
namespace {

Pose LocalPose(const mjtNum* pos, const mjtNum* quat) {
  Pose pose;
  pose.pos = Load(pos);
  mju_quat2Mat(pose.rot.m, quat);
  return pose;
}

void CopyRotation(Mat3& rot, const mjtNum* xmat) { std::copy(xmat, xmat + 9, rot.m); }

// kind and sizes of a surface; the cable's center runs on the parallel surface at its radius
void SetShape(const mjModel* m, const CableConfig& c, const ElementConfig& e, Surface& s) {
  s.half_length = s.offset = 0;
  s.mesh = nullptr;
  s.size[0] = s.size[1] = s.size[2] = 0;
  if (e.ring) {
    s.kind = SurfaceKind::kTorus;
    s.radius = e.ring_tube + c.radius;
    s.size[0] = e.ring_radius;
    return;
  }
  const mjtNum* size = m->geom_size + 3 * e.object;
  s.radius = size[0] + c.radius;
  switch (m->geom_type[e.object]) {
    case mjGEOM_CYLINDER:
      s.kind = SurfaceKind::kCylinder;
      s.half_length = size[1];
      break;
    case mjGEOM_ELLIPSOID:
      s.kind = SurfaceKind::kEllipsoid;
      std::copy(size, size + 3, s.size);
      s.radius = std::min({size[0], size[1], size[2]}) + c.radius;
      s.offset = c.radius;
      break;
    case mjGEOM_CAPSULE:
      s.kind = SurfaceKind::kCapsule;
      s.size[2] = size[1];
      break;
    case mjGEOM_BOX:
      // rounded edges stay inside the geom; a sharp box is rounded by the cable alone
      s.kind = SurfaceKind::kBox;
      s.radius = e.rounding + c.radius;
      for (int i = 0; i < 3; ++i) s.size[i] = size[i] - e.rounding;
      break;
    case mjGEOM_MESH:
      s.kind = SurfaceKind::kMesh;
      s.mesh = e.mesh;
      s.radius = e.mesh->radius;
      s.size[0] = e.mesh->extent;
      break;
    default:
      s.kind = SurfaceKind::kSphere;
  }
}

// what does not depend on the pose, into memory that holds nothing yet
void SetWrap(const mjModel* m, const CableConfig& c, const ElementConfig& e, Wrap& wrap) {
  SetShape(m, c, e, wrap.surface);
  wrap.permanent = e.permanent;
  wrap.guided = e.guided;
  wrap.member = e.member;
  wrap.members = e.members;
  wrap.turns = e.turns;
  wrap.has_hint = e.hint != HintKind::kNone;
  wrap.follows_hinges = !e.hinges.empty();
  wrap.bias = 0;
}

}  // namespace

Pose Compose(const Pose& parent, const Pose& child) {
  Pose pose;
  pose.pos = parent.pos + Rotate(parent.rot, child.pos);
  mju_mulMatMat(pose.rot.m, parent.rot.m, child.rot.m, 3, 3, 3);
  return pose;
}

Pose LocalGeom(const mjModel* m, int geom) {
  return LocalPose(m->geom_pos + 3 * geom, m->geom_quat + 4 * geom);
}

std::vector<Pose> HomePoses(const mjModel* m) {
  // at qpos0 every joint is at its reference, so the frames simply chain
  std::vector<Pose> poses(m->nbody);
  for (int b = 1; b < m->nbody; ++b) {
    poses[b] =
        Compose(poses[m->body_parentid[b]], LocalPose(m->body_pos + 3 * b, m->body_quat + 4 * b));
  }
  return poses;
}

Surface HomeSurface(const mjModel* m, const CableConfig& c, const ElementConfig& e,
                    const std::vector<Pose>& home) {
  Surface s;
  SetShape(m, c, e, s);
  const Pose local = e.ring ? LocalPose(m->site_pos + 3 * e.object, m->site_quat + 4 * e.object)
                            : LocalGeom(m, e.object);
  const Pose pose = Compose(home[e.body], local);
  s.pos = pose.pos;
  s.rot = pose.rot;
  return s;
}

void PoseAtHome(const mjModel* m, const CableConfig& c, const std::vector<Pose>& home, Wrap* wraps,
                Element* elements) {
  const auto site = [&](int id) {
    const int body = m->site_bodyid[id];
    return home[body].pos + Rotate(home[body].rot, Load(m->site_pos + 3 * id));
  };
  for (size_t i = 0; i < c.elements.size(); ++i) {
    const ElementConfig& e = c.elements[i];
    if (e.kind != ElementKind::kWrap) {
      elements[i] = {e.kind, e.clamp_before, e.clamp_after, nullptr, site(e.object)};
      continue;
    }
    Wrap& wrap = *wraps++;
    SetWrap(m, c, e, wrap);
    elements[i] = {e.kind, false, false, &wrap, {}};
    wrap.surface = HomeSurface(m, c, e, home);
    const Surface& s = wrap.surface;
    if (e.hint == HintKind::kSite) wrap.hint = site(e.hint_site);
    if (e.hint == HintKind::kPoint) wrap.hint = s.pos + Rotate(s.rot, e.hint_point);
  }
}

void PoseElements(const mjModel* m, const mjData* d, const CableConfig& c, Wrap* wraps,
                  Element* elements) {
  const int n = static_cast<int>(c.nodes.size());
  for (int i = 0; i < n; ++i) {
    const Node& node = c.nodes[i];
    if (node.kind != ElementKind::kWrap) {
      elements[i] = {node.kind, node.clamp_before, node.clamp_after, nullptr,
                     Load(d->site_xpos + 3 * node.object)};
      continue;
    }
    const ElementConfig& e = c.elements[i];
    Wrap& wrap = *wraps++;
    SetWrap(m, c, e, wrap);
    elements[i] = {node.kind, false, false, &wrap, {}};
    Surface& s = wrap.surface;
    s.pos = Load((e.ring ? d->site_xpos : d->geom_xpos) + 3 * e.object);
    CopyRotation(s.rot, (e.ring ? d->site_xmat : d->geom_xmat) + 9 * e.object);
    if (e.hint == HintKind::kSite) wrap.hint = Load(d->site_xpos + 3 * e.hint_site);
    if (e.hint == HintKind::kPoint) wrap.hint = s.pos + Rotate(s.rot, e.hint_point);
    for (const Hinge& h : e.hinges) wrap.bias += h.sign * (d->qpos[h.qpos] - m->qpos0[h.qpos]);
  }
}

namespace {

// leaves first: projects the wrench of each body on its dofs and hands the rest to the parent
void Project(const mjModel* m, const mjData* d, const CableConfig& c, Wrench* wrench,
             double* load) {
  for (int s = static_cast<int>(c.slots.size()) - 1; s >= 0; --s) {
    const BodySlot& body = c.slots[s];
    const int ndof = m->body_dofnum[body.body];
    for (int k = 0; k < ndof; ++k) {
      const mjtNum* cdof = d->cdof + 6 * c.dofs[body.first_dof + k];
      load[body.first_dof + k] =
          Dot(Load(cdof), wrench[s].moment) + Dot(Load(cdof + 3), wrench[s].force);
    }
    if (body.parent >= 0) {
      wrench[body.parent].force += wrench[s].force;
      wrench[body.parent].moment += wrench[s].moment;
    }
  }
}

// reference points of the wrenches
Vec3* TakeCenters(const mjModel* m, const mjData* d, const CableConfig& c, Scratch& scratch) {
  const size_t nslot = c.slots.size();
  Vec3* about = scratch.Take<Vec3>(nslot);
  for (size_t s = 0; s < nslot; ++s) {
    about[s] = Load(d->subtree_com + 3 * m->body_rootid[c.slots[s].body]);
  }
  return about;
}

}  // namespace

void GeneralizedLoad(const mjModel* m, const mjData* d, const CableConfig& c, const Record& record,
                     Scratch& scratch, double* load) {
  const size_t nslot = c.slots.size();
  Wrench* wrench = scratch.Take<Wrench>(nslot);
  std::fill(wrench, wrench + nslot, Wrench{});
  const Vec3* about = TakeCenters(m, d, c, scratch);
  AddLoads(record, c.slot_of_element.data(), about, wrench);
  Project(m, d, c, wrench, load);
}

void GrowthGradients(const mjModel* m, const mjData* d, const CableConfig& c, const Record& record,
                     const int* contact, int count, Scratch& scratch, double* rows) {
  const size_t nslot = c.slots.size(), ndof = c.dofs.size();
  Wrench* wrench = scratch.Take<Wrench>(nslot);
  Wrench* passed_on = scratch.Take<Wrench>(nslot);
  std::fill(wrench, wrench + nslot, Wrench{});
  const Vec3* about = TakeCenters(m, d, c, scratch);
  const auto push = [&](int element, const Vec3& force, const Vec3& point) {
    const int slot = c.slot_of_element[element];
    if (slot >= 0) AddForce(wrench[slot], force, point, about[slot]);
  };
  // a segment that grows moves its ends apart; from the distal end, one segment after the other
  const int n = record.ncontact;
  push(n + 1, record.Direction(n), Load(record.ends + 3));
  for (int i = n - 1; i >= 0 && count > 0; --i) {
    if (!record.Touching(i)) continue;
    push(i + 1, -record.Direction(i + 1), record.Exit(i));
    if (i == contact[count - 1]) {
      --count;
      std::copy(wrench, wrench + nslot, passed_on);
      Project(m, d, c, passed_on, rows + count * ndof);
    }
    push(i + 1, record.Direction(i), record.Entry(i));
  }
}

}  // namespace mujocable
