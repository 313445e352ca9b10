// Cells and the pieces of the path that they lie in, counted by hand.

#include "core/law/pieces.h"

#include <vector>

#include "tests/kit/check.h"

namespace mujocable {
namespace {

// an eyelet (contact 1), an arc of three sub-contacts (contact 4), an eyelet (contact 5)
struct Laid {
  Laid() : room(MaterialRoom(6)), material(TakeMaterial(room.data(), 6)) {
    material.n = 6;
    const int contact[] = {1, 4, 4, 4, 5};
    const double length[] = {0.5, 0.3, 0.01, 0.02, 0.1, 0.4};
    std::copy(contact, contact + 5, material.contact);
    std::copy(length, length + 6, material.length);
  }
  std::vector<double> room;
  Material material;
};

TEST(CellsOnOneArcAreInNoPiece) {
  const Laid laid;
  int piece[6];
  CellPieces(laid.material, piece);
  const int expected[] = {0, 1, -1, -1, 2, 3};
  for (int j = 0; j < 6; ++j) CHECK_EQ(piece[j], expected[j]);
}

TEST(ACableWithoutContactsIsOnePiece) {
  Laid laid;
  laid.material.n = 1;
  int piece[1];
  CellPieces(laid.material, piece);
  CHECK_EQ(piece[0], 0);
}

TEST(PiecesReachFromTheLastMarkOfAnArcToTheFirstOfTheNext) {
  // an eyelet that rubs, an arc that does not, one that is lifted, and one of three sub-contacts
  std::vector<double> block(RecordSize(4, 3));
  const Record record{block.data(), 4, 3};
  const double segment[] = {0.5, 0.1, 0.2, 0.25, 0.4}, arc[] = {0, 0.03, 0, 0.06};
  const double touching[] = {1, 1, 0, 1}, friction[] = {0.1, 0, 0.3, 0.1};
  std::copy(segment, segment + 5, record.segment());
  std::copy(arc, arc + 4, record.arc());
  std::copy(touching, touching + 4, record.touching());
  ContactCut cuts[4];
  cuts[3].angle = 2;  // times the friction: more than one sub-contact may take
  Piece piece[5];
  CHECK_EQ(CutPath(record, friction, cuts, piece), 3);
  const int contact[] = {-1, 0, 3};
  const double length[] = {0.5, 0.1 + 0.03 + 0.2 + 0.25 + 0.01, 0.01 + 0.4};
  for (int j = 0; j < 3; ++j) {
    CHECK_EQ(piece[j].contact, contact[j]);
    CHECK_NEAR(piece[j].length, length[j], 1e-15);
  }
}

TEST(AnOscillatorIsResolvedUpToHalfItsLimit) {
  // an explicit step of x'' = -k w x is stable up to h^2 k w = 4, of x' = -d w x up to h d w = 2
  AxialStep step;
  step.step = 0.01;
  step.axial.stiffness = 100;
  CHECK_NEAR(UndoneBy(1, step) * 200, kMostUndone, 1e-15);
  step.axial.stiffness = 0;
  step.axial.damping = 1;
  CHECK_NEAR(UndoneBy(1, step) * 100, kMostUndone, 1e-15);
  CHECK_NEAR(UndoneBy(3, step), 3 * UndoneBy(1, step), 1e-15);
}

}  // namespace
}  // namespace mujocable
