#include "plugin/configure/route_home.h"

#include <algorithm>
#include <cmath>

#include "core/path/search/solve.h"
#include "core/pose.h"
#include "core/state.h"
#include "plugin/configure/route_config.h"
#include "plugin/configure/shapes.h"
#include "plugin/configure/words.h"

namespace mujocable {
namespace {

// how deep below the surface an anchor of a drum may sit, or any end at qpos0, in radii. Chosen: a
// site that was meant to lie on the surface, not one that was put into the wrong body.
constexpr double kDrumDepth = 0.05;

// a side site deeper than this is meant to be inside, which only cylinder and sphere have, in radii
constexpr double kInsideWrap = 0.2;

// hinges coaxial with a cylinder between the bodies of its neighbors
void FindHinges(const mjModel* m, const std::vector<Pose>& home, CableConfig& c) {
  for (size_t i = 1; i + 1 < c.elements.size(); ++i) {
    ElementConfig& e = c.elements[i];
    if (e.kind != ElementKind::kWrap || e.ring || m->geom_type[e.object] != mjGEOM_CYLINDER)
      continue;
    const Pose geom = Compose(home[e.body], LocalGeom(m, e.object));
    const Vec3 axis = geom.rot.Column(2);
    const int bodies[2] = {c.elements[i - 1].body, c.elements[i + 1].body};
    std::vector<int> chain[2];
    for (int side = 0; side < 2; ++side) {
      for (int b = bodies[side]; b > 0; b = m->body_parentid[b]) chain[side].push_back(b);
    }
    for (int side = 0; side < 2; ++side) {
      for (int b : chain[side]) {
        const std::vector<int>& other = chain[1 - side];
        if (std::find(other.begin(), other.end(), b) != other.end()) break;
        for (int j = m->body_jntadr[b]; j < m->body_jntadr[b] + m->body_jntnum[b]; ++j) {
          if (m->jnt_type[j] != mjJNT_HINGE) continue;
          const Vec3 joint_axis = Rotate(home[b].rot, Load(m->jnt_axis + 3 * j));
          const Vec3 offset =
              home[b].pos + Rotate(home[b].rot, Load(m->jnt_pos + 3 * j)) - geom.pos;
          const double along = Dot(joint_axis, axis);
          const double apart = Norm(offset - Dot(offset, axis) * axis);
          if (std::abs(along) < 1 - 1e-6 || apart > 0.5 * m->geom_size[3 * e.object]) continue;
          e.hinges.push_back({m->jnt_qposadr[j], (side == 1 ? 1 : -1) * (along > 0 ? 1.0 : -1.0)});
        }
      }
    }
  }
}

// ends and hints against the surfaces, at qpos0
void CheckGeometry(const mjModel* m, const CableConfig& c, const std::vector<Element>& elements) {
  const int n = static_cast<int>(elements.size());
  for (int i = 0; i < n; ++i) {
    const Element& e = elements[i];
    const std::string who = Describe(m, c.elements, i);
    if (e.kind == ElementKind::kWrap) {
      const Wrap& wrap = *e.wrap;
      if (!wrap.has_hint || wrap.surface.inside) continue;
      const double radius = wrap.surface.radius, depth = -Distance(wrap.surface, wrap.hint);
      const bool site = c.elements[i].hint == HintKind::kSite;
      if (wrap.surface.kind == SurfaceKind::kMesh && depth > 1e-3 * radius) {
        throw ConfigError{who + ": the side point lies " + std::to_string(depth) +
                          " m inside the mesh; put it outside, where the cable shall run"};
      }
      if (site && IsSmooth(wrap.surface) && depth > kInsideWrap * radius) {
        throw ConfigError{
            who + ": side site '" + NameOf(m, mjOBJ_SITE, c.elements[i].hint_site) +
            "' lies inside the surface, which asks for an inside wrap; only cylinders and "
            "spheres have these: put the site on the outside"};
      }
      if (depth > (1 - 1e-9) * radius) {
        throw ConfigError{
            who + ": the side point lies on the axis or at the center and points to no side"};
      }
      continue;
    }
    // wraps of the spans that meet here
    for (int step : {-1, 1}) {
      for (int j = i + step; j >= 0 && j < n && elements[j].kind == ElementKind::kWrap; j += step) {
        const Surface& s = elements[j].wrap->surface;
        if (s.inside) continue;
        const double depth = -Distance(s, e.pos);
        if (depth <= kDrumDepth * s.radius + c.radius) continue;
        throw ConfigError{who + " lies " + std::to_string(depth) + " m inside the surface of " +
                          Describe(m, c.elements, j) + " (radius " + std::to_string(s.radius) +
                          " m with the cable); move it outside"};
      }
    }
  }
}

// the two ends of a sheath are no further apart than it is long
void CheckSheaths(const mjModel* m, const CableConfig& c, const std::vector<Element>& elements) {
  for (size_t i = 0; i < elements.size(); ++i) {
    if (elements[i].kind != ElementKind::kSheath) continue;
    const double apart = Norm(elements[i + 1].pos - elements[i].pos);
    if (apart <= elements[i].sheath->length) continue;
    throw ConfigError{Describe(m, c.elements, static_cast<int>(i)) + ": its ends are " +
                      std::to_string(apart) + " m apart at qpos0, further than its length, " +
                      std::to_string(elements[i].sheath->length) +
                      " m; give it at least that length"};
  }
}

// a path with smaller kinks is taut: where it is refused, it is no shortest one           [rad]
constexpr double kTaut = 1e-3;

// the surfaces that a path bears on and may slip off, by name; "" when there is none
std::string SlipperySurfaces(const mjModel* m, const CableConfig& c, const Record& record) {
  std::vector<std::string> names;
  for (int i = 0; i < c.ncontact; ++i) {
    const ElementConfig& e = c.elements[i + 1];
    if (e.kind != ElementKind::kWrap || e.ring || !record.Touching(i)) continue;
    if (m->geom_type[e.object] == mjGEOM_CYLINDER) continue;
    names.push_back(Describe(m, c.elements, i + 1));
  }
  return names.empty() ? "" : Listed(names, names.size());
}

// the wraps that the path at home has left, by name
std::string LeftWheels(const mjModel* m, const CableConfig& c, const Record& record) {
  std::vector<std::string> names;
  int slot = 0;
  for (int i = 0; i < c.ncontact; ++i) {
    const ElementConfig& e = c.elements[i + 1];
    if (e.kind == ElementKind::kSheath) ++slot;
    if (e.kind != ElementKind::kWrap) continue;
    const WrapMemory memory = LoadMemory(record.memory() + kWrapMemory * slot);
    if (memory.released == Release::kDerailed) names.push_back(Describe(m, c.elements, i + 1));
    slot += e.ring ? kRingSlots : 1;
  }
  return Listed(names, names.size());
}

// rings without a side whose hole a path does not go through, by name; "" when there is none
std::string MissedHoles(const mjModel* m, const CableConfig& c,
                        const std::vector<Element>& elements, const Record& record) {
  std::vector<Vec3> path(10000);
  const int count = SamplePath(elements.data(), record, 0.1, path.data(), 10000);
  path.resize(std::min<size_t>(count, path.size()));
  std::vector<std::string> names;
  for (size_t i = 0; i < elements.size(); ++i) {
    if (!c.elements[i].ring || c.elements[i].hint != HintKind::kNone) continue;
    int passes = 0;
    for (size_t k = 1; k < path.size(); ++k) {
      passes += RingPasses(elements[i].wrap->surface, path[k - 1], path[k]);
    }
    if (passes == 0) names.push_back(Describe(m, c.elements, static_cast<int>(i)));
  }
  return names.empty() ? "" : Listed(names, names.size());
}

// what a step asks of the elements
void MakeNodes(const mjModel* m, CableConfig& c) {
  for (size_t i = 0; i < c.elements.size(); ++i) {
    const ElementConfig& e = c.elements[i];
    if (i > 0 && i + 1 < c.elements.size()) c.mu.push_back(e.friction);
    const bool moves = c.slot_of_element[i] >= 0;  // MuJoCo gives mocap bodies no velocity
    c.nodes.push_back(
        {e.kind, e.clamp_before, e.clamp_after, moves, e.object, e.body, m->body_rootid[e.body]});
    if (e.kind == ElementKind::kWrap) c.wraps.push_back(PrepareWrap(m, c, e));
    if (e.kind == ElementKind::kSheath) {
      c.sheaths.push_back({e.length, e.bend, e.object, c.elements[i + 1].object});
    }
  }
}

}  // namespace

// route at qpos0: home length and the memory a reset starts from
void RouteHome(const mjModel* m, CableConfig& c) {
  const std::vector<Pose> home = HomePoses(m);
  FindHinges(m, home, c);
  // both walls of a V groove press on the cable
  for (ElementConfig& e : c.elements) {
    if (e.half_angle > 0) e.friction /= std::sin(e.half_angle);
  }
  MakeNodes(m, c);
  std::vector<Element> elements(c.nodes.size());
  std::vector<Wrap> wraps(c.wraps.size());
  std::vector<Sheath> sheaths(c.sheaths.size());
  const HomeBodies bodies(m, c, home);
  PoseElements(c, bodies.View(), wraps.data(), sheaths.data(), elements.data());
  CheckSheaths(m, c, elements);
  CheckGeometry(m, c, elements);
  std::vector<double> block(RecordSize(c.ncontact, c.nwrap));
  Record record = Record{block.data(), c.ncontact, c.nwrap};
  SolveRoute(elements.data(), static_cast<int>(elements.size()), nullptr, Start::kAuthored,
             c.limits, record);
  const bool kept = record.status() == static_cast<double>(SolveStatus::kKept);
  double most = 0;
  for (const Wrap& wrap : wraps) most = std::max(most, 1e-6 * wrap.surface.radius);
  if (c.limits.penetration >= 0) most = c.limits.penetration;
  const bool taut = kept && record.smoothness() < kTaut && record.penetration() <= most;
  const std::string missed = taut ? MissedHoles(m, c, elements, record) : "";
  if (!missed.empty()) {
    throw ConfigError{"the route cannot start: at qpos0 no path was found through the hole of " +
                      missed +
                      "; give side= a point on the rim where it shall bear, or lead the cable to "
                      "the hole with an eyelet"};
  }
  const std::string slippery = taut ? SlipperySurfaces(m, c, record) : "";
  if (!slippery.empty()) {
    throw ConfigError{"the route cannot start: at qpos0 the cable is taut but balances on " +
                      slippery +
                      ", ready to slip off to either side; give side= a point a little to the side "
                      "where it shall lie"};
  }
  if (record.status() == static_cast<double>(SolveStatus::kDerailed)) {
    throw ConfigError{
        "the route cannot start: at qpos0 the cable does not stay on " + LeftWheels(m, c, record) +
        ": it leads further aside than the flanges of the groove hold, or lies beyond "
        "the end of the cylinder; lead it there with an eyelet, make the groove deeper "
        "or the cylinder longer, or say permanent (a keeper) or endless"};
  }
  const bool let_go = record.status() == static_cast<double>(SolveStatus::kLetGo);
  if (record.status() != 0 && !let_go) {
    throw ConfigError{"the route cannot start: no valid path at qpos0 (largest kink " +
                      std::to_string(record.smoothness()) + " rad, deepest cut into a surface " +
                      std::to_string(record.penetration()) +
                      " m); check order, sides and overlapping surfaces"};
  }
  c.axial.home_length = record.length();
  c.memory.assign(record.memory(), record.memory() + kWrapMemory * c.nwrap);
}

}  // namespace mujocable
