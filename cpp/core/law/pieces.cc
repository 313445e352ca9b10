#include "core/law/pieces.h"

#include <algorithm>

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

void CellPieces(const Record& record, int* piece) {
  int at = 0;
  *piece++ = 0;
  for (int i = 0; i < record.ncontact; ++i) {
    const int count = static_cast<int>(record.rubbing()[i]);
    if (count == 0) continue;
    piece = std::fill_n(piece, count - 1, -1);
    *piece++ = ++at;
  }
}

}  // namespace mujocable
