#include "plugin/step/cells.h"

#include <algorithm>

#include "plugin/engine.h"
#include "plugin/step/loads.h"
#include "plugin/step/path_gradients.h"

namespace mujocable {

int RubbingContacts(const Material& material, int* contact) {
  int count = 0;
  for (int j = 0; j + 1 < material.n; ++j) {
    if (count == 0 || contact[count - 1] != material.contact[j]) {
      contact[count++] = material.contact[j];
    }
  }
  return count;
}

void CellPieces(const Material& material, int* piece) {
  int at = 0;
  piece[0] = 0;
  for (int j = 1; j < material.n; ++j) {
    const bool inner = j + 1 < material.n && material.contact[j] == material.contact[j - 1];
    piece[j] = inner ? -1 : ++at;
  }
}

double SpoolMobility(const mjModel* m, const CableConfig& c) {
  if (c.joint_dof < 0) return 0;
  return c.take_up.Gain() * c.take_up.Gain() * m->dof_invweight0[c.joint_dof];
}

double MobilityOf(const mjModel* m, const CableConfig& c, const double* row, const Range& range) {
  double sum = 0;
  for (int k = range.begin; k < range.end; ++k) {
    sum += row[k] * row[k] * m->dof_invweight0[c.dofs[k]];
  }
  return sum;
}

bool Resolved(const mjModel* m, const mjData* d, const CableConfig& c, const AxialStep& step,
              double lever_mobility, const Material& material, const Record& record,
              const double* load, Scratch& scratch) {
  const double h = step.step, spool = SpoolMobility(m, c);
  const AxialParameters& p = step.axial;
  // an explicit step is stable where it undoes no more than 4 times the tension of a spring and 2
  // of a damper: half of that, since the mobility is the one at qpos0
  if (IsDiscrete(m)) return false;
  const double undone = c.sharing * h * (h * p.stiffness + 2 * p.damping);
  const int n = material.n;
  if (n <= 1) return undone * (MobilityAlong(m, c, load) + spool) <= 2;

  // cells are stiffer than the cable by as much as they are shorter
  int* piece = scratch.Take<int>(n);
  CellPieces(material, piece);
  double shortest = step.length;
  for (int j = 0; j < n; ++j) {
    if (piece[j] >= 0) shortest = std::min(shortest, material.length[j]);
  }
  if (undone * (lever_mobility + spool) * step.length <= 2 * shortest) return true;
  int* contact = scratch.Take<int>(n);
  const Pieces pieces =
      PathPieces(d, c, record, contact, RubbingContacts(material, contact), scratch);
  const int ndof = static_cast<int>(c.dofs.size());
  double sum = 0;
  for (int j = 0; j < n; ++j) {
    if (piece[j] < 0) continue;
    double mobility = MobilityOf(m, c, pieces.row + piece[j] * ndof, pieces.range[piece[j]]);
    if (piece[j] == 0) mobility += spool;
    sum += mobility * step.length / std::max(material.length[j], 1e-9 * step.length);
  }
  return undone * sum <= 2;
}

}  // namespace mujocable
