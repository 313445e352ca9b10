#include "core/law/pieces.h"

#include <algorithm>

namespace mujocable {
namespace {

// whether a cell reaches from one contact to another, or lies on the arc of one
bool InPiece(const Material& m, int j) {
  return j == 0 || j + 1 >= m.n || m.contact[j] != m.contact[j - 1];
}

}  // namespace

double ShortestCell(const AxialStep& step, const Material& material) {
  double shortest = step.length;
  for (int j = 0; j < material.n; ++j) {
    if (InPiece(material, j)) shortest = std::min(shortest, material.length[j]);
  }
  return shortest;
}

int RubbingContacts(const Material& material, int* contact) {
  const int n = material.n, *all = material.contact;
  int count = 0, last = -1;
  for (int j = 0; j + 1 < n; ++j) {
    if (all[j] != last) contact[count++] = last = all[j];
  }
  return count;
}

void CellPieces(const Material& material, int* piece) {
  const int n = material.n, *contact = material.contact;
  int at = 0;
  piece[0] = 0;
  for (int j = 1; j + 1 < n; ++j) piece[j] = contact[j] != contact[j - 1] ? ++at : -1;
  if (n > 1) piece[n - 1] = ++at;
}

}  // namespace mujocable
