// The record: everything one evaluation of a cable found, as one block of numbers.
//
// The route solver fills the geometry, the later stages the rest. The adapter keeps it in the
// sensor data of MuJoCo, where users, batches and rollouts read it and the next stage finds it.
// n contacts (Wraps and Eyelets) separate n + 1 segments.

#ifndef MUJOCABLE_CORE_RECORD_H_
#define MUJOCABLE_CORE_RECORD_H_

#include <array>
#include <cstddef>
#include <utility>

#include "vec.h"

namespace mujocable {

enum class SolveStatus { kValid = 0, kKept = 1, kInvalid = 2 };

// numbers the solver remembers of a wrap from one step to the next
inline constexpr int kWrapMemory = 9;

struct Record {
  int ncontact = 0, nwrap = 0;
  double* length;          // of the path                                     [m]
  double* length_rate;     //                                                 [m/s]
  double* rest_length;     // unstrained material between the ends            [m]
  double* stretch;         // elongation, negative when slack                 [m]
  double* slack;           // max(0, -stretch)                                [m]
  double* take_up;         // cable taken in                                  [m]
  double* take_up_rate;    //                                                 [m/s]
  double* source_tension;  // of segment 0                                    [N]
  double* status;          // SolveStatus
  double* smoothness;      // largest kink where segment and arc meet         [rad]
  double* surface_error;   // largest distance of a contact from its surface  [m]
  double* penetration;     // deepest cut of a segment into a listed surface  [m]
  double* iterations;      // of the route solver
  double* energy;          // elastic                                         [J]
  double* tension;         // per segment                                     [N], shape [n + 1]
  double* touching;        // per contact, 0 or 1                             shape [n]
  double* wrap_angle;      // turning of the tangent                          [rad], shape [n]
  double* slip_rate;       // cable past contact, + toward the distal end     [m/s], shape [n]
  double* dissipation;     // power lost to friction                          [W], shape [n]
  double* overrun;         // contact beyond a cylinder's end                 [m], shape [n]
  double* entry;           // world, zeros when lifted                        [m], shape [n, 3]
  double* exit;            // world, zeros when lifted                        [m], shape [n, 3]
  double* growth;          // rate of the path beyond each contact            [m/s], shape [n]
  double* arc;             // length on the surface                           [m], shape [n]
  double* ends;            // where source and distal end pull, world         [m], shape [2, 3]
  double* direction;       // unit vectors of the segments                    shape [n + 1, 3]
  double* open;            // 1 while MuJoCo evaluates what its sensors show
  double* implicit;        // share of the implicit law in the tension, 0 to 1
  double* implicit_slip;   // share of the slip at the end of the step in the friction, 0 to 1
  double* segment;         // lengths of the segments                         [m], shape [n + 1]
  double* memory;          // of each wrap, two of a ring                     shape [nwrap, 9]

  bool Touching(int i) const { return touching[i] != 0; }
  // solved with the motion of the step, together with all other such cables
  bool Coupled() const { return *implicit != 0 || *implicit_slip != 0; }
  Vec3 Direction(int segment_index) const { return Load(direction + 3 * segment_index); }
  Vec3 Entry(int i) const { return Load(entry + 3 * i); }
  Vec3 Exit(int i) const { return Load(exit + 3 * i); }
};

// one field of the record
struct Field {
  const char* name;
  double* Record::* pointer;
  int per_record, per_segment, per_contact, per_wrap;  // numbers of each
  int Size(int ncontact, int nwrap) const {
    return per_record + per_segment * (ncontact + 1) + per_contact * ncontact + per_wrap * nwrap;
  }
};

inline constexpr Field kFields[] = {
    {"length", &Record::length, 1, 0, 0, 0},
    {"length_rate", &Record::length_rate, 1, 0, 0, 0},
    {"rest_length", &Record::rest_length, 1, 0, 0, 0},
    {"stretch", &Record::stretch, 1, 0, 0, 0},
    {"slack", &Record::slack, 1, 0, 0, 0},
    {"take_up", &Record::take_up, 1, 0, 0, 0},
    {"take_up_rate", &Record::take_up_rate, 1, 0, 0, 0},
    {"source_tension", &Record::source_tension, 1, 0, 0, 0},
    {"status", &Record::status, 1, 0, 0, 0},
    {"smoothness", &Record::smoothness, 1, 0, 0, 0},
    {"surface_error", &Record::surface_error, 1, 0, 0, 0},
    {"penetration", &Record::penetration, 1, 0, 0, 0},
    {"iterations", &Record::iterations, 1, 0, 0, 0},
    {"energy", &Record::energy, 1, 0, 0, 0},
    {"tension", &Record::tension, 0, 1, 0, 0},
    {"touching", &Record::touching, 0, 0, 1, 0},
    {"wrap_angle", &Record::wrap_angle, 0, 0, 1, 0},
    {"slip_rate", &Record::slip_rate, 0, 0, 1, 0},
    {"dissipation", &Record::dissipation, 0, 0, 1, 0},
    {"overrun", &Record::overrun, 0, 0, 1, 0},
    {"entry", &Record::entry, 0, 0, 3, 0},
    {"exit", &Record::exit, 0, 0, 3, 0},
    {"growth", &Record::growth, 0, 0, 1, 0},
    {"arc", &Record::arc, 0, 0, 1, 0},
    {"ends", &Record::ends, 6, 0, 0, 0},
    {"direction", &Record::direction, 0, 3, 0, 0},
    {"open", &Record::open, 1, 0, 0, 0},
    {"implicit", &Record::implicit, 1, 0, 0, 0},
    {"implicit_slip", &Record::implicit_slip, 1, 0, 0, 0},
    {"segment", &Record::segment, 0, 1, 0, 0},
    {"memory", &Record::memory, 0, 0, 0, kWrapMemory},
};

inline constexpr int kFieldCount = sizeof(kFields) / sizeof(kFields[0]);

// results come first, scratch of the stages from growth on: a sensor may show a result
inline constexpr int kResultCount = [] {
  int count = 0;
  while (kFields[count].pointer != &Record::growth) ++count;
  return count;
}();

inline int RecordSize(int ncontact, int nwrap) {
  int size = 0;
  for (const Field& field : kFields) size += field.Size(ncontact, nwrap);
  return size;
}

// where a field begins: base + slope * ncontact; the memory of the wraps comes last
struct FieldPlace {
  int base, slope;
};
inline constexpr auto kPlaces = [] {
  std::array<FieldPlace, kFieldCount> places{};
  for (int i = 1; i < kFieldCount; ++i) {
    const Field& before = kFields[i - 1];
    places[i] = {places[i - 1].base + before.per_record + before.per_segment,
                 places[i - 1].slope + before.per_segment + before.per_contact};
    if (before.per_wrap != 0) throw "only the last field may depend on the wraps";
  }
  return places;
}();

inline int FieldOffset(int field, int ncontact) {
  return kPlaces[field].base + kPlaces[field].slope * ncontact;
}

template <double* Record::* pointer>
int OffsetOf(int ncontact) {
  constexpr int index = [] {
    int i = 0;
    while (kFields[i].pointer != pointer) ++i;
    return i;
  }();
  return FieldOffset(index, ncontact);
}

// the record that lives at `block`
inline Record RecordAt(double* block, int ncontact, int nwrap) {
  Record record;
  record.ncontact = ncontact;
  record.nwrap = nwrap;
  const auto set = [&]<std::size_t... i>(std::index_sequence<i...>)
#if defined(__GNUC__)
                       __attribute__((always_inline))
#endif
  {
    const std::ptrdiff_t n = ncontact;
    ((record.*(kFields[i].pointer) = block + (kPlaces[i].base + kPlaces[i].slope * n)), ...);
  };
  set(std::make_index_sequence<kFieldCount>());
  return record;
}

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_RECORD_H_
