#include "plugin/step/path_gradients.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/law/cell.h"
#include "plugin/ask.h"

namespace mujocable {
namespace {

// one end of a segment
struct End {
  int slot;  // of its body, -1: fixed in the world
  const double* point;
};

// calls visit(body, is_far) for the bodies that move the ends of a segment against each other:
// parents come first
template <typename Visit>
MUJOCABLE_INLINE inline void VisitBetween(const CableConfig& c, int near, int far,
                                          const Visit& visit) {
  while (near != far) {
    const bool is_far = far > near;
    int& slot = is_far ? far : near;
    const BodySlot& body = c.slots[slot];
    visit(body, is_far);
    slot = body.parent;
  }
}

// Adds how fast a segment grows, along its direction from `near` to `far`. Bodies that carry both
// ends do not change it: only the dofs between them are visited.
void AddSegment(const mjData* d, const CableConfig& c, const End& near, const End& far,
                const Vec3& direction, double* row, Range& range) {
  if (Dot(direction, direction) == 0) return;  // inside a sheath nothing grows
  VisitBetween(c, near.slot, far.slot, [&](const BodySlot& body, bool is_far) {
    const Vec3 arm = Load(is_far ? far.point : near.point) - Load(d->subtree_com + 3 * body.root);
    const Vec3 moment = Cross(arm, direction);
    const int first = body.first_dof, end = first + body.ndof;
    range = {std::min(range.begin, first), std::max(range.end, end)};
    // of a body they follow each other
    const mjtNum* cdof = d->cdof + 6 * c.dofs[first];
    for (int k = first; k < end; ++k, cdof += 6) {
      const double grows = Dot(Load(cdof + 3), direction) + Dot(Load(cdof), moment);
      row[k] += is_far ? grows : -grows;
    }
  });
}

// the segments of a path, from the distal end on
class Walk {
 public:
  Walk(const mjData* d, const CableConfig& c, const Record& record)
      : d_(d),
        c_(c),
        record_(record),
        at_(record.ncontact),
        far_{c.slot_of_element[at_ + 1], record.ends() + 3} {}

  // Adds those up to a contact that is touched, negative: up to the source, and its spool; returns
  // where that is.
  Range To(int contact, double* row) {
    const int spool = static_cast<int>(c_.dofs.size());
    Range range{spool, 0};
    while (at_ > std::max(contact, 0)) {
      const int i = --at_, slot = c_.slot_of_element[i + 1];
      if (!record_.Touching(i)) continue;
      if (slot != far_.slot) {
        const End near{slot, record_.exit() + 3 * i};
        AddSegment(d_, c_, near, far_, record_.Direction(i + 1), row, range);
      }
      far_ = {slot, record_.entry() + 3 * i};
    }
    if (contact >= 0) return range;
    const End source{c_.slot_of_element[0], record_.ends()};
    AddSegment(d_, c_, source, far_, record_.Direction(0), row, range);
    if (c_.joint_dof < 0) return range;
    row[spool] = c_.take_up.Gain();
    return {range.begin, spool + 1};
  }

 private:
  const mjData* d_;
  const CableConfig& c_;
  const Record& record_;
  int at_;  // contacts before this one are still to come
  End far_;
};

int Columns(const CableConfig& c) { return static_cast<int>(c.dofs.size()) + (c.joint_dof >= 0); }

// where a segment leaves and arrives: the contacts that are touched beside it
MUJOCABLE_INLINE inline std::array<End, 2> EndsOf(const CableConfig& c, const Record& record,
                                                  int segment) {
  int next = segment;
  while (next < record.ncontact && !record.Touching(next)) ++next;
  const double* leaves = segment == 0 ? record.ends() : record.exit() + 3 * (segment - 1);
  const double* arrives = next == record.ncontact ? record.ends() + 3 : record.entry() + 3 * next;
  return {End{c.slot_of_element[segment], leaves}, End{c.slot_of_element[next + 1], arrives}};
}

// how much a dof gives way within a step
double DampedMobility(const mjModel* m, const mjData* d, int dof) {
  const double own = m->dof_invweight0[dof];
  return own / (1 + m->opt.timestep * ImplicitDamping(m, d, dof) * own);
}

}  // namespace

Pieces PathPieces(const mjData* d, const CableConfig& c, const Record& record, const Piece* piece,
                  int n, Scratch& scratch) {
  const int columns = Columns(c);
  const Pieces pieces{n, columns, scratch.Take<double>(n * columns), scratch.Take<Range>(n)};
  std::fill(pieces.row, pieces.row + n * columns, 0.0);
  Walk walk(d, c, record);
  for (int j = n - 1; j >= 0; --j) {
    pieces.range[j] = walk.To(piece[j].contact, pieces.row + j * columns);
  }
  return pieces;
}

double MostSwungBy(const mjModel* m, const mjData* d, const CableConfig& c, const Record& record,
                   int segment, double tension) {
  constexpr double kRounding = 1e-6;  // far beyond that of a few operations
  const std::array<End, 2> ends = EndsOf(c, record, segment);
  const Vec3 along = record.Direction(segment);
  double across = 0, turned = 0;
  VisitBetween(c, ends[0].slot, ends[1].slot, [&](const BodySlot& body, bool is_far) {
    const Vec3 arm = Load(ends[is_far].point) - Load(d->subtree_com + 3 * body.root);
    const int first = c.dofs[body.first_dof];
    const mjtNum* cdof = d->cdof + 6 * first;
    for (int k = first; k < first + body.ndof; ++k, cdof += 6) {
      const Vec3 turns = Load(cdof);
      const Vec3 moves = Load(cdof + 3) + Cross(turns, arm);
      const double turn = Dot(turns, Cross(moves, along)), mobility = DampedMobility(m, d, k);
      across += mobility * Dot(moves, moves);
      turned += mobility * std::max(0.0, is_far ? turn : -turn);
    }
  });
  const double h = m->opt.timestep;
  return (1 + kRounding) * h * h * tension * (across / record.segment()[segment] + turned);
}

Sideways SidewaysOf(const mjModel* m, const mjData* d, const CableConfig& c, const Record& record,
                    int segment, Scratch& scratch) {
  Sideways sideways{scratch.Take<Sway>(Columns(c)), 0, record.segment()[segment], 0};
  const std::array<End, 2> ends = EndsOf(c, record, segment);
  const Vec3 along = record.Direction(segment);
  // inside a sheath nothing swings
  if (ends[0].slot == ends[1].slot || Dot(along, along) == 0) return sideways;
  Vec3 way, gives[3];  // in the step; by the axes of the world
  double turned = 0;
  VisitBetween(c, ends[0].slot, ends[1].slot, [&](const BodySlot& body, bool is_far) {
    if (!Awake(m, d, c.dofs[body.first_dof])) return;
    const Vec3 arm = Load(ends[is_far].point) - Load(d->subtree_com + 3 * body.root);
    const double sign = is_far ? 1 : -1;
    const mjtNum* cdof = d->cdof + 6 * c.dofs[body.first_dof];
    for (int k = body.first_dof; k < body.first_dof + body.ndof; ++k, cdof += 6) {
      const Vec3 turns = Load(cdof), moves = sign * (Load(cdof + 3) + Cross(turns, arm));
      const double step = m->opt.timestep * d->qvel[c.dofs[k]];
      // as for the length: no further than it turns
      const double turn =
          std::max(0.0, Dot(along, Cross(turns, moves))) / std::sqrt(1 + step * step);
      const double mobility = DampedMobility(m, d, c.dofs[k]);
      sideways.dofs[sideways.n++] = {k, moves, turn};
      way += step * moves;
      for (int i = 0; i < 3; ++i) gives[i] += (mobility * moves[i]) * moves;
      turned += turn * mobility;
    }
  });
  sideways.length = Norm({sideways.length, Norm(Cross(way, along)), 0});
  // one mode, or a little more than the largest of several
  const double most = Norm({Norm(gives[0]), Norm(gives[1]), Norm(gives[2])});
  sideways.mobility = most / sideways.length + turned;
  return sideways;
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
  const double length = record.length();
  const int columns = Columns(c);
  double* row = scratch.Take<double>(columns);
  std::fill(row, row + columns, 0.0);
  Walk walk(d, c, record);
  double sum = 0;
  for (int j = n - 1; j >= 0 && sum <= enough; --j) {
    const Range range = walk.To(piece[j].contact, row);
    const double own = std::max(piece[j].length, kShortestCell * length);
    sum += MobilityAlong(m, c, row, range) * length / own;
    for (int k = range.begin; k < range.end; ++k) row[k] = 0;
  }
  return sum;
}

}  // namespace mujocable
