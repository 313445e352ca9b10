#include "plugin/configure/route_check.h"

#include <algorithm>

#include "core/path/span.h"
#include "plugin/configure/mesh_cache.h"
#include "plugin/configure/route_config.h"
#include "plugin/configure/shapes.h"
#include "plugin/configure/words.h"

namespace mujocable {
namespace {

// how far above its drum a site may lie that was written with few digits, in radii
constexpr double kDrumHeight = 1e-3;

// a side site on the surface, written with few digits, is not inside; in radii
constexpr double kInsideWrap = 1e-3;

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
  if ((e.grooved || e.half_angle > 0 || e.endless) && type != mjGEOM_CYLINDER) {
    throw ConfigError{who + ": groove, half_angle and endless are for cylinders"};
  }
  if (e.half_angle > 0 && !e.grooved) {
    throw ConfigError{who + ": half_angle is of a groove; give groove too"};
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

void CheckSheath(const mjModel* m, const ElementConfig& e, const std::string& who) {
  if (e.exit_site < 0) throw ConfigError{who + ": a sheath needs exit=SITE, where it ends"};
  if (e.exit_site == e.object) {
    throw ConfigError{who + ": a sheath ends at another site than '" +
                      NameOf(m, mjOBJ_SITE, e.object) + "', where it begins"};
  }
  if (!(e.length > 0)) {
    throw ConfigError{who + ": a sheath needs length=NUMBER, that of the cable inside [m]"};
  }
}

// a side site inside a cylinder or sphere is MuJoCo's way to ask for an inside wrap
void CheckInside(const mjModel* m, const CableConfig& c, const std::vector<Pose>& home,
                 const std::string& who, ElementConfig& e) {
  if (e.kind != ElementKind::kWrap || e.ring || e.hint != HintKind::kSite) return;
  const int type = m->geom_type[e.object], body = m->site_bodyid[e.hint_site];
  if (type != mjGEOM_CYLINDER && type != mjGEOM_SPHERE) return;
  const Pose geom = Compose(home[e.body], LocalGeom(m, e.object));
  const Vec3 site = home[body].pos + Rotate(home[body].rot, Load(m->site_pos + 3 * e.hint_site));
  // of a cylinder too MuJoCo takes the distance from its center
  const double radius = m->geom_size[3 * e.object];
  if (Norm(site - geom.pos) >= (1 - kInsideWrap) * radius) return;
  e.inside = true;
  if (e.permanent || e.grooved || e.turns > 0) {
    throw ConfigError{who + ": side site '" + NameOf(m, mjOBJ_SITE, e.hint_site) +
                      "' lies inside, which asks for an inside wrap; it has no groove, keeper or "
                      "turns: drop these, or put the site on the outside"};
  }
  if (c.radius >= radius) {
    throw ConfigError{who + ": a cable of radius " + std::to_string(c.radius) +
                      " m does not fit through a surface of radius " + std::to_string(radius) +
                      " m"};
  }
}

}  // namespace

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
      if (e.kind == ElementKind::kSheath) {
        CheckSheath(m, e, who);
        ++c.nwrap;
      }
      // a sheath may begin where another one ends
      const bool joined = i > 0 && c.elements[i - 1].is_exit && e.kind == ElementKind::kSheath;
      if (i > 0 && c.elements[i - 1].kind != ElementKind::kWrap && !joined &&
          c.elements[i - 1].object == e.object) {
        throw ConfigError{who +
                          ": same site as the element before it, the span between has no length"};
      }
    }
  }
  c.ncontact = n - 2;

  const std::vector<Pose> home = HomePoses(m);
  for (int i = 0; i < n; ++i) CheckInside(m, c, home, Describe(m, c.elements, i), c.elements[i]);

  // fixed nodes that ride on a neighboring wrap: the cable is clamped to a drum
  for (int i = 0; i < n; ++i) {
    ElementConfig& e = c.elements[i];
    if (e.kind == ElementKind::kWrap) continue;
    const auto rides = [&](int j) {
      if (j < 0 || j >= n || c.elements[j].kind != ElementKind::kWrap) return false;
      const ElementConfig& wrap = c.elements[j];
      if (wrap.inside) return false;
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

}  // namespace mujocable
