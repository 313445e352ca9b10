#include "plugin/step/path_gradients.h"

#include <algorithm>

#include "core/law/cell.h"

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

// the segments of a path, from the distal end on
class Walk {
 public:
  Walk(const mjData* d, const CableConfig& c, const Record& record)
      : d_(d),
        c_(c),
        record_(record),
        at_(record.ncontact),
        far_{c.slot_of_element[at_ + 1], Load(record.ends() + 3)} {}

  // adds those up to a contact that is touched; negative: up to the source, and its spool
  void To(int contact, double* row, Range& range) {
    while (at_ > std::max(contact, 0)) {
      const int i = --at_, slot = c_.slot_of_element[i + 1];
      if (!record_.Touching(i)) continue;
      AddSegment(d_, c_, {slot, record_.Exit(i)}, far_, record_.Direction(i + 1), row, range);
      far_ = {slot, record_.Entry(i)};
    }
    if (contact >= 0) return;
    const End source{c_.slot_of_element[0], Load(record_.ends())};
    AddSegment(d_, c_, source, far_, record_.Direction(0), row, range);
    if (c_.joint_dof < 0) return;
    const int spool = static_cast<int>(c_.dofs.size());
    row[spool] = c_.take_up.Gain();
    range = {std::min(range.begin, spool), spool + 1};
  }

 private:
  const mjData* d_;
  const CableConfig& c_;
  const Record& record_;
  int at_;  // contacts before this one are still to come
  End far_;
};

int Columns(const CableConfig& c) { return static_cast<int>(c.dofs.size()) + (c.joint_dof >= 0); }

}  // namespace

Pieces PathPieces(const mjData* d, const CableConfig& c, const Record& record, const Piece* piece,
                  int n, Scratch& scratch) {
  const int columns = Columns(c);
  const Pieces pieces{n, columns, scratch.Take<double>(n * columns), scratch.Take<Range>(n)};
  std::fill(pieces.row, pieces.row + n * columns, 0.0);
  Walk walk(d, c, record);
  for (int j = n - 1; j >= 0; --j) {
    Range& range = pieces.range[j] = {columns, 0};
    walk.To(piece[j].contact, pieces.row + j * columns, range);
    if (range.end < range.begin) range = {0, 0};
  }
  return pieces;
}

double MobilityAlong(const mjModel* m, const CableConfig& c, const double* row,
                     const Range& range) {
  double sum = 0;
  for (int k = range.begin; k < range.end; ++k) {
    sum += row[k] * row[k] * m->dof_invweight0[DofOf(c, k)];
  }
  return sum;
}

double MobilityAlong(const mjModel* m, const mjData* d, const CableConfig& c, const Record& record,
                     const Piece* piece, int n, double enough, Scratch& scratch) {
  const int columns = Columns(c);
  const double length = record.length();
  double* row = scratch.Take<double>(columns);
  std::fill(row, row + columns, 0.0);
  Walk walk(d, c, record);
  double sum = 0;
  for (int j = n - 1; j >= 0 && sum <= enough; --j) {
    Range range{columns, 0};
    walk.To(piece[j].contact, row, range);
    if (range.end < range.begin) continue;
    const double own = std::max(piece[j].length, kShortestCell * length);
    sum += MobilityAlong(m, c, row, range) * length / own;
    std::fill(row + range.begin, row + range.end, 0.0);
  }
  return sum;
}

}  // namespace mujocable
