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
  int count = 0;
  for (int j = 0; j + 1 < material.n; ++j) {
    if (count == 0 || contact[count - 1] != material.contact[j]) {
      contact[count++] = material.contact[j];
    }
  }
  return count;
}

void CellPieces(const Material& material, int* piece) {
  int at = -1;
  for (int j = 0; j < material.n; ++j) piece[j] = InPiece(material, j) ? ++at : -1;
}

}  // namespace mujocable
