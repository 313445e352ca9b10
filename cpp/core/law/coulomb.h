// Friction with memory (14), (16): tensions of a string whose material crosses a contact only on
// the Coulomb cone.
//
// Contacts cut the string into cells. Each cell holds material, and how much more it would take
// falls with its tension: give (free - T). There is one set of tensions such that neighbors differ
// by no more than the ratio of the contact between them, and material has moved, toward the higher
// tension, only where they differ by just that.

#ifndef MUJOCABLE_CORE_LAW_COULOMB_H_
#define MUJOCABLE_CORE_LAW_COULOMB_H_

namespace mujocable {

// a tension this near to the edge of its cone, relative, is on it: rounding of a few operations
inline constexpr double kEdge = 1e-14;

// a string in cells, source first; contact i lies between cells i and i + 1
struct CoulombString {
  int n = 0;                        // cells
  const double* free = nullptr;     // tension with the material that each holds      [n]     [N]
  const double* give = nullptr;     // material per unit of tension, > 0              [n]     [m/N]
  const double* ratio = nullptr;    // largest ratio of tensions, >= 1                [n - 1]
  const double* inverse = nullptr;  // of the ratio                                   [n - 1]
  bool commanded = false;           // the tension of the first cell is given: a motor takes and
  double command = 0;               // gives what that needs                                 [N]
  double most = 0;                  // the first cell gives way above it                     [N]
};

// numbers of scratch that SolveCoulomb needs
inline int CoulombScratch(int n) { return 13 * n + 12; }

// Fills the tensions [n] and how each contact slips [n - 1]: 1: material moves toward the distal
// end, -1: toward the source, 0: the contact sticks. All tensions are zero, or none is. Exact but
// for rounding, no iteration, about as many operations as there are cells.
void SolveCoulomb(const CoulombString& s, double* scratch, double* tension, int* slip);

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_LAW_COULOMB_H_
