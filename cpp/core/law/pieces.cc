#include "core/law/pieces.h"

#include "core/law/cell.h"

namespace mujocable {

int CutPath(const Record& record, const double* friction, const ContactCut* cuts, Piece* piece) {
  const double *segment = record.segment(), *arc = record.arc(), *touching = record.touching();
  int n = 0;
  piece[0].contact = -1;
  double length = segment[0];
  for (int i = 0; i < record.ncontact; ++i) {
    length += arc[i];
    if (friction[i] > 0 && touching[i] != 0) {
      double edge = 0;  // before the first mark and behind the last one
      if (arc[i] > 0) edge = arc[i] * kParts[SubcontactCount(friction[i] * cuts[i].angle)] / 2;
      piece[n++].length = length - arc[i] + edge;
      piece[n].contact = i;
      length = edge;
    }
    length += segment[i + 1];
  }
  piece[n++].length = length;
  return n;
}

void CellPieces(const Material& material, int* piece) {
  const int n = material.n, *contact = material.contact;
  int at = 0;
  piece[0] = 0;
  for (int j = 1; j + 1 < n; ++j) piece[j] = contact[j] != contact[j - 1] ? ++at : -1;
  if (n > 1) piece[n - 1] = ++at;
}

}  // namespace mujocable
