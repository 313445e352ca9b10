// Whether the elements of a route can be what they are, one by one and beside each other.

#include <algorithm>

#include "plugin/configure/build.h"
#include "plugin/configure/options.h"
#include "plugin/configure/words.h"

namespace mujocable {
namespace {

// elements of a route, with one for each contact of a mesh; chosen: longer than any that was seen,
// config_test would notice
constexpr int kMaxElements = 256;

// how far above its drum a site may lie that was written with few digits, in radii
constexpr double kDrumHeight = 1e-3;

// a side site on the surface, written with few digits, is not inside; in radii
constexpr double kInsideWrap = 1e-3;

// a side site inside a cylinder or sphere is MuJoCo's way to ask for an inside wrap
void CheckInside(const mjModel* m, const CableConfig& c, const Home& home, ElementConfig& e) {
  if (!e.OnGeom() || e.side != HintKind::kSite) return;
  const int type = m->geom_type[e.frame];
  if (type != mjGEOM_CYLINDER && type != mjGEOM_SPHERE) return;
  // of a cylinder too MuJoCo takes the distance from its center
  const Vec3 apart = home.Site(e.hint_site).pos - home.Of(e).pos;
  const double radius = m->geom_size[3 * e.frame];
  if (Norm(apart) >= (1 - kInsideWrap) * radius) return;
  e.surface.inside = true;
  const std::string who = Describe(m, e);
  if (e.permanent || e.grooved || e.turns > 0) {
    Refuse(who, ": side site '", NameOf(m, mjOBJ_SITE, e.hint_site),
           "' lies inside, which asks for an inside wrap; it has no groove, keeper or turns: drop "
           "these, or put the site on the outside");
  }
  if (c.radius >= radius) {
    Refuse(who, ": a cable of radius ", c.radius, " m does not fit through a surface of radius ",
           radius, " m");
  }
}

// by itself; fits its mesh
void CheckElement(const mjModel* m, const CableConfig& c, ElementConfig& e,
                  const std::string& who) {
  if (e.ring && !(e.ring_radius > 0 && e.ring_tube > 0)) {
    Refuse(who, ": a ring needs radius= (of its center line) and tube= (of its wire), both > 0");
  }
  if (e.ring && e.ring_tube + c.radius >= e.ring_radius) {
    Refuse(who, ": no hole is left: tube ", e.ring_tube, " m and cable radius ", c.radius,
           " m together must be smaller than the ring radius ", e.ring_radius, " m");
  }
  if (e.kind == ElementKind::kSheath) {
    if (e.exit_site < 0) Refuse(who, ": a sheath needs exit=SITE, where it ends");
    if (e.exit_site == e.frame) {
      Refuse(who, ": a sheath ends at another site than '", NameOf(m, mjOBJ_SITE, e.frame),
             "', where it begins");
    }
    if (!(e.length > 0)) {
      Refuse(who, ": a sheath needs length=NUMBER, that of the cable inside [m]");
    }
  }
  if (!e.OnGeom()) return;
  CheckOptions(m, e, who);
  if (m->geom_type[e.frame] == mjGEOM_MESH) {
    const int mesh = m->geom_dataid[e.frame];
    std::string error;
    e.surface.mesh = CompileMesh(m, mesh, c.radius, e.rounding, error);
    if (!e.surface.mesh) Refuse(who, ": mesh '", NameOf(m, mjOBJ_MESH, mesh), "' ", error);
  }
  if (m->geom_type[e.frame] != mjGEOM_BOX) return;
  const double least =
      *std::min_element(m->geom_size + 3 * e.frame, m->geom_size + 3 * e.frame + 3);
  if (e.rounding > least) {
    Refuse(who, ": rounding ", e.rounding, " m is more than the least half size of the box, ",
           least, " m");
  }
  if (!(e.rounding + c.radius > 0)) {
    Refuse(who,
           ": a cable cannot bend around the sharp edges of a box; give the wrap rounding=NUMBER "
           "or the cable a radius");
  }
}

// beside the one before it
void CheckNeighbors(const ElementConfig& before, const ElementConfig& e, const std::string& who) {
  if (before.frame != e.frame) return;
  if (e.surface.mesh && before.surface.mesh && e.bearing == 0) {
    Refuse(who,
           ": the same mesh twice in a row; a cable that bears on it in several places is one wrap "
           "with contacts=NUMBER");
  }
  // a sheath may begin where another one ends
  const bool joined = before.is_exit && e.kind == ElementKind::kSheath;
  if (!before.IsWrap() && !e.IsWrap() && !joined) {
    Refuse(who, ": same site as the element before it, the span between has no length");
  }
}

// Whether a fixed node rides on a wrap next to it, on one body with it: on the drum, or just beside
// a fixed surface. The cable is clamped there.
bool Rides(const mjModel* m, const CableConfig& c, const Home& home, const ElementConfig& e,
           const ElementConfig& wrap) {
  if (!wrap.IsWrap() || wrap.surface.inside ||
      m->body_weldid[wrap.body] != m->body_weldid[e.body]) {
    return false;
  }
  const Vec3 site = home.Site(e.frame).pos;
  const Pose pose = home.Of(wrap);
  Surface s = wrap.surface;
  s.pos = pose.pos;
  s.rot = pose.rot;
  if (IsSmooth(s)) return Distance(s, site) <= kDrumHeight * s.radius;
  Vec3 x = Unrotate(s.rot, site - s.pos);
  if (s.kind == SurfaceKind::kCylinder) x.z = 0;
  return Norm(x) - c.radius <= (1 + kDrumHeight) * m->geom_size[3 * wrap.frame];
}

}  // namespace

void CheckRoute(const mjModel* m, const Home& home, CableConfig& c) {
  const int n = static_cast<int>(c.elements.size());
  if (n < 2) Refuse("a route needs at least two anchors, got ", n, " elements");
  if (n > kMaxElements) Refuse("a route may have ", kMaxElements, " elements, got ", n);
  int wraps_in_span = 0;
  for (int i = 0; i < n; ++i) {
    ElementConfig& e = c.elements[i];
    const std::string who = Describe(m, e);
    const bool end = i == 0 || i == n - 1;
    if (end != (e.kind == ElementKind::kAnchor)) {
      Refuse(who, ": a route starts and ends with an anchor and has none between");
    }
    CheckElement(m, c, e, who);
    if (i > 0) CheckNeighbors(c.elements[i - 1], e, who);
    wraps_in_span = e.IsWrap() ? wraps_in_span + 1 : 0;
    if (wraps_in_span > kMaxSpanWraps) {
      Refuse(who, ": at most ", kMaxSpanWraps,
             " wraps may follow each other without an eyelet between");
    }
    c.nwrap += e.MemoryRows();
  }
  c.ncontact = n - 2;

  for (ElementConfig& e : c.elements) {
    CheckInside(m, c, home, e);
    if (e.IsWrap()) SetShape(m, c.radius, e);
  }
  for (int i = 0; i < n; ++i) {
    ElementConfig& e = c.elements[i];
    if (e.IsWrap()) continue;
    e.clamp_before = i > 0 && Rides(m, c, home, e, c.elements[i - 1]);
    e.clamp_after = i + 1 < n && Rides(m, c, home, e, c.elements[i + 1]);
  }
}

}  // namespace mujocable
