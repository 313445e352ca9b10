// Cells and the pieces of the path that they lie in, counted by hand.

#include "core/law/pieces.h"

#include <vector>

#include "tests/kit/check.h"

namespace mujocable {
namespace {

TEST(CellsOnOneArcAreInNoPiece) {
  // an eyelet (contact 1), an arc of three sub-contacts (contact 4), an eyelet (contact 5)
  std::vector<double> block(RecordSize(6, 2));
  const Record record{block.data(), 6, 2};
  const double rubbing[] = {0, 1, 0, 0, 3, 1};
  std::copy(rubbing, rubbing + 6, record.rubbing());
  int piece[6];
  CellPieces(record, piece);
  const int expected[] = {0, 1, -1, -1, 2, 3};
  for (int j = 0; j < 6; ++j) CHECK_EQ(piece[j], expected[j]);
}

TEST(ACableThatRubsNowhereIsOnePiece) {
  std::vector<double> block(RecordSize(1, 0));
  int piece[1];
  CellPieces({block.data(), 1, 0}, piece);
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
