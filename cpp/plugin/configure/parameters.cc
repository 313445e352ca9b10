#include "plugin/configure/parameters.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "plugin/configure/attributes.h"
#include "plugin/configure/route_config.h"
#include "plugin/configure/words.h"
#include "plugin/engine.h"

namespace mujocable {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

const Attribute& AttributeOf(const char* key) {
  for (const Attribute& a : kAttributes) {
    if (!std::strcmp(a.key, key)) return a;
  }
  return kAttributes[0];
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

int DofsAbove(const mjModel* m, int site) {
  int count = 0;
  for (int b = m->site_bodyid[site]; b > 0; b = m->body_parentid[b]) count += m->body_dofnum[b];
  return count;
}

// Where the moment row of an actuator stands that a site carries. MuJoCo keeps a place there for
// every dof that moves the site, fills none of them without a gear, and packs its rows from the
// front: the last places are free, one block for each such cable.
int MomentAddress(const mjModel* m, int actuator) {
  const int cable = m->plugin[m->actuator_plugin[actuator]];
  int places = 0;
  for (int i = actuator; i < m->nactuator; ++i) {
    const int plugin = m->actuator_plugin[i];
    if (plugin < 0 || m->plugin[plugin] != cable || m->actuator_trntype[i] != mjTRN_SITE) continue;
    places += DofsAbove(m, m->actuator_trnid[2 * i]);
  }
  return static_cast<int>(m->nJmom) - places;
}

// the transmission only makes room for the cable's own moments
void ReadCarrier(const mjModel* m, CableConfig& c) {
  const int a = c.actuator;
  const std::string who = "actuator '" + NameOf(m, mjOBJ_ACTUATOR, a) + "'";
  if (m->actuator_trntype[a] == mjTRN_TENDON) return;
  if (m->actuator_trntype[a] != mjTRN_SITE || m->actuator_trnid[2 * a + 1] >= 0) {
    throw ConfigError{who +
                      ": the transmission must be a site or a tendon, the carrier of the load"};
  }
  const mjtNum* gear = m->actuator_gear + 6 * m->actuator_outadr[a];
  if (std::any_of(gear, gear + 6, [](mjtNum x) { return x != 0; })) {
    throw ConfigError{who + ": a site that carries a cable needs gear=\"0\""};
  }
  c.moment_adr = MomentAddress(m, a);
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
  if (SpringYields(m, c.tendon)) {
    throw ConfigError{who + " has a spring that yields (springyield), which no cable has"};
  }
  c.first_on_tendon = IsFirstOn(m, instance, c.tendon);
}

}  // namespace

// a number, checked against a lower bound; `fallback` when absent
double ReadNumber(const mjModel* m, int instance, const char* key, double fallback, double lower,
                  bool strict, bool finite) {
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
  c.sliding = ReadChoice(m, instance, "friction_law", {"memory", "sliding"}) == 1;
  for (const char* key : {"friction_mode", "slip_speed"}) {
    if (c.sliding || ConfigValue(m, instance, key).empty()) continue;
    throw ConfigError{std::string(key) +
                      " belongs to friction without memory: remove it, friction now sticks and "
                      "slides by itself; or set friction_law=\"sliding\" to keep the old law"};
  }
  c.friction.mode = static_cast<FrictionMode>(
      ReadChoice(m, instance, "friction_mode", {"velocity", "forward", "reverse"}));
  c.friction.slip_speed = ReadNumber(m, instance, "slip_speed", 0.01, 0, true);
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
    ReadCarrier(m, c);
    c.ctrl = m->actuator_ctrladr[a];
    c.act = m->actuator_actnum[a] > 0 ? m->actuator_actadr[a] + m->actuator_actnum[a] - 1 : -1;
    c.out = m->actuator_outadr[a];
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

// The last cable of a model closes each stage. Where another plugin adds passive forces after it,
// passive cables stay explicit: what they would be solved with is not all known.
void ReadIntegration(const mjModel* m, int instance, CableConfig& c) {
  if (UnknownIntegrator(m)) {
    throw ConfigError{"integrator 'discrete' needs MuJoCo 3.16 or newer with cables, this is " +
                      std::string(mj_versionString()) + "; take 'implicitfast'"};
  }
  c.implicit = ReadChoice(m, instance, "integration", {"auto", "explicit"}) == 0 && c.tendon < 0;
  c.last = true;
  c.only_cable = std::count(m->plugin, m->plugin + m->nplugin, m->plugin[instance]) == 1;
  bool after = false;
  for (int i = instance + 1; i < m->nplugin; ++i) {
    const mjpPlugin* plugin = mjp_getPluginAtSlot(m->plugin[i]);
    const bool cable = m->plugin[i] == m->plugin[instance];
    if (cable) c.last = false;
    after = !cable && (after || (plugin && (plugin->capabilityflags & mjPLUGIN_PASSIVE)));
  }
  if (after && c.actuator < 0) c.implicit = false;
}

}  // namespace mujocable
