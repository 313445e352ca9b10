// The numbers and choices of a cable: attributes -> parameters, or a refusal.

#include <algorithm>
#include <cmath>
#include <utility>

#include "plugin/ask.h"
#include "plugin/configure/build.h"
#include "plugin/configure/members.h"
#include "plugin/configure/words.h"
#include "plugin/engine.h"

namespace mujocable {
namespace {

// stands for no lag in the actuator of add_cable, where only the rate is limited       [s]
constexpr double kNoLag = 1e-9;

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
void ReadCarrier(const mjModel* m, const std::string& who, CableConfig& c) {
  const int a = c.actuator;
  const mjtNum* gear = m->actuator_gear + 6 * c.out;
  if (m->actuator_trntype[a] == mjTRN_TENDON) {
    if (gear[0] == 0 || std::abs(gear[0]) == 1) return;
    Refuse(who, ": gear=\"", gear[0],
           "\" has no effect on a cable, which pulls with its own moments; "
           "accepted: gear=\"-1\"");
  }
  if (m->actuator_trntype[a] != mjTRN_SITE || m->actuator_trnid[2 * a + 1] >= 0) {
    Refuse(who, ": the transmission must be a site or a tendon, the carrier of the load");
  }
  if (std::any_of(gear, gear + 6, [](mjtNum x) { return x != 0; })) {
    Refuse(who, ": a site that carries a cable needs gear=\"0\"");
  }
  c.moment_adr = MomentAddress(m, a);
}

// what MuJoCo would do to the force of a cable after the cable has found it, or along the course of
// what carries it
void CheckForce(const mjModel* m, int actuator, const std::string& who) {
  if (m->actuator_forcelimited[actuator]) {
    Refuse(who,
           ": forcerange would cut the cable's pull after its friction is found; accepted: the "
           "cable's max_tension");
  }
  if (m->actuator_damping[actuator] != 0 || m->actuator_armature[actuator] != 0 ||
      !mju_isZero(m->actuator_dampingpoly + mjNPOLY * actuator, mjNPOLY)) {
    Refuse(who,
           ": damping and armature would act along its carrier, which is not the cable; "
           "accepted: damping of the cable, armature of the joint of a spool");
  }
}

// the actuator of a commanded cable, with the memory that its take-up needs
void ReadActuator(const Attributes& a, CableConfig& c) {
  const mjModel* m = a.m;
  const TakeUp& t = c.take_up;
  const int i = ActuatorOf(a);
  if (t.Commanded() && i < 0) {
    const std::string kind = a.Text("take_up");
    Refuse("take_up='", kind, "' needs an actuator with this plugin instance");
  }
  if (i < 0) return;
  const std::string who = "actuator '" + NameOf(m, mjOBJ_ACTUATOR, i) + "'";
  if (!t.Commanded()) {
    Refuse(who,
           " drives this cable, but take_up takes no command; accepted: length, spool_angle, "
           "spool_rate, tension");
  }
  c.actuator = i;
  c.act = m->actuator_actnum[i] > 0 ? m->actuator_actadr[i] + m->actuator_actnum[i] - 1 : -1;
  c.out = m->actuator_outadr[i];
  ReadCarrier(m, who, c);
  CheckForce(m, i, who);
  const auto [wanted, word] = t.kind == TakeUpKind::kSpoolRate
                                  ? std::pair{mjDYN_INTEGRATOR, "integrator"}
                              : t.Filtered() ? std::pair{mjDYN_FILTER, "filter"}
                                             : std::pair{mjDYN_NONE, "none"};
  if (m->actuator_dyntype[i] != wanted) Refuse(who, ": this take_up needs dyntype=\"", word, "\"");
  // (as XML writes it, with six digits; MuJoCo's default, 1, is what nobody wrote)
  constexpr double kDigits = 1e-5;
  const double constant = m->actuator_dynprm[mjNDYN * i];
  if (wanted == mjDYN_FILTER && constant != 1 &&
      std::abs(constant - t.lag) > kDigits * t.lag + kNoLag) {
    Refuse(who, ": dynprm=\"", constant, "\" is not the lag of the cable, ", t.lag,
           " s, which alone counts; accepted: lag, or no dynprm");
  }
  if (m->actuator_actearly[i]) {
    Refuse(who, ": actearly, which a cable does not read; accepted: actearly=\"false\"");
  }
}

void ReadTendon(const Attributes& a, CableConfig& c) {
  const mjModel* m = a.m;
  c.tendon = ReferredTo(a, mjOBJ_TENDON, "tendon");
  if (c.tendon < 0) {
    Refuse("take_up='tendon' needs the tendon: key tendon, or a tendon with prm 4 in the tuple");
  }
  const std::string who = "tendon '" + NameOf(m, mjOBJ_TENDON, c.tendon) + "'";
  c.share = a.Number("share");
  for (int i = 0; i < m->nactuator; ++i) {
    if (m->actuator_trntype[i] != mjTRN_TENDON || m->actuator_trnid[2 * i] != c.tendon) continue;
    c.drives.push_back(i);
    const std::string actuator = who + ": actuator '" + NameOf(m, mjOBJ_ACTUATOR, i) + "'";
    if (m->actuator_plugin[i] >= 0) {
      Refuse(actuator, " is a plugin, its force is not known in time");
    }
    if (m->actuator_damping[i] != 0 ||
        !mju_isZero(m->actuator_dampingpoly + mjNPOLY * i, mjNPOLY)) {
      Refuse(actuator, " has damping of its own; give it to the tendon");
    }
  }
  if (SpringYields(m, c.tendon)) {
    Refuse(who, " has a spring that yields (springyield), which no cable has");
  }
}

// keys that some ways of taking up read, and which do
struct OwnKey {
  const char* key;
  const char* take_ups;
};
constexpr OwnKey kOwnKeys[] = {{"spool_radius", "spool_angle spool_rate spool_joint"},
                               {"spool_joint", "spool_joint"},
                               {"tendon", "tendon"},
                               {"share", "tendon"},
                               {"lag", "length spool_angle tension"},
                               {"rate_limit", "length spool_angle"}};

// what a take-up does not read was meant for another one
void CheckOwnKeys(const Attributes& a) {
  const std::string given = a.Text("take_up"), word = given.empty() ? "fixed" : given;
  for (const OwnKey& own : kOwnKeys) {
    const std::vector<std::string> readers = Words(own.take_ups);
    if (!a.Given(own.key) || std::ranges::count(readers, word) > 0) continue;
    Refuse(own.key, " has no effect with take_up='", word, "'",
           given.empty() ? ", the default" : "", "; remove it, or give take_up one of ",
           Listed(readers));
  }
}

// the joint of a physical spool
void ReadSpool(const Attributes& a, CableConfig& c) {
  const mjModel* m = a.m;
  const int joint = ReferredTo(a, mjOBJ_JOINT, "spool_joint");
  if (joint < 0)
    Refuse(
        "take_up='spool_joint' needs the joint: key spool_joint, or a joint with prm 2 in the "
        "tuple");
  const std::string name = NameOf(m, mjOBJ_JOINT, joint);
  if (m->jnt_type[joint] != mjJNT_HINGE && m->jnt_type[joint] != mjJNT_SLIDE) {
    Refuse("spool joint '", name, "' must be a hinge or a slide");
  }
  c.joint_qpos = m->jnt_qposadr[joint];
  c.joint_dof = m->jnt_dofadr[joint];
  c.joint_reference = m->qpos0[c.joint_qpos];
  for (const ElementConfig& e : c.elements) {
    if (!e.OnDrum() || !Carries(m, m->jnt_bodyid[joint], e.body)) continue;
    Refuse(Describe(m, e), " rides on a drum that joint '", name,
           "' turns: the route already winds the cable, counting the joint as take-up would count "
           "it twice; drop the take_up, or the Wrap of the drum");
  }
}

}  // namespace

void ReadFriction(const Attributes& a, CableConfig& c) {
  const double friction = a.Number("friction");
  const size_t last = c.elements.size() - 1;
  for (size_t i = 1; i < last; ++i) {
    ElementConfig& e = c.elements[i];
    if (e.friction_given) continue;
    // on a drum the cable is clamped: it does not slide
    const bool drum =
        (i == 1 && c.elements[0].clamp_after) || (i + 1 == last && c.elements[last].clamp_before);
    e.held = drum;
    e.friction = drum ? 0 : friction;
  }
  c.sliding = a.Choice("friction_law") == 1;
  for (const char* key : {"friction_mode", "slip_speed"}) {
    if (c.sliding || a.Text(key).empty()) continue;
    Refuse(key,
           " belongs to friction without memory: remove it, friction now sticks and slides by "
           "itself; or set friction_law=\"sliding\" to keep the old law");
  }
  c.friction.mode = static_cast<FrictionMode>(a.Choice("friction_mode"));
  c.friction.slip_speed = a.Number("slip_speed");
}

void ReadTakeUp(const Attributes& a, CableConfig& c) {
  TakeUp& t = c.take_up;
  t.kind = static_cast<TakeUpKind>(a.Choice("take_up"));
  t.lag = a.Number("lag");
  t.timestep = a.m->opt.timestep;
  t.follow = FollowRate(t.lag, t.timestep);
  const double limit = a.Number("rate_limit");
  t.rate_limit = std::isfinite(limit) ? limit : 0;
  CheckOwnKeys(a);
  if (t.Spool()) {
    // a spool that the model turns may be wound either way: antagonists share it
    t.radius = a.Number("spool_radius", t.kind == TakeUpKind::kSpoolJoint);
    const bool given = !a.Text("spool_radius").empty();
    if (t.radius == 0) {
      Refuse(given ? "spool_radius must not be 0" : "spool_radius is required by this take_up");
    }
  }
  ReadActuator(a, c);
  if (t.kind == TakeUpKind::kTendon) ReadTendon(a, c);
  if (t.kind == TakeUpKind::kSpoolJoint) ReadSpool(a, c);
}

void ReadAxial(const Attributes& a, CableConfig& c) {
  AxialParameters& p = c.axial;
  const double stiffness = a.Number("stiffness"), ea = a.Number("EA");
  if (!c.take_up.Tension() && (stiffness > 0) == (ea > 0)) {
    Refuse(stiffness > 0 ? "stiffness and EA exclude each other"
                         : "give stiffness [N/m] or EA [N]");
  }
  p.damping = a.Number("damping");
  p.length_rate_only = a.Choice("damping_rate") == 1;
  p.transition = a.Number("transition");
  p.reserve = a.Number("reserve");
  p.max_tension = a.Number("max_tension");
  const double length = a.Number("home_length");
  if (length > 0) p.home_length = length;
  if (!(p.home_length > 0)) {
    Refuse("the route has no length at qpos0: ", Describe(a.m, c.elements.front()), " and ",
           Describe(a.m, c.elements.back()), " are at one place; move one, or give home_length");
  }
  p.stiffness = stiffness > 0 ? stiffness : ea / p.home_length;
  p.rigid = ea > 0;
  const double force = a.Number("pretension");
  p.pretension = a.Number("pretension_offset");
  if (force != 0 && p.pretension != 0)
    Refuse("pretension and pretension_offset exclude each other");
  if (force > 0 && p.stiffness > 0) {
    p.pretension = p.reserve + StretchFor(force, p.stiffness, p.transition);
  }
  // (a spring without rigidity may be longer than its cable: it pulls evenly then)
  const bool rubs = !c.sliding && std::ranges::any_of(c.mu, [](double mu) { return mu > 0; });
  if (!c.take_up.Tension() && p.pretension - p.reserve >= p.home_length && (p.rigid || rubs)) {
    Refuse(force > 0 ? "pretension" : "pretension_offset", " takes in ", p.pretension,
           " m, more than the whole cable, which is ", p.home_length,
           " m at home; accepted: less, or a stiffer cable");
  }
}

// Where another plugin adds passive forces after the last cable, passive cables stay explicit: what
// they would be solved with is not all known.
void ReadIntegration(const Attributes& a, CableConfig& c) {
  const mjModel* m = a.m;
  if (UnknownIntegrator(m)) {
    Refuse("integrator 'discrete' needs MuJoCo 3.16 or newer with cables, this is ",
           mj_versionString(), "; take 'implicitfast'");
  }
  const int ours = m->plugin[a.instance];
  c.may_couple = a.Choice("integration") == 0 && c.tendon < 0;
  bool after = false;
  for (int i = a.instance + 1; i < m->nplugin; ++i) {
    const mjpPlugin* plugin = mjp_getPluginAtSlot(m->plugin[i]);
    const bool cable = m->plugin[i] == ours;
    after = !cable && (after || (plugin && (plugin->capabilityflags & mjPLUGIN_PASSIVE)));
  }
  if (after && c.actuator < 0) c.may_couple = false;
}

}  // namespace mujocable
