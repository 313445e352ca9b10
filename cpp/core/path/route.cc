#include "core/path/route.h"

#include <algorithm>
#include <cmath>

#include "core/math/angle.h"
#include "core/path/guides.h"
#include "core/path/single.h"
#include "core/path/span_solve.h"
#include "core/path/verdict.h"
#include "core/state.h"
#include "core/surface/circle.h"
#include "core/surface/groove.h"

namespace mujocable {
namespace {

// Where the cable really is at a fixed node: on a wrap before or after it that it rides on, a drum,
// or that it lies in by no more than is allowed; else at the node. Most nodes lie clear of them.
inline Vec3 NodePoint(const Element* elements, int count, int i, const RouteLimits& limits,
                      Verdict& verdict) {
  const Element& node = elements[i];
  Vec3 point = node.pos;
  const auto beside = [&](const Element& element, bool clamped) {
    if (element.kind != ElementKind::kWrap) return;
    const Surface& s = element.wrap->surface;
    // an end inside a hollow surface is where it belongs
    if (s.inside || (!clamped && ClearlyOutside(s, point))) return;
    const double distance = Distance(s, point);
    const bool rides = clamped && distance <= kOnSurface * s.radius;
    if (!rides && !(distance < 0 && distance >= -Allowed(limits, s))) return;
    if (!rides) verdict.penetration = std::max(verdict.penetration, -distance);
    point = Project(s, point);
  };
  if (i > 0) beside(elements[i - 1], node.clamp_before);
  if (i + 1 < count) beside(elements[i + 1], node.clamp_after);
  return point;
}

// an infinite or undefined number in any pose
bool BadPose(const Element* elements, int count) {
  double sum = 0;  // finite only where every term is
  for (int i = 0; i < count; ++i) {
    const Element& e = elements[i];
    if (e.kind == ElementKind::kWrap) {
      const Surface& s = e.wrap->surface;
      if (!(s.radius > 0)) return true;
      sum += s.radius + Dot(s.pos, s.pos);
      for (double x : s.rot.m) sum += x;
    } else {
      sum += e.pos.x + e.pos.y + e.pos.z;
    }
  }
  return !std::isfinite(sum);
}

// an error or an undefined number leaves no path
void Clear(Record& record) {
  std::fill_n(record.block, RecordSize(record.ncontact, record.nwrap), 0.0);
}

// the verdict; a path that is not taut leaves no trace in the memory
MUJOCABLE_INLINE inline void Conclude(const Verdict& verdict, const RouteLimits& limits,
                                      const double* memory, Start start, Record& record) {
  SolveStatus status = SolveStatus::kValid;
  int contact = -1;
  const auto happened = [&](SolveStatus what, int at) {
    status = what;
    contact = at;
  };
  if (verdict.slipped >= 0) happened(SolveStatus::kSlipped, verdict.slipped);
  if (verdict.let_go >= 0) happened(SolveStatus::kLetGo, verdict.let_go);
  if (verdict.derailed >= 0) happened(SolveStatus::kDerailed, verdict.derailed);
  const bool taut =
      verdict.converged && !verdict.pierced && verdict.smoothness <= limits.smoothness;
  if (!taut) happened(SolveStatus::kKept, verdict.loose);
  if (!std::isfinite(record.length())) {
    Clear(record);
    happened(SolveStatus::kInvalid, -1);
  }
  record.status() = static_cast<double>(status);
  record.status_contact() = contact;
  record.derailments() = taut && start == Start::kWarm ? verdict.derailments : 0;
  record.smoothness() = verdict.smoothness;
  record.surface_error() = verdict.surface_error;
  record.penetration() = verdict.penetration;
  record.iterations() = verdict.iterations;
  if ((!taut || status == SolveStatus::kInvalid) && memory) {
    std::copy(memory, memory + kWrapMemory * record.nwrap, record.memory());
  }
}

}  // namespace

void SolveRoute(const Element* elements, int count, const double* memory, Start start,
                const RouteLimits& limits, Record& record, double slack) {
  // guides alone need no such care: a bad number ends up in the length
  if (record.nwrap > 0 && BadPose(elements, count)) {
    record.length() = NAN;
    return Conclude({}, limits, memory, start, record);
  }

  // span by span: between two fixed nodes nothing else matters
  Verdict verdict;
  record.length() = 0;
  int wrap = 0;
  Vec3 from = NodePoint(elements, count, 0, limits, verdict);
  Store(record.ends(), from);
  for (int first = 0, last = 1; last < count; first = last++) {
    if (elements[first].kind == ElementKind::kSheath) {
      const Vec3 to = NodePoint(elements, count, last, limits, verdict);
      WriteSheath(*elements[first].sheath, from, to, Arriving(elements, record, first - 1),
                  first - 1, record.memory() + kWrapMemory * wrap++, record);
      WriteGuide(last - 1, to, record);
      from = to;
      continue;
    }
    while (elements[last].kind == ElementKind::kWrap) ++last;
    const int wraps = last - first - 1;
    // without a wrap between, on to the last node before one: the nodes passed touch no surface
    if (wraps == 0) {
      while (last + 1 < count && elements[last].kind != ElementKind::kSheath &&
             elements[last + 1].kind != ElementKind::kWrap) {
        ++last;
      }
    }
    const Vec3 to = NodePoint(elements, count, last, limits, verdict);
    if (last == count - 1) Store(record.ends() + 3, to);
    if (wraps == 0) {
      SolveGuides(elements, from, to, first, last, record);
    } else {
      if (wraps == 1 && !IsSmooth(elements[first + 1].wrap->surface)) {
        const int at = kWrapMemory * wrap;
        SolveSingle(*elements[first + 1].wrap, from, to, first, memory ? memory + at : nullptr,
                    start, limits, slack, record.memory() + at, record, verdict);
      } else {
        SolveWraps(elements, from, to, first, last, wrap, memory, start, limits, slack, record,
                   verdict);
      }
      for (int i = first + 1; i < last; ++i) wrap += MemoryRows(elements[i].wrap->surface);
      // a guide before the wraps: how far the cable turns there is known now
      if (first > 0) {
        record.wrap_angle()[first - 1] =
            Angle(Arriving(elements, record, first - 1), record.Direction(first));
      }
    }
    // a bend that is given has that of the exit in it
    if (first > 0 && elements[first - 1].kind == ElementKind::kSheath &&
        elements[first - 1].sheath->bend >= 0) {
      record.wrap_angle()[first - 1] = 0;
    }
    if (last < count - 1) WriteGuide(last - 1, to, record);
    from = to;
  }

  Conclude(verdict, limits, memory, start, record);
}

Vec3 PointOnContact(const Element& element, const Record& record, int contact, int row,
                    double length) {
  if (element.kind == ElementKind::kSheath) {
    return PointInSheath(*element.sheath, record.Entry(contact), record.Entry(contact + 1),
                         length / record.arc()[contact]);
  }
  if (length >= record.arc()[contact]) return record.Exit(contact);
  const Surface& s = element.wrap->surface;
  const double arc = record.arc()[contact], *memory = record.memory() + kWrapMemory * row;
  const Vec3 entry = record.Entry(contact);
  if (IsGrooved(s)) return PointInGroove(s, entry, record.Exit(contact), arc, length);
  // one arc, or arc, straight, arc
  const bool twice = MemoryRows(s) > 1 && LoadMemory(memory + kWrapMemory).touching;
  const WrapMemory first = LoadMemory(memory);
  if (!twice || length <= first.arc) return Shoot(s, entry, record.Direction(contact), length).q;
  const WrapMemory second = LoadMemory(memory + kWrapMemory);
  const Vec3 t = Rotate(s.rot, second.tangent), p = s.pos + Rotate(s.rot, second.point);
  const double gap = arc - first.arc - second.arc, beyond = length - first.arc - gap;
  return beyond < 0 ? p + beyond * t : Shoot(s, p, t, beyond).q;
}

int SamplePath(const Element* elements, const Record& record, double step, Vec3* points,
               int max_points) {
  int n = 0;
  const auto add = [&](const Vec3& x) {
    if (n < max_points) points[n] = x;
    ++n;
  };
  add(Load(record.ends()));
  int row = 0;
  for (int i = 0; i < record.ncontact; ++i) {
    const Element& element = elements[i + 1];
    const int here = row;
    row += MemoryRows(element);
    if (!record.Touching(i)) continue;
    add(record.Entry(i));
    if (record.arc()[i] <= 0) continue;
    // an arc leaves along the segment that brought it
    const auto sample = [&](double from, double length, double angle) {
      const int pieces = 1 + static_cast<int>(std::min(1e4, angle / step));
      for (int k = 1; k < pieces; ++k) {
        add(PointOnContact(element, record, i, here, from + length * k / pieces));
      }
    };
    const double arc = record.arc()[i], angle = record.wrap_angle()[i];
    const double* memory = record.memory() + kWrapMemory * here;
    const double second = row > here + 1 ? LoadMemory(memory + kWrapMemory).arc : 0;
    if (second > 0) {
      // both ends of what is free between
      const double first = LoadMemory(memory).arc, share = first / (first + second);
      sample(0, first, share * angle);
      add(PointOnContact(element, record, i, here, first));
      add(PointOnContact(element, record, i, here, arc - second));
      sample(arc - second, second, (1 - share) * angle);
    } else {
      sample(0, arc, angle);
    }
    if (element.kind == ElementKind::kWrap) add(record.Exit(i));
  }
  add(Load(record.ends() + 3));
  return n;
}

}  // namespace mujocable
