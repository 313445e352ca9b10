#include "config.h"

#include <algorithm>
#include <cstring>

#include "attributes.h"
#include "core/hole.h"
#include "core/span.h"
#include "core/state.h"
#include "frames.h"
#include "hash.h"
#include "mesh_cache.h"
#include "route_config.h"
#include "slip.h"
#include "words.h"

namespace mujocable {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// how deep below the surface an anchor of a drum may sit, in radii
constexpr double kDrumDepth = 0.05;

// how far above it, for a site that was written with few digits
constexpr double kDrumHeight = 1e-3;

// a side site deeper than this is MuJoCo's way to ask for an inside wrap, in radii
constexpr double kInsideWrap = 0.2;

const Attribute& AttributeOf(const char* key) {
  for (const Attribute& a : kAttributes) {
    if (!std::strcmp(a.key, key)) return a;
  }
  return kAttributes[0];
}

// a number, checked against a lower bound; `fallback` when absent
double ReadNumber(const mjModel* m, int instance, const char* key, double fallback, double lower,
                  bool strict, bool finite = true) {
  const std::string text = ConfigValue(m, instance, key);
  if (text.empty()) return fallback;
  double value;
  const bool ok = Number(text, value) && (!finite || std::isfinite(value)) &&
                  (strict ? value > lower : value >= lower);
  if (!ok) {
    throw ConfigError{std::string(key) + " must be a " + (finite ? "finite " : "") + "number " +
                      AttributeOf(key).accepted + ", got '" + text + "'"};
  }
  return value;
}

// one of a list of words, by position
int ReadChoice(const mjModel* m, int instance, const char* key,
               const std::vector<std::string>& choices) {
  const std::string text = ConfigValue(m, instance, key);
  if (text.empty()) return 0;
  const auto found = std::find(choices.begin(), choices.end(), text);
  if (found == choices.end()) {
    throw ConfigError{std::string(key) + " must be one of " + Listed(choices) + ", got '" + text +
                      "'"};
  }
  return static_cast<int>(found - choices.begin());
}

void CheckRing(const CableConfig& c, const ElementConfig& e, const std::string& who) {
  if (!(e.ring_radius > 0) || !(e.ring_tube > 0)) {
    throw ConfigError{
        who + ": a ring needs radius= (of its center line) and tube= (of its wire), both > 0"};
  }
  if (e.ring_tube + c.radius >= e.ring_radius) {
    throw ConfigError{who + ": no hole is left: tube " + std::to_string(e.ring_tube) +
                      " m and cable radius " + std::to_string(c.radius) +
                      " m together must be smaller than the ring radius " +
                      std::to_string(e.ring_radius) + " m"};
  }
}

// fits the mesh, or says why it cannot be one
void CheckMesh(const mjModel* m, const CableConfig& c, const std::string& who, ElementConfig& e) {
  const int mesh = m->geom_dataid[e.object];
  std::string error = "has no data";
  if (mesh >= 0) e.mesh = CompileMesh(m, mesh, c.radius, e.rounding, error);
  if (!e.mesh) throw ConfigError{who + ": mesh '" + NameOf(m, mjOBJ_MESH, mesh) + "' " + error};
}

void CheckGeom(const mjModel* m, const CableConfig& c, const std::string& who, ElementConfig& e) {
  const int type = m->geom_type[e.object];
  const double* size = m->geom_size + 3 * e.object;
  const bool closed_form = type == mjGEOM_CYLINDER || type == mjGEOM_SPHERE;
  if (!closed_form && type != mjGEOM_ELLIPSOID && type != mjGEOM_CAPSULE && type != mjGEOM_BOX &&
      type != mjGEOM_MESH) {
    const char* name = type == mjGEOM_PLANE    ? "a plane"
                       : type == mjGEOM_HFIELD ? "a height field"
                                               : "another type";
    throw ConfigError{
        who +
        ": a cable can wrap over cylinder, sphere, ellipsoid, capsule, box and mesh geoms, this "
        "is " +
        name};
  }
  if (e.permanent && !closed_form) {
    throw ConfigError{who + ": permanent holds a cable in the groove of a cylinder or sphere only"};
  }
  if (e.turns > 0 && type != mjGEOM_CYLINDER) {
    throw ConfigError{who + ": turns are wound around a cylinder only"};
  }
  if (e.rounding > 0 && type != mjGEOM_BOX && type != mjGEOM_MESH) {
    throw ConfigError{who + ": rounding is for the edges of a box or mesh"};
  }
  if (type == mjGEOM_MESH) {
    CheckMesh(m, c, who, e);
  } else if (e.guided || e.members > 1) {
    throw ConfigError{who + ": mode and contacts are for meshes"};
  }
  if (type == mjGEOM_BOX) {
    const double least = std::min({size[0], size[1], size[2]});
    if (e.rounding > least) {
      throw ConfigError{who + ": rounding " + std::to_string(e.rounding) +
                        " m is more than the least half size of the box, " + std::to_string(least) +
                        " m"};
    }
    if (!(e.rounding + c.radius > 0)) {
      throw ConfigError{who +
                        ": a cable cannot bend around the sharp edges of a box; give the wrap "
                        "rounding=NUMBER or the cable a radius"};
    }
  }
}

void CheckRoute(const mjModel* m, CableConfig& c) {
  const int n = static_cast<int>(c.elements.size());
  if (n < 2)
    throw ConfigError{"a route needs at least two anchors, got " + std::to_string(n) + " elements"};
  if (n > kMaxElements) {
    throw ConfigError{"a route may have " + std::to_string(kMaxElements) + " elements, got " +
                      std::to_string(n)};
  }
  int wraps_in_span = 0;
  for (int i = 0; i < n; ++i) {
    ElementConfig& e = c.elements[i];
    const std::string who = Describe(m, c.elements, i);
    const bool end = i == 0 || i == n - 1;
    if (end != (e.kind == ElementKind::kAnchor)) {
      throw ConfigError{who + ": a route starts and ends with an anchor and has none between"};
    }
    if (e.kind == ElementKind::kWrap) {
      if (e.ring) {
        CheckRing(c, e, who);
        e.body = m->site_bodyid[e.object];
      } else {
        CheckGeom(m, c, who, e);
        e.body = m->geom_bodyid[e.object];
      }
      if (e.mesh && e.member == 0 && i > 0 && c.elements[i - 1].mesh &&
          c.elements[i - 1].object == e.object) {
        throw ConfigError{who +
                          ": the same mesh twice in a row; a cable that bears on it in several "
                          "places is one wrap with contacts=NUMBER"};
      }
      if (++wraps_in_span > kMaxSpanWraps) {
        throw ConfigError{who + ": at most " + std::to_string(kMaxSpanWraps) +
                          " wraps may follow each other without an eyelet between"};
      }
      c.nwrap += e.ring ? kRingSlots : 1;
    } else {
      e.body = m->site_bodyid[e.object];
      wraps_in_span = 0;
      if (i > 0 && c.elements[i - 1].kind != ElementKind::kWrap &&
          c.elements[i - 1].object == e.object) {
        throw ConfigError{who +
                          ": same site as the element before it, the span between has no length"};
      }
    }
  }
  c.ncontact = n - 2;

  // fixed nodes that ride on a neighboring wrap: the cable is clamped to a drum
  const std::vector<Pose> home = HomePoses(m);
  for (int i = 0; i < n; ++i) {
    ElementConfig& e = c.elements[i];
    if (e.kind == ElementKind::kWrap) continue;
    const auto rides = [&](int j) {
      if (j < 0 || j >= n || c.elements[j].kind != ElementKind::kWrap) return false;
      const ElementConfig& wrap = c.elements[j];
      if (m->body_weldid[wrap.body] != m->body_weldid[e.body]) return false;
      // on one body they keep their distance: on the drum, or just beside a fixed surface
      const Surface s = HomeSurface(m, c, wrap, home);
      if (IsSmooth(s)) {
        const Vec3 site =
            home[e.body].pos + Rotate(home[e.body].rot, Load(m->site_pos + 3 * e.object));
        return Distance(s, site) <= kDrumHeight * s.radius;
      }
      const Pose geom = Compose(home[wrap.body], LocalGeom(m, wrap.object));
      const Vec3 site =
          home[e.body].pos + Rotate(home[e.body].rot, Load(m->site_pos + 3 * e.object));
      Vec3 x = Unrotate(geom.rot, site - geom.pos);
      if (m->geom_type[wrap.object] == mjGEOM_CYLINDER) x.z = 0;
      return Norm(x) - c.radius <= (1 + kDrumHeight) * m->geom_size[3 * wrap.object];
    };
    e.clamp_before = rides(i - 1);
    e.clamp_after = rides(i + 1);
  }
}

void ReadFriction(const mjModel* m, int instance, CableConfig& c) {
  const double friction = ReadNumber(m, instance, "friction", 0, 0, false);
  for (size_t i = 0; i < c.elements.size(); ++i) {
    ElementConfig& e = c.elements[i];
    if (e.kind == ElementKind::kAnchor || e.friction_given) continue;
    // on a drum the cable is clamped: it does not slide
    const bool drum =
        (i > 0 && c.elements[i - 1].kind == ElementKind::kAnchor &&
         c.elements[i - 1].clamp_after) ||
        (i + 1 < c.elements.size() && c.elements[i + 1].kind == ElementKind::kAnchor &&
         c.elements[i + 1].clamp_before);
    e.friction = drum ? 0 : friction;
  }
  c.friction.mode = static_cast<FrictionMode>(
      ReadChoice(m, instance, "friction_mode", {"velocity", "forward", "reverse"}));
  c.friction.slip_speed = ReadNumber(m, instance, "slip_speed", 0.01, 0, true);
}

// actuators whose transmission is a tendon
std::vector<int> ActuatorsOf(const mjModel* m, int tendon) {
  std::vector<int> found;
  for (int i = 0; i < m->nactuator; ++i) {
    if (m->actuator_trntype[i] == mjTRN_TENDON && m->actuator_trnid[2 * i] == tendon) {
      found.push_back(i);
    }
  }
  return found;
}

bool IsFirstOn(const mjModel* m, int instance, int tendon) {
  for (int other = 0; other < instance; ++other) {
    if (m->plugin[other] != m->plugin[instance]) continue;
    if (ConfigValue(m, other, "take_up") != "tendon") continue;
    try {
      if (TendonOf(m, other) == tendon) return false;
    } catch (const ConfigError&) {  // refused when it is read itself
    }
  }
  return true;
}

void ReadTendon(const mjModel* m, int instance, CableConfig& c) {
  c.tendon = TendonOf(m, instance);
  if (c.tendon < 0) {
    throw ConfigError{
        "take_up='tendon' needs the tendon: key tendon, or a tendon with prm 4 in the tuple"};
  }
  const std::string who = "tendon '" + NameOf(m, mjOBJ_TENDON, c.tendon) + "'";
  c.share = ReadNumber(m, instance, "share", 1, 0, true);
  c.drives = ActuatorsOf(m, c.tendon);
  for (int a : c.drives) {
    const std::string actuator = who + ": actuator '" + NameOf(m, mjOBJ_ACTUATOR, a) + "'";
    if (m->actuator_plugin[a] >= 0) {
      throw ConfigError{actuator + " is a plugin, its force is not known in time"};
    }
    if (m->actuator_damping[a] != 0 ||
        !mju_isZero(m->actuator_dampingpoly + mjNPOLY * a, mjNPOLY)) {
      throw ConfigError{actuator + " has damping of its own; give it to the tendon"};
    }
  }
  if (m->tendon_plasticadr[c.tendon] >= 0) {
    throw ConfigError{who + " has a spring that yields (springyield), which no cable has"};
  }
  c.first_on_tendon = IsFirstOn(m, instance, c.tendon);
}

void ReadTakeUp(const mjModel* m, int instance, int joint, CableConfig& c) {
  TakeUp& t = c.take_up;
  t.kind = static_cast<TakeUpKind>(ReadChoice(
      m, instance, "take_up",
      {"fixed", "length", "spool_angle", "spool_rate", "spool_joint", "tension", "tendon"}));
  t.lag = ReadNumber(m, instance, "lag", 0, 0, false);
  t.timestep = m->opt.timestep;
  t.follow = FollowRate(t.lag, t.timestep);
  const double limit = ReadNumber(m, instance, "rate_limit", kInfinity, 0, true, false);
  t.rate_limit = std::isfinite(limit) ? limit : 0;
  if (t.Spool()) {
    // a spool that the model turns may be wound either way: antagonists share it
    const double least = t.kind == TakeUpKind::kSpoolJoint ? -kInfinity : 0;
    t.radius = ReadNumber(m, instance, "spool_radius", 0, least, true);
    if (ConfigValue(m, instance, "spool_radius").empty())
      throw ConfigError{"spool_radius is required by this take_up"};
    if (t.radius == 0) throw ConfigError{"spool_radius must not be 0"};
  }

  // the actuator
  int actuators = 0;
  for (int i = 0; i < m->nactuator; ++i) {
    if (m->actuator_plugin[i] != instance) continue;
    c.actuator = i;
    ++actuators;
  }
  if (actuators > 1)
    throw ConfigError{"one actuator may drive a cable, this one has " + std::to_string(actuators)};
  if (t.Commanded() && !actuators) {
    throw ConfigError{"take_up='" + ConfigValue(m, instance, "take_up") +
                      "' needs an actuator with this plugin instance"};
  }
  if (!t.Commanded() && actuators) {
    throw ConfigError{"actuator '" + NameOf(m, mjOBJ_ACTUATOR, c.actuator) +
                      "' drives this cable, but take_up takes no command; accepted: length, "
                      "spool_angle, spool_rate, tension"};
  }
  if (t.Commanded()) {
    const int a = c.actuator;
    const std::string who = "actuator '" + NameOf(m, mjOBJ_ACTUATOR, a) + "'";
    if (m->actuator_trntype[a] != mjTRN_TENDON)
      throw ConfigError{who +
                        ": the transmission must be a spatial tendon, the carrier of the load"};
    const int dyn = m->actuator_dyntype[a];
    const int wanted = t.kind == TakeUpKind::kSpoolRate ? mjDYN_INTEGRATOR
                       : t.Filtered()                   ? mjDYN_FILTER
                                                        : mjDYN_NONE;
    if (dyn != wanted) {
      const char* words = wanted == mjDYN_INTEGRATOR ? "integrator"
                          : wanted == mjDYN_FILTER   ? "filter"
                                                     : "none";
      throw ConfigError{who + ": this take_up needs dyntype=\"" + words + "\""};
    }
  }

  if (t.kind == TakeUpKind::kTendon) ReadTendon(m, instance, c);

  // the physical spool
  if (t.kind == TakeUpKind::kSpoolJoint) {
    const std::string name = ConfigValue(m, instance, "spool_joint");
    if (!name.empty()) joint = FindObject(m, instance, mjOBJ_JOINT, name, "spool_joint");
    if (joint < 0)
      throw ConfigError{
          "take_up='spool_joint' needs the joint: key spool_joint, or a joint with prm 2 in the "
          "tuple"};
    if (m->jnt_type[joint] != mjJNT_HINGE && m->jnt_type[joint] != mjJNT_SLIDE) {
      throw ConfigError{"spool joint '" + NameOf(m, mjOBJ_JOINT, joint) +
                        "' must be a hinge or a slide"};
    }
    c.joint_qpos = m->jnt_qposadr[joint];
    c.joint_dof = m->jnt_dofadr[joint];
    c.joint_reference = m->qpos0[c.joint_qpos];
    for (size_t i = 0; i < c.elements.size(); ++i) {
      const ElementConfig& e = c.elements[i];
      const bool drum = e.kind == ElementKind::kAnchor && (e.clamp_before || e.clamp_after);
      if (!drum) continue;
      for (int body = e.body; body > 0; body = m->body_parentid[body]) {
        if (m->jnt_bodyid[joint] != body) continue;
        throw ConfigError{
            Describe(m, c.elements, static_cast<int>(i)) + " rides on a drum that joint '" +
            NameOf(m, mjOBJ_JOINT, joint) +
            "' turns: the route already winds the cable, counting the joint as take-up would count "
            "it twice; drop the take_up, or the Wrap of the drum"};
      }
    }
  }
}

void ReadAxial(const mjModel* m, int instance, CableConfig& c) {
  AxialParameters& p = c.axial;
  const double stiffness = ReadNumber(m, instance, "stiffness", 0, 0, true);
  const double ea = ReadNumber(m, instance, "EA", 0, 0, true);
  if (!c.take_up.Tension() && (stiffness > 0) == (ea > 0)) {
    throw ConfigError{stiffness > 0 ? "stiffness and EA exclude each other"
                                    : "give stiffness [N/m] or EA [N]"};
  }
  p.damping = ReadNumber(m, instance, "damping", 0, 0, false);
  p.length_rate_only = ReadChoice(m, instance, "damping_rate", {"stretch", "length"}) == 1;
  p.transition = ReadNumber(m, instance, "transition", 0, 0, false);
  p.reserve = ReadNumber(m, instance, "reserve", 0, 0, false);
  p.max_tension = ReadNumber(m, instance, "max_tension", kInfinity, 0, true, false);
  p.home_length = ReadNumber(m, instance, "home_length", p.home_length, 0, true);
  if (!(p.home_length > 0)) throw ConfigError{"the route has no length at qpos0; give home_length"};
  p.stiffness = stiffness > 0 ? stiffness : ea / p.home_length;
  const double force = ReadNumber(m, instance, "pretension", 0, 0, false);
  const double offset = ReadNumber(m, instance, "pretension_offset", 0, -kInfinity, false);
  if (force != 0 && offset != 0)
    throw ConfigError{"pretension and pretension_offset exclude each other"};
  p.pretension = offset;
  if (force > 0 && p.stiffness > 0) {
    p.pretension = p.reserve + StretchFor(force, p.stiffness, p.transition);
  }
}

// moving bodies the cable can load, and their dofs
void CollectBodies(const mjModel* m, CableConfig& c) {
  const auto moving = [&](int body) {
    while (body > 0 && m->body_dofnum[body] == 0) body = m->body_parentid[body];
    return body;
  };
  std::vector<int> bodies;
  for (const ElementConfig& e : c.elements) {
    for (int b = moving(e.body); b > 0; b = moving(m->body_parentid[b])) bodies.push_back(b);
  }
  std::sort(bodies.begin(), bodies.end());
  bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  const auto slot_of = [&](int body) {
    if (body <= 0) return -1;
    return static_cast<int>(std::lower_bound(bodies.begin(), bodies.end(), body) - bodies.begin());
  };
  for (int b : bodies) {
    c.slots.push_back({b, slot_of(moving(m->body_parentid[b])), static_cast<int>(c.dofs.size()),
                       m->body_dofnum[b], m->body_rootid[b]});
    for (int k = 0; k < m->body_dofnum[b]; ++k) c.dofs.push_back(m->body_dofadr[b] + k);
  }
  for (const ElementConfig& e : c.elements) {
    c.slot_of_element.push_back(slot_of(moving(e.body)));
    for (int b = e.body; b > 0; b = m->body_parentid[b]) c.bodies.push_back(b);
  }
  std::sort(c.bodies.begin(), c.bodies.end());
  c.bodies.erase(std::unique(c.bodies.begin(), c.bodies.end()), c.bodies.end());
}

// the carrier must have a column for every dof the cable can load
void CheckCarrier(const mjModel* m, const CableConfig& c) {
  if (!c.Actuated()) return;
  const int tendon = c.actuator >= 0 ? m->actuator_trnid[2 * c.actuator] : c.tendon;
  const int* columns = m->ten_J_colind + m->ten_J_rowadr[tendon];
  std::vector<int> below(c.slots.size(), 0);
  for (int slot : c.slot_of_element) {
    for (int s = slot; s >= 0; s = c.slots[s].parent) ++below[s];
  }
  for (size_t s = 0; s < c.slots.size(); ++s) {
    // a body that carries the whole cable feels nothing of it
    if (below[s] == static_cast<int>(c.elements.size())) continue;
    const int body = c.slots[s].body;
    for (int k = 0; k < m->body_dofnum[body]; ++k) {
      const int dof = m->body_dofadr[body] + k;
      if (std::find(columns, columns + m->ten_J_rownnz[tendon], dof) !=
          columns + m->ten_J_rownnz[tendon])
        continue;
      throw ConfigError{"carrier tendon '" + NameOf(m, mjOBJ_TENDON, tendon) +
                        "' does not reach body '" + NameOf(m, mjOBJ_BODY, body) +
                        "', which the cable can load; add a site of that body, or of one below it, "
                        "to the tendon"};
    }
  }
}

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
      if (!wrap.has_hint) continue;
      const double radius = wrap.surface.radius, depth = -Distance(wrap.surface, wrap.hint);
      const bool site = c.elements[i].hint == HintKind::kSite;
      if (wrap.surface.kind == SurfaceKind::kMesh && depth > 1e-3 * radius) {
        throw ConfigError{who + ": the side point lies " + std::to_string(depth) +
                          " m inside the mesh; put it outside, where the cable shall run"};
      }
      if (site && depth > kInsideWrap * radius) {
        throw ConfigError{who + ": side site '" + NameOf(m, mjOBJ_SITE, c.elements[i].hint_site) +
                          "' lies inside the surface, which asks for an inside wrap; only outside "
                          "wraps are supported: put the site on the outside"};
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
        const double depth = -Distance(s, e.pos);
        const bool clamped = j == i + step && (step < 0 ? e.clamp_before : e.clamp_after);
        if (depth <= (clamped ? kDrumDepth * s.radius + c.radius : 1e-6 * s.radius)) continue;
        throw ConfigError{who + " lies " + std::to_string(depth) + " m inside the surface of " +
                          Describe(m, c.elements, j) + " (radius " + std::to_string(s.radius) +
                          " m with the cable); move it outside"};
      }
    }
    if (i > 0 && elements[i - 1].kind != ElementKind::kWrap &&
        Norm(e.pos - elements[i - 1].pos) == 0) {
      throw ConfigError{
          who + ": at the same place as the element before it, the span between has no length"};
    }
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
      passes += Passes(elements[i].wrap->surface, path[k - 1], path[k]);
    }
    if (passes == 0) names.push_back(Describe(m, c.elements, static_cast<int>(i)));
  }
  return names.empty() ? "" : Listed(names, names.size());
}

// route at qpos0: home length and the memory a reset starts from
void RouteHome(const mjModel* m, CableConfig& c) {
  const std::vector<Pose> home = HomePoses(m);
  FindHinges(m, home, c);
  std::vector<Element> elements(c.elements.size());
  std::vector<Wrap> wraps(c.nwrap);
  PoseAtHome(m, c, home, wraps.data(), elements.data());
  CheckGeometry(m, c, elements);
  std::vector<double> block(RecordSize(c.ncontact, c.nwrap));
  Record record = RecordAt(block.data(), c.ncontact, c.nwrap);
  SolveRoute(elements.data(), static_cast<int>(elements.size()), nullptr, Start::kAuthored,
             c.limits, record);
  const bool kept = *record.status == static_cast<double>(SolveStatus::kKept);
  const bool taut = kept && *record.smoothness < kTaut;
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
  if (*record.status != 0) {
    throw ConfigError{"the route cannot start: no valid path at qpos0 (largest kink " +
                      std::to_string(*record.smoothness) + " rad, deepest cut into a surface " +
                      std::to_string(*record.penetration) +
                      " m); check order, sides and overlapping surfaces"};
  }
  c.axial.home_length = *record.length;
  c.memory.assign(record.memory, record.memory + kWrapMemory * c.nwrap);
}

void FindSensors(const mjModel* m, int instance, CableConfig& c) {
  for (int s = 0; s < m->nsensor; ++s) {
    if (m->sensor_plugin[s] != instance) continue;
    const Field* field;
    if (!SensorField(m, s, field)) {
      std::vector<std::string> names;
      for (int i = 0; i < kResultCount; ++i) names.push_back(kFields[i].name);
      throw ConfigError{
          "sensor '" + NameOf(m, mjOBJ_SENSOR, s) +
          "' names no field after its last dot; fields: " + Listed(names, names.size())};
    }
    // a sensor that MuJoCo alters afterward cannot hold the record between stages
    const bool plain = m->sensor_cutoff[s] == 0 && m->sensor_historyadr[s] < 0 &&
                       m->sensor_delay[s] == 0 && m->sensor_interval[2 * s] == 0;
    const int size = field ? field->Size(c.ncontact, c.nwrap) : RecordSize(c.ncontact, c.nwrap);
    if (m->sensor_dim[s] < size) {
      throw ConfigError{"sensor '" + NameOf(m, mjOBJ_SENSOR, s) +
                        "' was sized before the route was known; list the contacts in the key "
                        "contacts, as in \"wrap; eyelet; wrap\""};
    }
    if (!field && plain && c.record_adr < 0) {
      c.record_adr = m->sensor_adr[s];
    } else {
      const int offset = field ? FieldOffset(static_cast<int>(field - kFields), c.ncontact) : 0;
      c.sensors.push_back({m->sensor_adr[s], m->sensor_dim[s], offset, size});
    }
  }
}

// The last cable of a model closes each stage. Where another plugin adds passive forces after it,
// passive cables stay explicit: what they would be solved with is not all known.
void ReadIntegration(const mjModel* m, int instance, CableConfig& c) {
  c.implicit = ReadChoice(m, instance, "integration", {"auto", "explicit"}) == 0 && c.tendon < 0;
  c.last = true;
  c.alone = std::count(m->plugin, m->plugin + m->nplugin, m->plugin[instance]) == 1;
  bool after = false;
  for (int i = instance + 1; i < m->nplugin; ++i) {
    const mjpPlugin* plugin = mjp_getPluginAtSlot(m->plugin[i]);
    const bool cable = m->plugin[i] == m->plugin[instance];
    if (cable) c.last = false;
    after = !cable && (after || (plugin && (plugin->capabilityflags & mjPLUGIN_PASSIVE)));
  }
  if (after && c.actuator < 0) c.implicit = false;
}

// a number that changes with everything a config holds, but for what follows from geometry
Hash Structure(const CableConfig& c) {
  Hash hash;
  const auto number = [&](double x) { hash.Number(x); };
  hash.Bytes(c.name.data(), c.name.size());
  for (const ElementConfig& e : c.elements) {
    for (double x : {double(int(e.kind)),
                     double(e.object),
                     double(e.body),
                     e.friction,
                     double(int(e.hint)),
                     double(e.hint_site),
                     e.hint_point.x,
                     e.hint_point.y,
                     e.hint_point.z,
                     double(e.permanent),
                     double(e.turns),
                     double(e.guided),
                     double(e.member),
                     double(e.members),
                     double(e.ring),
                     e.ring_radius,
                     e.ring_tube,
                     e.rounding,
                     double(e.mesh ? e.mesh->hash >> 12 : 0),
                     double(e.clamp_before),
                     double(e.clamp_after)}) {
      number(x);
    }
    for (const Hinge& h : e.hinges) {
      number(h.qpos);
      number(h.sign);
    }
  }
  for (double x : {c.radius,
                   c.axial.damping,
                   c.axial.transition,
                   c.axial.reserve,
                   c.axial.max_tension,
                   double(c.axial.length_rate_only),
                   double(int(c.friction.mode)),
                   c.friction.slip_speed,
                   double(int(c.take_up.kind)),
                   c.take_up.radius,
                   c.take_up.lag,
                   c.take_up.rate_limit,
                   c.limits.smoothness,
                   c.limits.penetration,
                   double(c.actuator),
                   double(c.joint_qpos),
                   double(c.joint_dof),
                   c.joint_reference,
                   double(c.tendon),
                   c.share,
                   double(c.first_on_tendon),
                   double(c.record_adr),
                   double(c.implicit),
                   double(c.last),
                   double(c.alone)}) {
    number(x);
  }
  for (int x : c.drives) number(x);
  for (int x : c.slot_of_element) number(x);
  for (const BodySlot& s : c.slots) {
    for (int x : {s.body, s.parent, s.first_dof}) number(x);
  }
  for (const SensorCopy& s : c.sensors) {
    for (int x : {s.adr, s.dim, s.offset, s.size}) number(x);
  }
  for (int x : c.dofs) number(x);
  hash.Bytes(c.source.data(), c.source.size());
  return hash;
}

void Identify(const mjModel* m, int instance, CableConfig& c) {
  c.source = SourceOf(m, instance);
  c.geometry = GeometryOf(m, c);
  Hash hash = Structure(c);
  c.structure = hash.Value();
  for (double x : {c.axial.stiffness, c.axial.pretension, c.axial.home_length, c.geometry}) {
    hash.Number(x);
  }
  hash.Numbers(c.memory.data(), c.memory.size());
  c.fingerprint = hash.Value();
}

}  // namespace

bool SensorField(const mjModel* m, int sensor, const Field*& field) {
  const char* name = mj_id2name(m, mjOBJ_SENSOR, sensor);
  const char* dot = name ? std::strrchr(name, '.') : nullptr;
  field = nullptr;
  if (!dot) return true;
  // the longest field name that follows the dot: an attach suffix may follow it
  size_t longest = 0;
  for (int i = 0; i < kResultCount; ++i) {
    const size_t length = std::strlen(kFields[i].name);
    if (length > longest && !std::strncmp(dot + 1, kFields[i].name, length)) {
      field = &kFields[i];
      longest = length;
    }
  }
  return field != nullptr;
}

bool BuildConfig(const mjModel* m, int instance, CableConfig& c, std::string& error) {
  c = {};
  c.name = NameOf(m, mjOBJ_PLUGIN, instance);
  try {
    int joint = -1;
    c.elements = ReadRoute(m, instance, joint);
    c.radius = ReadNumber(m, instance, "radius", 0, 0, false);
    c.limits.smoothness = ReadNumber(m, instance, "max_smoothness", c.limits.smoothness, 0, true);
    c.limits.penetration = ReadNumber(m, instance, "max_penetration", -1, 0, false);
    CheckRoute(m, c);
    ReadFriction(m, instance, c);
    ReadTakeUp(m, instance, joint, c);
    CollectBodies(m, c);
    CheckCarrier(m, c);
    RouteHome(m, c);
    ReadAxial(m, instance, c);
    FindSensors(m, instance, c);
    ReadIntegration(m, instance, c);
    c.levers = Levers(m, c);
    if (m->plugin_statenum[instance] < StateSize(c.ncontact, c.nwrap)) {
      throw ConfigError{"the model was compiled for another route of this cable; compile it again"};
    }
    for (size_t i = 0; i < c.elements.size(); ++i) {
      const ElementConfig& e = c.elements[i];
      const bool moves = c.slot_of_element[i] >= 0;  // MuJoCo gives mocap bodies no velocity
      c.nodes.push_back(
          {e.kind, e.clamp_before, e.clamp_after, moves, e.object, e.body, m->body_rootid[e.body]});
      if (e.kind == ElementKind::kWrap) c.wraps.push_back(PrepareWrap(m, c, e));
    }
    c.simple = c.elements.size() == 3 && c.nwrap == 1 && !IsSmooth(c.wraps[0].wrap.surface) &&
               !c.elements[0].clamp_after && !c.elements[2].clamp_before;
    Identify(m, instance, c);
    return true;
  } catch (const ConfigError& e) {
    error = "cable '" + c.name + "': " + e.message;
    return false;
  }
}

}  // namespace mujocable
