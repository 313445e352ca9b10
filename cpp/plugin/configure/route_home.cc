// The path at qpos0: whether the route can start, and what the solver remembers of it.

#include <algorithm>
#include <cmath>

#include "core/path/search/solve.h"
#include "core/path/verdict.h"
#include "core/pose.h"
#include "core/state.h"
#include "plugin/ask.h"
#include "plugin/configure/build.h"
#include "plugin/configure/words.h"

namespace mujocable {
namespace {

// how deep below the surface an anchor of a drum may sit, or any end at qpos0, in radii. Chosen: a
// site that was meant to lie on the surface, not one that was put into the wrong body.
constexpr double kDrumDepth = 0.05;

// a side point on the surface, written with few digits; on the axis, which is on no side; in radii
constexpr double kSideOnSurface = 1e-3, kOnAxis = 1e-9;

// a side site deeper than this is meant to be inside, which only cylinder and sphere have, in radii
constexpr double kMeantInside = 0.2;

// A hinge winds the cable where its axis is that of the cylinder, but for digits that were not
// written (1 - cosine of the angle between them), and passes within this many radii of it. Chosen:
// where a drum is, no other hinge has its axis; test_drum would notice.
constexpr double kCoaxial = 1e-6, kConcentric = 0.5;

// hinges coaxial with a cylinder between the bodies of its neighbors
void FindHinges(const mjModel* m, const Home& home, CableConfig& c) {
  for (size_t i = 1; i + 1 < c.elements.size(); ++i) {
    ElementConfig& e = c.elements[i];
    if (!e.OnGeom() || m->geom_type[e.frame] != mjGEOM_CYLINDER) continue;
    const Pose geom = home.Of(e);
    const Vec3 axis = geom.rot.Column(2);
    const int bodies[2] = {c.elements[i - 1].body, c.elements[i + 1].body};
    for (int side = 0; side < 2; ++side) {
      for (int b = bodies[side]; !Carries(m, b, bodies[1 - side]); b = m->body_parentid[b]) {
        const Pose& body = home.Body(b);
        for (int j = m->body_jntadr[b]; j < m->body_jntadr[b] + m->body_jntnum[b]; ++j) {
          if (m->jnt_type[j] != mjJNT_HINGE) continue;
          const double along = Dot(Rotate(body.rot, Load(m->jnt_axis + 3 * j)), axis);
          const Vec3 offset = body.pos + Rotate(body.rot, Load(m->jnt_pos + 3 * j)) - geom.pos;
          const double apart = Norm(offset - Dot(offset, axis) * axis);
          if (std::abs(along) < 1 - kCoaxial) continue;
          if (apart > kConcentric * m->geom_size[3 * e.frame]) continue;
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
    const std::string who = Describe(m, c.elements[i]);
    if (e.kind == ElementKind::kWrap) {
      const Wrap& wrap = *e.wrap;
      if (!wrap.has_hint || wrap.surface.inside) continue;
      const double radius = wrap.surface.radius, depth = -Distance(wrap.surface, wrap.hint);
      const bool site = c.elements[i].side == HintKind::kSite;
      if (wrap.surface.kind == SurfaceKind::kMesh && depth > kSideOnSurface * radius) {
        Refuse(who, ": the side point lies ", depth,
               " m inside the mesh; put it outside, where the cable shall run");
      }
      if (site && IsSmooth(wrap.surface) && depth > kMeantInside * radius) {
        Refuse(who, ": side site '", NameOf(m, mjOBJ_SITE, c.elements[i].hint_site),
               "' lies inside the surface, which asks for an inside wrap; only cylinders and "
               "spheres have these: put the site on the outside");
      }
      if (depth > (1 - kOnAxis) * radius) {
        Refuse(who, ": the side point lies on the axis or at the center and points to no side");
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
        Refuse(who, " lies ", depth, " m inside the surface of ", Describe(m, c.elements[j]),
               " (radius ", s.radius, " m with the cable); move it outside");
      }
    }
  }
}

// the two ends of a sheath are no further apart than it is long, but for the rounding of poses
void CheckSheaths(const mjModel* m, const CableConfig& c, const std::vector<Element>& elements) {
  constexpr double kRounding = 1e-9;  // far above that, and below any length that is meant
  for (size_t i = 0; i < elements.size(); ++i) {
    if (elements[i].kind != ElementKind::kSheath) continue;
    const double apart = Norm(elements[i + 1].pos - elements[i].pos);
    if (apart <= (1 + kRounding) * elements[i].sheath->length) continue;
    Refuse(Describe(m, c.elements[i]), ": its ends are ", apart,
           " m apart at qpos0, further than its length, ", elements[i].sheath->length,
           " m; give it at least that length");
  }
}

// the elements that are `wanted`, by name; "" when there are none
template <typename Wanted>
std::string Named(const mjModel* m, const CableConfig& c, const Wanted& wanted) {
  std::vector<std::string> names;
  for (int i = 0; i < static_cast<int>(c.elements.size()); ++i) {
    if (wanted(i, c.elements[i])) names.push_back(Describe(m, c.elements[i]));
  }
  return names.empty() ? "" : Listed(names, names.size());
}

// surfaces that a path bears on and may slip off
std::string SlipperySurfaces(const mjModel* m, const CableConfig& c, const Record& record) {
  return Named(m, c, [&](int i, const ElementConfig& e) {
    return e.OnGeom() && record.Touching(i - 1) && m->geom_type[e.frame] != mjGEOM_CYLINDER;
  });
}

// meshes that a path may have to bear on in more places than it is allowed to
std::string BridgedMeshes(const mjModel* m, const CableConfig& c, const Record& record) {
  return Named(m, c, [&](int i, const ElementConfig& e) {
    return e.surface.mesh && !e.guided && e.bearing == e.bearings - 1 && record.Touching(i - 1);
  });
}

// two cylinders in a row, one within the other as seen along their axes: no string is tangent to
// both
std::string NestedCylinders(const mjModel* m, const CableConfig& c,
                            const std::vector<Element>& elements) {
  for (size_t i = 1; i < elements.size(); ++i) {
    if (elements[i - 1].kind != ElementKind::kWrap || elements[i].kind != ElementKind::kWrap)
      continue;
    const Surface &a = elements[i - 1].wrap->surface, &b = elements[i].wrap->surface;
    if (a.kind != SurfaceKind::kCylinder || b.kind != SurfaceKind::kCylinder) continue;
    const Vec3 axis = a.rot.Column(2), offset = b.pos - a.pos;
    if (std::abs(Dot(axis, b.rot.Column(2))) < 1 - kCoaxial) continue;
    const double apart = Norm(offset - Dot(offset, axis) * axis);
    if (apart > std::abs(a.radius - b.radius) + kSideOnSurface * a.radius) continue;
    return Describe(m, c.elements[i - 1]) + " and " + Describe(m, c.elements[i]);
  }
  return "";
}

// wraps that the path at home has left
std::string LeftWheels(const mjModel* m, const CableConfig& c, const Record& record) {
  const double* next = record.memory();
  return Named(m, c, [&](int i, const ElementConfig& e) {
    const double* memory = next;
    next += kWrapMemory * e.MemoryRows();
    return e.IsWrap() && (LoadMemory(memory).released == Release::kDerailed ||
                          i - 1 == static_cast<int>(record.status_contact()));
  });
}

// rings without a side whose hole a path does not go through
std::string MissedHoles(const mjModel* m, const CableConfig& c,
                        const std::vector<Element>& elements, const Record& record) {
  // coarse: whether it goes through the hole does not hang on a tenth of a radian
  const double step = 0.1;
  std::vector<Vec3> path(SamplePath(elements.data(), record, step, nullptr, 0));
  SamplePath(elements.data(), record, step, path.data(), static_cast<int>(path.size()));
  return Named(m, c, [&](int i, const ElementConfig& e) {
    if (!e.ring || e.side != HintKind::kNone) return false;
    int passes = 0;
    for (size_t k = 1; k < path.size(); ++k) {
      passes += RingPasses(elements[i].wrap->surface, path[k - 1], path[k]);
    }
    return passes == 0;
  });
}

// a path with smaller kinks is taut: where it is refused, it is no shortest one           [rad]
constexpr double kTaut = 1e-3;

// refuses a route whose path at qpos0 is not one to start from, and says why it is not
void CheckStart(const mjModel* m, const CableConfig& c, const std::vector<Element>& elements,
                const Record& record) {
  const auto status = static_cast<SolveStatus>(static_cast<int>(record.status()));
  if (status == SolveStatus::kValid || status == SolveStatus::kLetGo) return;
  double most = 0;
  for (const Element& e : elements) {
    if (e.kind == ElementKind::kWrap) most = std::max(most, Allowed(c.limits, e.wrap->surface));
  }
  if (status == SolveStatus::kKept && record.smoothness() < kTaut && record.penetration() <= most) {
    const std::string missed = MissedHoles(m, c, elements, record);
    if (!missed.empty()) {
      Refuse("the route cannot start: at qpos0 no path was found through the hole of ", missed,
             "; give side= a point on the rim where it shall bear, or lead the cable to the hole "
             "with an eyelet");
    }
    const std::string slippery = SlipperySurfaces(m, c, record);
    if (!slippery.empty()) {
      Refuse("the route cannot start: at qpos0 the cable is taut but balances on ", slippery,
             ", ready to slip off to either side; give side= a point a little to the side where it "
             "shall lie");
    }
  }
  const std::string nested = NestedCylinders(m, c, elements);
  if (!nested.empty()) {
    Refuse(
        "the route cannot start: no string runs between ", nested,
        ": seen along their axes neither stands beside the other; lead the cable from one to the "
        "other with an eyelet between them");
  }
  if (status == SolveStatus::kDerailed) {
    Refuse("the route cannot start: at qpos0 the cable does not stay on ", LeftWheels(m, c, record),
           ": it leads further aside than the flanges of the groove hold, or lies beyond the end "
           "of the cylinder; lead it there with an eyelet, make the groove deeper or the cylinder "
           "longer, or say permanent (a keeper) or endless");
  }
  const std::string bridged = record.penetration() > most ? BridgedMeshes(m, c, record) : "";
  Refuse(
      "the route cannot start: no valid path at qpos0 (largest kink ", record.smoothness(),
      " rad, deepest cut into a surface ", record.penetration(), " m); ",
      (bridged.empty() ? ""
                       : "over a hollow a string bears on " + bridged +
                             " in several places: give it more contacts=, or mode=guided; else "),
      "check order, sides and overlapping surfaces");
}

// what a step asks of the elements
void MakeNodes(const mjModel* m, CableConfig& c) {
  for (size_t i = 0; i < c.elements.size(); ++i) {
    ElementConfig& e = c.elements[i];
    if (i > 0 && i + 1 < c.elements.size()) c.mu.push_back(e.friction);
    e.moves = c.slot_of_element[i] >= 0;  // MuJoCo gives mocap bodies no velocity
    e.root = m->body_rootid[e.body];
    e.has_hint = e.side != HintKind::kNone;
    e.follows_hinges = !e.hinges.empty();
    c.nodes.push_back(e);
    if (e.IsWrap()) c.wraps.push_back(e);
    if (e.kind == ElementKind::kSheath) {
      c.sheaths.push_back({e.length, e.bend, e.frame, c.elements[i + 1].frame});
    }
  }
}

}  // namespace

void RouteHome(const mjModel* m, Home& home, CableConfig& c) {
  FindHinges(m, home, c);
  // both walls of a V groove press on the cable
  for (ElementConfig& e : c.elements) {
    if (e.half_angle > 0) e.friction /= std::sin(e.half_angle);
  }
  MakeNodes(m, c);
  std::vector<Element> elements(c.nodes.size());
  std::vector<Wrap> wraps(c.wraps.size());
  std::vector<Sheath> sheaths(c.sheaths.size());
  PoseElements(c, home.View(c), wraps.data(), sheaths.data(), elements.data());
  CheckSheaths(m, c, elements);
  CheckGeometry(m, c, elements);
  std::vector<double> block(RecordSize(c.ncontact, c.nwrap));
  Record record{block.data(), c.ncontact, c.nwrap};
  SolveRoute(elements.data(), static_cast<int>(elements.size()), nullptr, Start::kAuthored,
             c.limits, record);
  CheckStart(m, c, elements, record);
  c.axial.home_length = record.length();
  c.memory.assign(record.memory(), record.memory() + kWrapMemory * c.nwrap);
}

}  // namespace mujocable
