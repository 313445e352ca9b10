#include "plugin/step/path_gradients.h"

#include <algorithm>

namespace mujocable {
namespace {

// one end of a segment
struct End {
  int slot;  // of its body, -1: fixed in the world
  Vec3 point;
};

// Adds how fast a segment grows, along its direction from `near` to `far`. Bodies that carry both
// ends do not change it: only the dofs between them are visited.
void AddSegment(const mjData* d, const CableConfig& c, const End& near, const End& far,
                const Vec3& direction, double* sum, Range& range) {
  // inside a sheath nothing grows
  if (near.slot == far.slot || Dot(direction, direction) == 0) return;
  // up from `end` to the first body that carries the other one too: parents come first
  const auto climb = [&](const End& end, int from, int other, double sign) {
    if (from <= other) return from;
    const Vec3 moment =
        Cross(end.point - Load(d->subtree_com + 3 * c.slots[end.slot].root), direction);
    while (from > other) {
      const BodySlot& body = c.slots[from];
      range.begin = std::min(range.begin, body.first_dof);
      range.end = std::max(range.end, body.first_dof + body.ndof);
      const mjtNum* cdof =
          d->cdof + 6 * c.dofs[body.first_dof];  // of a body they follow each other
      for (int k = body.first_dof; k < body.first_dof + body.ndof; ++k, cdof += 6) {
        sum[k] += sign * (Dot(Load(cdof + 3), direction) + Dot(Load(cdof), moment));
      }
      from = body.parent;
    }
    return from;
  };
  int low = near.slot, high = far.slot;
  while (low != high) {
    high = climb(far, high, low, 1);
    low = climb(near, low, high, -1);
  }
}

}  // namespace

Pieces PathPieces(const mjData* d, const CableConfig& c, const Record& record, const int* contact,
                  int count, Scratch& scratch) {
  const int n = record.ncontact, ndof = static_cast<int>(c.dofs.size());
  const int columns = ndof + (c.joint_dof >= 0);
  const Pieces pieces{count + 1, columns, scratch.Take<double>((count + 1) * columns),
                      scratch.Take<Range>(count + 1)};
  // from the distal end, one segment after the other
  int piece = count + 1;
  double* row;
  Range* range;
  const auto begin_next = [&] {
    --piece;
    row = pieces.row + piece * columns;
    range = pieces.range + piece;
    *range = {columns, 0};
  };
  std::fill(pieces.row, pieces.row + pieces.n * columns, 0.0);
  begin_next();
  End far{c.slot_of_element[n + 1], Load(record.ends() + 3)};
  for (int i = n - 1; i >= 0; --i) {
    if (!record.Touching(i)) continue;
    const int slot = c.slot_of_element[i + 1];
    AddSegment(d, c, {slot, record.Exit(i)}, far, record.Direction(i + 1), row, *range);
    far = {slot, record.Entry(i)};
    if (piece > 0 && i == contact[piece - 1]) begin_next();
  }
  AddSegment(d, c, {c.slot_of_element[0], Load(record.ends())}, far, record.Direction(0), row,
             *range);
  if (columns > ndof) {
    row[ndof] = c.take_up.Gain();
    *range = {std::min(range->begin, ndof), columns};
  }
  for (int j = 0; j <= count; ++j) {
    if (pieces.range[j].end < pieces.range[j].begin) pieces.range[j] = {0, 0};
  }
  return pieces;
}

}  // namespace mujocable
