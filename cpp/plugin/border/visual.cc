// The picture of a cable.

#include <algorithm>

#include "plugin/border/shown.h"

namespace mujocable {
namespace {

constexpr double kArcStep = 0.1;   // of a drawn arc                        [rad]
constexpr double kHalfColor = 20;  // tension at mid scale without a limit  [N]
constexpr double kNoLimit = 1e12;  // a larger max_tension is none           [N]
constexpr double kKnob = 1.6;      // at a contact that rubs, of the cable's radius
constexpr float kHolds[4] = {0.08f, 0.08f, 0.08f, 1}, kSlides[4] = {1, 0.55f, 0.1f, 1};
constexpr float kSlackColor[4] = {0.55f, 0.6f, 0.65f, 0.45f};

// cold to hot, even up to the limit of the cable: blue, teal, yellow, red
void TensionColor(double tension, double limit, float rgba[4]) {
  static constexpr float kStops[4][3] = {
      {0.13f, 0.35f, 0.85f}, {0.1f, 0.7f, 0.65f}, {0.95f, 0.8f, 0.15f}, {0.85f, 0.12f, 0.1f}};
  const double share = limit < kNoLimit ? tension / limit : tension / (tension + kHalfColor);
  const double x = 3 * std::min(1.0, share);
  const int k = std::min(2, static_cast<int>(x));
  const float u = static_cast<float>(x - k);
  for (int i = 0; i < 3; ++i) rgba[i] = (1 - u) * kStops[k][i] + u * kStops[k + 1][i];
  rgba[3] = 1;
}

// the next geom of the scene, of no object; nullptr where it is full
mjvGeom* NextGeom(mjvScene* scene, int type, const mjtNum* size, const mjtNum* pos,
                  const float rgba[4]) {
  if (scene->ngeom >= scene->maxgeom) return nullptr;
  mjvGeom* geom = scene->geoms + scene->ngeom++;
  mjv_initGeom(geom, type, size, pos, nullptr, rgba);
  geom->category = mjCAT_DECOR;
  geom->objtype = mjOBJ_UNKNOWN;
  geom->objid = -1;
  return geom;
}

void DrawPiece(mjvScene* scene, const Vec3& from, const Vec3& to, double width,
               const float rgba[4]) {
  mjvGeom* geom = NextGeom(scene, mjGEOM_CAPSULE, nullptr, nullptr, rgba);
  if (!geom) return;
  mjtNum a[3], b[3];
  Store(a, from);
  Store(b, to);
  mjv_connector(geom, mjGEOM_CAPSULE, width, a, b);
}

// where a contact begins or ends that holds the cable, or lets it slide
void DrawKnob(mjvScene* scene, const Vec3& at, double width, bool holds) {
  const mjtNum size[3] = {kKnob * width, kKnob * width, kKnob * width};
  mjtNum pos[3];
  Store(pos, at);
  NextGeom(scene, mjGEOM_SPHERE, size, pos, holds ? kHolds : kSlides);
}

}  // namespace

void DrawCable(const mjModel* m, mjData* d, const mjvOption* options, mjvScene* scene,
               const Member& member) {
  const CableConfig& c = *member.config;
  if (!options->flags[mjVIS_TENDON]) return;
  ShownCable cable(m, d, member);
  const Record& record = cable.record();
  const Element* elements = cable.cable().elements();
  const double width = c.radius > 0 ? c.radius : 0.01 * m->stat.meansize;
  const auto draw = [&](const Vec3& from, const Vec3& to, double tension) {
    float rgba[4];
    if (tension > 0) {
      TensionColor(tension, c.axial.max_tension, rgba);
    } else {
      std::copy(kSlackColor, kSlackColor + 4, rgba);
    }
    DrawPiece(scene, from, to, width, rgba);
  };

  Vec3 from = Load(record.ends());
  int row = 0;  // of the memory of its wraps
  for (int i = 0; i < c.ncontact; ++i) {
    const Element& element = elements[i + 1];
    const int here = row;
    row += MemoryRows(element);
    if (!record.Touching(i)) continue;
    draw(from, record.Entry(i), record.tension()[i]);
    from = record.Entry(i);
    if (record.rubbing()[i] != 0 && record.source_tension() > 0) {
      const bool holds = record.stuck()[i] != 0;
      DrawKnob(scene, from, width, holds);
      if (element.kind != ElementKind::kEyelet) DrawKnob(scene, record.Exit(i), width, holds);
    }
    if (element.kind != ElementKind::kWrap && element.kind != ElementKind::kSheath) continue;
    // the arc, its tension growing evenly in the exponent: shown in even steps
    const int pieces = 1 + static_cast<int>(std::min(2000.0, record.wrap_angle()[i] / kArcStep));
    for (int k = 1; k <= pieces; ++k) {
      const double u = static_cast<double>(k) / pieces;
      const Vec3 to = PointOnContact(element, record, i, here, u * record.arc()[i]);
      draw(from, to, (1 - u) * record.tension()[i] + u * record.tension()[i + 1]);
      from = to;
    }
  }
  draw(from, Load(record.ends() + 3), record.tension()[c.ncontact]);
}

}  // namespace mujocable
