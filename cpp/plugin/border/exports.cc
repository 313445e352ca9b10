#include "plugin/border/exports.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "plugin/ask.h"
#include "plugin/configure/attributes.h"
#include "plugin/step/loads.h"
#include "plugin/step/mujoco_cable.h"

namespace mujocable {

const char* register_error = "the library was not loaded by MuJoCo";

namespace {

bool IsCable(const mjModel* m, int instance) {
  if (!m || instance < 0 || instance >= m->nplugin) return false;
  const mjpPlugin* plugin = mjp_getPluginAtSlot(m->plugin[instance]);
  return plugin && !std::strcmp(plugin->name, kPluginName);
}

const CableConfig* Config(const mjModel* m, mjData* d, int instance) {
  return d && IsCable(m, instance) ? FindConfig(m, d, instance) : nullptr;
}

// the record of a cable as it stands, in `block`
Record ReadRecord(const mjModel* m, mjData* d, int instance, const CableConfig& c,
                  std::vector<double>& block) {
  block.resize(RecordSize(c.ncontact, c.nwrap));
  Scratch scratch(d);
  const bool shown = c.record_adr >= 0 && AnyStage(m);
  MujocoCable cable(m, d, instance, c, scratch,
                    shown ? MujocoCable::Use::kRead : MujocoCable::Use::kAside);
  if (!shown) cable.Evaluate();
  const double* from = cable.record().block;
  std::copy(from, from + block.size(), block.begin());
  return Record{block.data(), c.ncontact, c.nwrap};
}

void Scatter(const CableConfig& c, const std::vector<double>& load, double scale, int nv,
             double* out) {
  std::fill(out, out + nv, 0.0);
  for (size_t i = 0; i < c.dofs.size(); ++i) out[c.dofs[i]] = scale * load[i];
}

}  // namespace
}  // namespace mujocable

using mujocable::CableConfig;

int mujocable_version(void) { return mjVERSION_HEADER; }

const char* mujocable_error(void) { return mujocable::register_error; }

const char* mujocable_attributes(void) {
  static const std::string table = [] {
    std::string text;
    for (const mujocable::Attribute& a : mujocable::kAttributes) {
      text += std::string(a.key) + "|" + a.unit + "|" + a.fallback + "|" + a.accepted + "|" +
              a.help + "\n";
    }
    return text;
  }();
  return table.c_str();
}

int mujocable_ncontact(const mjModel* m, int instance) {
  int ncontact, nwrap;
  return mujocable::IsCable(m, instance) && mujocable::CountElements(m, instance, ncontact, nwrap)
             ? ncontact
             : -1;
}

int mujocable_record_size(const mjModel* m, int instance) {
  int ncontact, nwrap;
  if (!mujocable::IsCable(m, instance) || !mujocable::CountElements(m, instance, ncontact, nwrap))
    return -1;
  return mujocable::RecordSize(ncontact, nwrap);
}

int mujocable_field(const mjModel* m, int instance, const char* name, int* offset, int* size) {
  int ncontact, nwrap;
  if (!mujocable::IsCable(m, instance) || !mujocable::CountElements(m, instance, ncontact, nwrap))
    return -1;
  *offset = 0;
  for (const mujocable::Field& field : mujocable::kFields) {
    *size = field.Size(ncontact, nwrap);
    if (!std::strcmp(field.name, name)) return 0;
    *offset += *size;
  }
  return -1;
}

int mujocable_parameter(const mjModel* m, int instance, const char* name, int* adr, int* size) {
  int ncontact, nwrap;
  if (!mujocable::IsCable(m, instance) || !mujocable::CountElements(m, instance, ncontact, nwrap)) {
    return -1;
  }
  for (const mujocable::StateParameter& parameter : mujocable::kStateParameters) {
    if (std::strcmp(parameter.name, name)) continue;
    *adr = m->plugin_stateadr[instance] + parameter.offset;
    *size = parameter.per_contact ? ncontact : 1;
    return 0;
  }
  return -1;
}

int mujocable_sensor_address(const mjModel* m, mjData* d, int instance) {
  const CableConfig* c = mujocable::Config(m, d, instance);
  return c ? c->record_adr : -1;
}

int mujocable_read(const mjModel* m, mjData* d, int instance, double* out) {
  const CableConfig* c = mujocable::Config(m, d, instance);
  if (!c) return -1;
  std::vector<double> block;
  mujocable::ReadRecord(m, d, instance, *c, block);
  std::copy(block.begin(), block.end(), out);
  return 0;
}

int mujocable_points(const mjModel* m, mjData* d, int instance, double* xyz, int max_points) {
  const CableConfig* c = mujocable::Config(m, d, instance);
  if (!c) return -1;
  std::vector<double> block;
  const mujocable::Record record = mujocable::ReadRecord(m, d, instance, *c, block);
  mujocable::Scratch scratch(d);
  mujocable::MujocoCable cable(m, d, instance, *c, scratch, mujocable::MujocoCable::Use::kRead);
  std::vector<mujocable::Vec3> points(max_points > 0 ? max_points : 0);
  const int n =
      mujocable::SamplePath(cable.cable().elements(), record, 0.05, points.data(), max_points);
  for (int i = 0; i < std::min(n, max_points); ++i) mujocable::Store(xyz + 3 * i, points[i]);
  return n;
}

int mujocable_jacobian(const mjModel* m, mjData* d, int instance, double* out) {
  const CableConfig* c = mujocable::Config(m, d, instance);
  if (!c) return -1;
  std::vector<double> block, load(c->dofs.size());
  mujocable::Record record = mujocable::ReadRecord(m, d, instance, *c, block);
  // at unit tension without friction the load is -G (18)
  std::fill(record.tension(), record.tension() + c->ncontact + 1, 1.0);
  mujocable::Scratch scratch(d);
  mujocable::GeneralizedLoad(d, *c, record, scratch, load.data());
  mujocable::Scatter(*c, load, -1, static_cast<int>(m->nv), out);
  return 0;
}

int mujocable_load(const mjModel* m, mjData* d, int instance, double* out) {
  const CableConfig* c = mujocable::Config(m, d, instance);
  if (!c) return -1;
  std::vector<double> block, load(c->dofs.size());
  const mujocable::Record record = mujocable::ReadRecord(m, d, instance, *c, block);
  mujocable::Scratch scratch(d);
  mujocable::GeneralizedLoad(d, *c, record, scratch, load.data());
  mujocable::Scatter(*c, load, 1, static_cast<int>(m->nv), out);
  if (c->joint_dof >= 0) out[c->joint_dof] -= record.source_tension() * c->take_up.Gain();
  return 0;
}

int mujocable_mesh(const mjModel* m, mjData* d, int instance, int contact, double* out) {
  const CableConfig* c = mujocable::Config(m, d, instance);
  if (!c || contact < 0 || contact >= c->ncontact) return -1;
  const mujocable::MeshField* f = c->elements[contact + 1].mesh;
  if (!f) return 0;
  const mujocable::Deviation& deviation = f->deviation;
  for (double x : {double(f->faces), f->cell, f->offset, f->rounding, deviation.rms, deviation.most,
                   deviation.edge, deviation.facet}) {
    *out++ = x;
  }
  return 1;
}
