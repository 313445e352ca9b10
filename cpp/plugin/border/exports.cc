#include "plugin/border/exports.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "plugin/border/shown.h"
#include "plugin/configure/attributes.h"
#include "plugin/configure/build.h"
#include "plugin/configure/options.h"
#include "plugin/step/loads.h"

namespace mujocable {

const char* register_error = "the library was not loaded by MuJoCo";

namespace {

constexpr double kArcStep = 0.05;  // between points on an arc; chosen, test_view would notice [rad]

bool IsCable(const mjModel* m, int instance) {
  if (!m || instance < 0 || instance >= m->nplugin) return false;
  const mjpPlugin* plugin = mjp_getPluginAtSlot(m->plugin[instance]);
  return plugin && !std::strcmp(plugin->name, kPluginName);
}

// nullptr where there is none
const CableConfig* Find(const mjModel* m, mjData* d, int instance, int member) {
  const Instance* found = d && IsCable(m, instance) ? FindInstance(m, d, instance) : nullptr;
  const bool there = found && member >= 0 && member < static_cast<int>(found->cables.size());
  return there ? &found->cables[member] : nullptr;
}

// one line per row, with | between its cells
using Cells = std::vector<std::string>;
template <typename Rows, typename Row>
std::string Table(const Rows& rows, const Row& cells_of) {
  std::string text;
  for (const auto& row : rows) {
    for (const std::string& cell : cells_of(row)) text += cell + "|";
    text.back() = '\n';
  }
  return text;
}

// `scale` times the load of these tensions, one number per dof of the model; none without a path
void WriteLoad(const mjModel* m, mjData* d, const CableConfig& c, const Record& record,
               Scratch& scratch, double scale, double* out) {
  std::fill(out, out + m->nv, 0.0);
  if (record.status() == static_cast<double>(SolveStatus::kInvalid)) return;
  std::vector<double> load(c.dofs.size());
  GeneralizedLoad(d, c, record, scratch, load.data());
  for (size_t i = 0; i < load.size(); ++i) out[c.dofs[i]] = scale * load[i];
}

}  // namespace
}  // namespace mujocable

using namespace mujocable;

int mujocable_version(void) { return mjVERSION_HEADER; }

const char* mujocable_error(void) { return register_error; }

const char* mujocable_attributes(void) {
  static const std::string table = Table(kAttributes, [](const Attribute& a) {
    return Cells{a.key, a.unit, a.fallback, a.accepted, a.help};
  });
  return table.c_str();
}

const char* mujocable_options(void) {
  static const std::string table = Table(kOptions, [](const Option& o) {
    const GeomRule* rule = RuleOf(o);
    return Cells{o.key, o.elements, o.value, rule ? rule->geoms : "", rule ? rule->refusal : ""};
  });
  return table.c_str();
}

const char* mujocable_fields(void) {
  static const std::string table =
      Table(std::span(kFields, kResultCount), [](const Field& f) { return Cells{f.name}; });
  return table.c_str();
}

int mujocable_cables(const mjModel* m, int instance) {
  return IsCable(m, instance) ? Attributes(m, instance).size() : -1;
}

int mujocable_members(const mjModel* m, int instance, int* state, int* ncontact, int* nwrap) {
  if (!IsCable(m, instance)) return -1;
  Attributes a(m, instance);
  int next = static_cast<int>(m->plugin_stateadr[instance]);
  for (; a.member < a.size(); ++a.member) {
    CountElements(a, ncontact[a.member], nwrap[a.member]);
    state[a.member] = next;
    next += StateSize(ncontact[a.member], nwrap[a.member]);
  }
  return a.size();
}

int mujocable_names(const mjModel* m, int instance, char* out, int size) {
  if (!IsCable(m, instance)) return -1;
  std::string names;
  for (Attributes a(m, instance); a.member < a.size(); ++a.member) names += a.Name() + '\0';
  names.copy(out, std::max(0, size));
  return static_cast<int>(names.size());
}

int mujocable_record_size(int ncontact, int nwrap) { return RecordSize(ncontact, nwrap); }

int mujocable_field(int ncontact, int nwrap, const char* name, int* offset, int* size) {
  for (int i = 0; i < kFieldCount; ++i) {
    if (std::strcmp(kFields[i].name, name)) continue;
    *offset = FieldOffset(i, ncontact, nwrap);
    *size = kFields[i].Size(ncontact, nwrap);
    return 0;
  }
  return -1;
}

int mujocable_parameter(int ncontact, const char* name, int* offset, int* size) {
  for (const StateParameter& parameter : kStateParameters) {
    if (std::strcmp(parameter.name, name)) continue;
    *offset = parameter.offset;
    *size = parameter.per_contact ? ncontact : 1;
    return 0;
  }
  return -1;
}

int mujocable_take_over(const mjModel* m, mjData* d, int instance, int member) {
  const CableConfig* c = Find(m, d, instance, member);
  if (!c) return -1;
  double* block = StateOf(m, d, {instance, c});
  if (*block != c->fingerprint) ResetState(*c, block);
  return 0;
}

int mujocable_rubs(const mjModel* m, mjData* d, int instance, int member, int* out) {
  const CableConfig* c = Find(m, d, instance, member);
  if (!c) return -1;
  for (int i = 0; i < c->ncontact; ++i) out[i] = !c->elements[i + 1].held;
  return c->ncontact;
}

int mujocable_sensor_address(const mjModel* m, mjData* d, int instance, int member) {
  const CableConfig* c = Find(m, d, instance, member);
  return c ? c->record_adr : -1;
}

int mujocable_read(const mjModel* m, mjData* d, int instance, int member, double* out) {
  const CableConfig* c = Find(m, d, instance, member);
  if (!c) return -1;
  const ShownCable cable(m, d, {instance, c});
  std::copy_n(cable.record().block, RecordSize(c->ncontact, c->nwrap), out);
  return 0;
}

int mujocable_points(const mjModel* m, mjData* d, int instance, int member, double* xyz,
                     int max_points) {
  const CableConfig* c = Find(m, d, instance, member);
  if (!c) return -1;
  ShownCable cable(m, d, {instance, c});
  std::vector<Vec3> points(std::max(0, max_points));
  const int n =
      SamplePath(cable.cable().elements(), cable.record(), kArcStep, points.data(), max_points);
  for (int i = 0; i < std::min(n, max_points); ++i) Store(xyz + 3 * i, points[i]);
  return n;
}

int mujocable_jacobian(const mjModel* m, mjData* d, int instance, int member, double* out) {
  const CableConfig* c = Find(m, d, instance, member);
  if (!c) return -1;
  ShownCable cable(m, d, {instance, c});
  std::vector<double> block(RecordSize(c->ncontact, c->nwrap));
  std::copy_n(cable.record().block, block.size(), block.begin());
  const Record record{block.data(), c->ncontact, c->nwrap};
  // at unit tension without friction the load is -G (18)
  std::fill_n(record.tension(), c->ncontact + 1, 1.0);
  WriteLoad(m, d, *c, record, cable.scratch(), -1, out);
  return 0;
}

int mujocable_load(const mjModel* m, mjData* d, int instance, int member, double* out) {
  const CableConfig* c = Find(m, d, instance, member);
  if (!c) return -1;
  ShownCable cable(m, d, {instance, c});
  const Record& record = cable.record();
  WriteLoad(m, d, *c, record, cable.scratch(), 1, out);
  const double tension = record.source_tension();
  if (c->joint_dof >= 0) out[c->joint_dof] -= tension * cable.cable().SpoolGain(tension);
  return 0;
}

int mujocable_mesh(const mjModel* m, mjData* d, int instance, int member, int contact,
                   double* out) {
  const CableConfig* c = Find(m, d, instance, member);
  if (!c || contact < 0 || contact >= c->ncontact) return -1;
  const MeshField* f = c->elements[contact + 1].surface.mesh;
  if (!f) return 0;
  const Deviation& deviation = f->deviation;
  for (double x : {double(f->faces), f->cell, f->offset, f->rounding, deviation.rms, deviation.most,
                   deviation.edge, deviation.facet}) {
    *out++ = x;
  }
  return 1;
}
