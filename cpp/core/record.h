// The record: everything one evaluation of a cable found, as one block of numbers.
//
// The route solver fills the geometry, the later stages the rest. The adapter keeps it in the
// sensor data of MuJoCo, where users, batches and rollouts read it and the next stage finds it.
// n contacts (Wraps and Eyelets) separate n + 1 segments.

#ifndef MUJOCABLE_CORE_RECORD_H_
#define MUJOCABLE_CORE_RECORD_H_

#include <array>
#include <cstddef>
#include <string_view>

#include "core/math/vec.h"

namespace mujocable {

// how a path came about; all but an invalid one are paths to pull along
enum class SolveStatus {
  kValid = 0,
  kKept = 1,  // not taut to the limits: the best that was found; the next step starts as this did
  kInvalid = 2,   // a number is not finite: there is no path
  kLetGo = 3,     // an end is inside a surface, which gives way or takes no part
  kSlipped = 4,   // the string slipped off to another path in this step
  kDerailed = 5,  // it left a groove, or ran off the end of a cylinder
};

// numbers the solver remembers of a wrap from one step to the next
inline constexpr int kWrapMemory = 9;

// Most places along one arc where the cable may stick or slip on its own (15); an eyelet has one.
inline constexpr int kSubcontacts = 9;

// numbers that say where an arc lay on its body in the step before, see material.h
inline constexpr int kFooting = 13;

// one field of the record
struct Field {
  const char* name;
  int per_record, per_segment, per_contact, per_wrap;  // numbers of each
  int Size(int ncontact, int nwrap) const {
    return per_record + per_segment * (ncontact + 1) + per_contact * ncontact + per_wrap * nwrap;
  }
};

inline constexpr Field kFields[] = {
    {"length", 1, 0, 0, 0},               // of the path                                    [m]
    {"length_rate", 1, 0, 0, 0},          //                                                [m/s]
    {"rest_length", 1, 0, 0, 0},          // unstrained material between the ends           [m]
    {"stretch", 1, 0, 0, 0},              // elongation, negative when slack                [m]
    {"slack", 1, 0, 0, 0},                // max(0, -stretch)                               [m]
    {"take_up", 1, 0, 0, 0},              // cable taken in                                 [m]
    {"take_up_rate", 1, 0, 0, 0},         //                                                [m/s]
    {"source_tension", 1, 0, 0, 0},       // of segment 0                                   [N]
    {"status", 1, 0, 0, 0},               // SolveStatus
    {"status_contact", 1, 0, 0, 0},       // the contact that the status is about, -1: none
    {"derailments", 1, 0, 0, 0},          // how often it left a wrap since the reset
    {"smoothness", 1, 0, 0, 0},           // largest kink where segment and arc meet        [rad]
    {"surface_error", 1, 0, 0, 0},        // largest distance of a contact from its surface [m]
    {"penetration", 1, 0, 0, 0},          // deepest cut of a segment into a listed surface [m]
    {"iterations", 1, 0, 0, 0},           // of the route solver
    {"solves", 1, 0, 0, 0},               // linear systems of the step, < 0: no balance was found
    {"energy", 1, 0, 0, 0},               // elastic                                        [J]
    {"tension", 0, 1, 0, 0},              // per segment                                    [N]
    {"touching", 0, 0, 1, 0},             // per contact, 0 or 1
    {"wrap_angle", 0, 0, 1, 0},           // turning of the tangent                         [rad]
    {"slip_rate", 0, 0, 1, 0},            // cable past contact, + toward the distal end    [m/s]
    {"dissipation", 0, 0, 1, 0},          // power lost to friction                         [W]
    {"slip", 0, 0, 1, 0},                 // material moved past the contact in this step   [m]
    {"stuck", 0, 0, 1, 0},                // 1: the cable holds there, 0: it slides or does not rub
    {"cone", 0, 0, 1, 0},                 // how much of its friction a contact uses, 0 to 1
    {"segment_rest", 0, 1, 0, 0},         // unstrained material from contact to contact    [m]
    {"overrun", 0, 0, 1, 0},              // contact beyond a cylinder's end                [m]
    {"entry", 0, 0, 3, 0},                // world, zeros when lifted                       [m]
    {"exit", 0, 0, 3, 0},                 // world, zeros when lifted                       [m]
    {"slip_total", 0, 0, 1, 0},           // material moved past it since the reset         [m]
    {"rubbing", 0, 0, 1, 0},              // how many cells meet at this contact, 0: none
    {"cell", 0, 1, 0, kSubcontacts - 1},  // material of the cells that are in use       [m]
    {"mark", 0, 0, 1, kSubcontacts - 1},  // where they meet, off their places on an arc [m]
    {"footing", 0, 0, 0, kFooting},       // of each wrap
    {"memory", 0, 0, 0, kWrapMemory},     // of each wrap, two of a ring
    {"growth", 0, 0, 1, 0},               // rate of the path beyond each contact           [m/s]
    {"arc", 0, 0, 1, 0},                  // length on the surface                          [m]
    {"ends", 6, 0, 0, 0},                 // where source and distal end pull, world        [m]
    {"direction", 0, 3, 0, 0},            // unit vectors of the segments
    {"shown_time", 1, 0, 0, 0},           // under RK4: of the evaluation that is shown     [s]
    {"shown_depth", 1, 0, 0, 0},          // of MuJoCo's stack there, 0: none yet           [byte]
    {"coupled", 1, 0, 0, 0},              // 1: its tension is found with the motion of the step
    {"segment", 0, 1, 0, 0},              // lengths of the segments                        [m]
};

inline constexpr int kFieldCount = sizeof(kFields) / sizeof(kFields[0]);  // rows above

// Results come first, which a sensor may show. From slip_total to memory they are what the state
// remembers, behind one another as there; the rest is scratch of the stages.
inline constexpr int kResultCount = [] {
  int count = 0;
  while (kFields[count].name != std::string_view("rubbing")) ++count;
  return count;
}();

// where a field begins: base + slope * ncontact + wraps * nwrap; the last one is where all end
struct FieldPlace {
  int base, slope, wraps;
};
inline constexpr auto kPlaces = [] {
  std::array<FieldPlace, kFieldCount + 1> places{};
  for (int i = 1; i <= kFieldCount; ++i) {
    const Field& before = kFields[i - 1];
    places[i] = {places[i - 1].base + before.per_record + before.per_segment,
                 places[i - 1].slope + before.per_segment + before.per_contact,
                 places[i - 1].wraps + before.per_wrap};
  }
  return places;
}();

inline int FieldOffset(int field, int ncontact, int nwrap) {
  return kPlaces[field].base + kPlaces[field].slope * ncontact + kPlaces[field].wraps * nwrap;
}
inline int RecordSize(int ncontact, int nwrap) { return FieldOffset(kFieldCount, ncontact, nwrap); }

consteval int FieldIndex(std::string_view name) {
  for (int i = 0; i < kFieldCount; ++i) {
    if (kFields[i].name == name) return i;
  }
  throw "no field has this name";
}

// A record at its place, by name. Where a field lies follows from the number of contacts and wraps.
struct Record {
  double* block = nullptr;
  int ncontact = 0, nwrap = 0;

  double& length() const { return *At<FieldIndex("length")>(); }
  double& length_rate() const { return *At<FieldIndex("length_rate")>(); }
  double& rest_length() const { return *At<FieldIndex("rest_length")>(); }
  double& stretch() const { return *At<FieldIndex("stretch")>(); }
  double& slack() const { return *At<FieldIndex("slack")>(); }
  double& take_up() const { return *At<FieldIndex("take_up")>(); }
  double& take_up_rate() const { return *At<FieldIndex("take_up_rate")>(); }
  double& source_tension() const { return *At<FieldIndex("source_tension")>(); }
  double& status() const { return *At<FieldIndex("status")>(); }
  double& status_contact() const { return *At<FieldIndex("status_contact")>(); }
  double& derailments() const { return *At<FieldIndex("derailments")>(); }
  double& smoothness() const { return *At<FieldIndex("smoothness")>(); }
  double& surface_error() const { return *At<FieldIndex("surface_error")>(); }
  double& penetration() const { return *At<FieldIndex("penetration")>(); }
  double& iterations() const { return *At<FieldIndex("iterations")>(); }
  double& solves() const { return *At<FieldIndex("solves")>(); }
  double& energy() const { return *At<FieldIndex("energy")>(); }
  double* tension() const { return At<FieldIndex("tension")>(); }
  double* touching() const { return At<FieldIndex("touching")>(); }
  double* wrap_angle() const { return At<FieldIndex("wrap_angle")>(); }
  double* slip_rate() const { return At<FieldIndex("slip_rate")>(); }
  double* dissipation() const { return At<FieldIndex("dissipation")>(); }
  double* slip() const { return At<FieldIndex("slip")>(); }
  double* slip_total() const { return At<FieldIndex("slip_total")>(); }
  double* stuck() const { return At<FieldIndex("stuck")>(); }
  double* cone() const { return At<FieldIndex("cone")>(); }
  double* segment_rest() const { return At<FieldIndex("segment_rest")>(); }
  double* overrun() const { return At<FieldIndex("overrun")>(); }
  double* entry() const { return At<FieldIndex("entry")>(); }
  double* exit() const { return At<FieldIndex("exit")>(); }
  double* growth() const { return At<FieldIndex("growth")>(); }
  double* arc() const { return At<FieldIndex("arc")>(); }
  double* ends() const { return At<FieldIndex("ends")>(); }
  double* direction() const { return At<FieldIndex("direction")>(); }
  double& shown_time() const { return *At<FieldIndex("shown_time")>(); }
  double& shown_depth() const { return *At<FieldIndex("shown_depth")>(); }
  double& coupled() const { return *At<FieldIndex("coupled")>(); }
  double* segment() const { return At<FieldIndex("segment")>(); }
  double* rubbing() const { return At<FieldIndex("rubbing")>(); }
  double* cell() const { return At<FieldIndex("cell")>(); }
  double* mark() const { return At<FieldIndex("mark")>(); }
  double* footing() const { return At<FieldIndex("footing")>(); }
  double* memory() const { return At<FieldIndex("memory")>(); }

  double* Values(const Field& field) const {
    return block + FieldOffset(static_cast<int>(&field - kFields), ncontact, nwrap);
  }
  bool Touching(int i) const { return touching()[i] != 0; }
  // its tension is found with the motion of the step, together with all other such cables
  bool Coupled() const { return coupled() != 0; }
  Vec3 Direction(int segment_index) const { return Load(direction() + 3 * segment_index); }
  Vec3 Entry(int i) const { return Load(entry() + 3 * i); }
  Vec3 Exit(int i) const { return Load(exit() + 3 * i); }

 private:
  template <int field>
  double* At() const {
    constexpr FieldPlace place = kPlaces[field];
    std::ptrdiff_t at = place.base + place.slope * std::ptrdiff_t{ncontact};
    if constexpr (place.wraps != 0) at += place.wraps * std::ptrdiff_t{nwrap};
    return block + at;
  }
};

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_RECORD_H_
