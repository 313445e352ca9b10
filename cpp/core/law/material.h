// The material of a cable on its path (13)-(17): cells between the places where it may stick, how
// moving surfaces carry them, and the tensions that follow.
//
// A contact that rubs has sub-contacts along its arc, each at a mark that is fixed to the surface,
// so that a turning sheave carries the cable that sticks to it by geometry alone. Marks follow
// their even places on the arc with some play; material is conserved when they move.

#ifndef MUJOCABLE_CORE_LAW_MATERIAL_H_
#define MUJOCABLE_CORE_LAW_MATERIAL_H_

#include "core/law/axial.h"
#include "core/law/coulomb.h"
#include "core/math/dense.h"
#include "core/math/inline.h"
#include "core/record.h"
#include "core/state.h"

namespace mujocable {

// how a contact is cut
struct ContactCut {
  double angle = 0;  // by which the cable is expected to turn there; 0: at a point            [rad]
  int footing = -1;  // which of the footings is its own, -1: none
};

// Sub-contacts of an arc with this friction times angle (15). The tension differs by their part of
// it from cell to cell; within a cell it is even, which makes an error of second order: 0.2 % of
// the tension and 2 % of the smallest loops at 0.1 (chosen; test_loops_are_those_of_a_string would
// notice).
inline constexpr double kRatioOfSubcontact = 0.1;
// Odd, so that one of them is in the middle.
inline int SubcontactCount(double exponent) {
  int count = 1;
  while (count < kSubcontacts && count * kRatioOfSubcontact < exponent) count += 2;
  return count;
}

// friction times angle of one contact beyond this is more than any cable holds (1e13), and so is
// the sum of a cable: keeps the arithmetic finite
inline constexpr double kMostExponent = 30, kMostExponents = 600;

// How wide the cone of a contact is: the tensions beside it differ by no more than exp of this. Of
// one cable, or of several at a time.
template <typename Number>
MUJOCABLE_INLINE inline Number ConeExponent(const Number& mu, const Number& angle) {
  return Least(mu * angle, All<Number>(kMostExponent));
}

// The cells of one evaluation; boundary i lies between cells i and i + 1. Each array has room for
// several numbers at a time past its last one (CellRoom).
struct Material {
  double* length = nullptr;   // of the path                                        [n]     [m]
  double* rate = nullptr;     // at which it grows                                  [n]     [m/s]
  double* rest = nullptr;     // unstrained material                                [n]     [m]
  double* longer = nullptr;   // by which it is longer where its tension is found   [n]     [m]
  double* grown = nullptr;    // by which it grows within the step                  [n]     [m]
  double* ratio = nullptr;    // largest ratio of tensions                          [n - 1]
  double* inverse = nullptr;  // of that                                            [n - 1]
  double* tension = nullptr;  //                                                    [n]     [N]
  double* free = nullptr;     // as in CoulombString, where the tension was found    [n]
  double* give = nullptr;     //                                                    [n]
  double* hold = nullptr;     // stiffness there                                    [n]     [N/m]
  double* drag = nullptr;     // the same of damping, per length grown in the step   [n]     [N/m]
  double* divided = nullptr;  // energy that went where a mark was moved back        [n - 1] [J]
  int* slip = nullptr;        // as in SolveCoulomb                                 [n - 1]
  double* work = nullptr;     // scratch
  int n = 0;                  // cells
  bool passes = true;         // some contact that does not rub
  bool moved = false;         // some mark was moved back: else nothing stands in `divided`
  double exponents = 0;       // scale of those that still stand in `ratio`, 0: none
  double motor = 0;           // taken in from the first one by the motor, for damping      [m]
};

// most cells that a cable can have, and the numbers that a Material of so many needs
inline int MostCells(int ncontact, int nwrap) { return 1 + ncontact + (kSubcontacts - 1) * nwrap; }
inline int CellRoom(int cells) { return Padded(cells) + kLanes; }
inline int MaterialRoom(int cells) { return 17 * CellRoom(cells) + CoulombScratch(cells); }
inline Material TakeMaterial(double* room, int cells) {
  int* const slip = reinterpret_cast<int*>(room);
  const auto take = [&] { return room += CellRoom(cells); };
  return {take(), take(), take(), take(), take(), take(), take(), take(),
          take(), take(), take(), take(), take(), slip,   take()};
}

// what is known of the axial law in one step
struct AxialStep {
  AxialParameters axial;
  double step = 0;           //                                                          [s]
  double length = 0;         // of the whole path, at the start of the step               [m]
  bool rigid = false;        // its rigidity is constant: `axial` holds the stiffness at this length
  double total = 0;          // material between the ends                                 [m]
  double motor = 0;          // taken in by the motor in this step                         [m]
  bool looks_ahead = false;  // tensions are found with the motion, not from where it begins
  bool commanded = false;    // the tension of the source is given, and `total` is not
  double command = 0;        //                                                          [N]
  double most_hold = 0;      // largest stiffness of a cell; 0: no limit                   [N/m]
  double held = 0;           // the same in the step before                                [N/m]
};

// what the damper sees of the motor
inline double DampedMotor(const AxialStep& step) {
  return step.axial.length_rate_only ? 0 : step.motor;
}

// The law at this length of a cable of constant rigidity (13): one that rubs, so that a piece that
// sticks keeps its tension however long the others become, or one that was given its EA. Call it
// before anything is asked of the step.
inline void KeepRigidity(AxialStep& step) {
  if (!(step.length > 0 && step.axial.home_length > 0)) return;
  const double longer = step.length / step.axial.home_length;
  step.axial.stiffness /= longer;
  step.axial.transition *= longer;
  step.rigid = true;
}

// Cuts the path in `record` into cells and gives each the material that it carries over from the
// step before; `fresh`: nothing is remembered, the tension is even. What there is more or less in
// total than before goes to the first cell. carried: of each footing, as PlaceFooting returns it.
// Writes rubbing and mark into the record. Tensions are those where the bodies stand, unless
// `longer` and `grown` are set anew.
void LayMaterial(const AxialStep& step, State state, const ContactCut* cuts, const double* carried,
                 bool fresh, Record record, Material& m);

// one cell: a cable that rubs nowhere, or whose tension ratios are given
void LayOneCell(const AxialStep& step, Record record, Material& m);

// The tension of a cable as one cell, as it stands: commanded, or by (11). Writes its energy.
double TensionOfOneCell(const AxialStep& step, Record record);
void ShowEnergyOfOneCell(const AxialStep& step, double longer, Record record);

// The tension of a cable that rubs nowhere, with all that the record says of it: FindTensions and
// MoveMaterial of one cell, without cells.
void TightenOneCell(const AxialStep& step, State state, Record record);

// Tensions (16) where the cells are longer by `longer`, and have grown by `grown` within the step.
// Fills tension, slip, free, give, hold, drag. (By what changes, not by whole lengths: the stretch
// of a stiff cable is the small difference of two of those.)
void FindTensions(const AxialStep& step, Material& m);

// Moves the material as the tensions ask, and writes all that into the record. Reads slip_total of
// the step before from `state`.
void MoveMaterial(const AxialStep& step, State state, Material& m, Record record);

// no force yet: a command is still to come, and with it the material
void ShowNoForce(State state, Record record);

// no force at all, whatever the path: tensions and losses are zero, the material stays as it was
void Slacken(State state, Record record);

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_LAW_MATERIAL_H_
