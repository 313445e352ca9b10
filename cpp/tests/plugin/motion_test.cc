// What the coupled solve is made of: gradients of the pieces of a path, judged by the rates that
// the velocities of the bodies give; sparse inertias, judged by MuJoCo's own solver.

#include <algorithm>
#include <numeric>
#include <vector>

#include "plugin/border/cable_plugin.h"
#include "plugin/couple/tree_matrix.h"
#include "plugin/step/mujoco_cable.h"
#include "plugin/step/path_gradients.h"
#include "tests/kit/check.h"
#include "tests/kit/random.h"
#include "tests/plugin/model.h"

namespace mujocable {
namespace {

using test::Random;

// out along an arm of all kinds of joints, over its elbow, on to a body that floats and back
constexpr char kArm[] = R"(
<mujoco>
  <extension>
    <plugin plugin="mujocable.cable">
      <instance name="rope">
        <config key="route" value="anchor wall; eyelet upper; wrap elbow side=above; eyelet lower;
                                   eyelet lower2; eyelet buoy; eyelet hand; anchor floor"/>
        <config key="stiffness" value="100"/>
        <config key="friction" value="0.2"/>
        <config key="pretension" value="5"/>
      </instance>
    </plugin>
  </extension>
  <worldbody>
    <site name="wall" pos="-.5 0 1"/><site name="floor" pos="1 .5 0"/>
    <body pos="0 0 1">
      <joint type="ball"/><geom size=".05" mass="1"/><site name="upper" pos=".2 0 .1"/>
      <body pos=".5 0 0">
        <joint axis="0 1 0"/><joint type="slide" axis="1 0 0"/>
        <geom name="elbow" type="cylinder" size=".05 .2" euler="90 0 0" mass="1"/>
        <site name="above" pos="0 0 .2"/>
        <body pos=".5 0 -.2">
          <joint axis="0 0 1"/><geom size=".05" mass=".5"/>
          <site name="lower" pos="0 .1 0"/><site name="lower2" pos=".1 .1 0"/>
        </body>
        <body pos=".2 .3 0"><joint axis="1 0 0"/><geom size=".04" mass=".3" pos="0 .1 0"/>
          <site name="hand" pos="0 .2 0"/></body>
      </body>
    </body>
    <body pos="2 1 1"><freejoint/><geom type="box" size=".1 .2 .3" pos=".1 0 0"/>
      <site name="buoy" pos=".1 .2 .3"/></body>
  </worldbody>
  <sensor><plugin name="rope" plugin="mujocable.cable" instance="rope"/></sensor>
</mujoco>)";

test::Model Arm() {
  static const std::string registered = RegisterPlugin();
  CHECK_EQ(registered, std::string());
  std::string error;
  test::Model model = test::Compile(kArm, error);
  CHECK_EQ(error, std::string());
  return model;
}

void Shake(const mjModel* m, mjData* d, Random& random) {
  std::vector<double> turn(m->nv);
  for (double& x : turn) x = random.Uniform(-0.2, 0.2);
  std::copy(m->qpos0, m->qpos0 + m->nq, d->qpos);
  mj_integratePos(m, d->qpos, turn.data(), 1);
  for (int k = 0; k < m->nv; ++k) d->qvel[k] = random.Uniform(-2, 2);
  mj_forward(m, d);
}

TEST(PiecesOfThePathGrowAsItsEndsMove) {
  const test::Model model = Arm();
  const test::Data data = test::MakeData(model);
  const mjModel* m = model.get();
  mjData* d = data.get();
  Random random(1);
  for (int trial = 0; trial < 50; ++trial) {
    Shake(m, d, random);
    const CableConfig* c = FindConfig(m, d, 0);
    CHECK(c != nullptr);
    const Record record{d->sensordata + c->record_adr, c->ncontact, c->nwrap};
    CHECK_EQ(record.status(), 0.0);
    // some of the contacts that touch
    std::vector<int> contact;
    for (int i = 0; i < c->ncontact; ++i) {
      if (record.Touching(i) && (trial % 3 == 0 || random.Chance(0.6))) contact.push_back(i);
    }
    const int count = static_cast<int>(contact.size()), ndof = static_cast<int>(c->dofs.size());
    std::vector<double> whole(ndof);
    Scratch scratch(d);
    std::vector<Piece> piece{{-1, random.Uniform(0.1, 1)}};
    for (int i : contact) piece.push_back({i, random.Uniform(0.1, 1)});
    const Pieces pieces = PathPieces(d, *c, record, piece.data(), count + 1, scratch);
    for (int k = 0; k < (count + 1) * ndof; ++k) whole[k % ndof] += pieces.row[k];
    const auto rate = [&](const double* row) {
      double sum = 0;
      for (int k = 0; k < ndof; ++k) sum += row[k] * d->qvel[c->dofs[k]];
      return sum;
    };
    // rounding of a dozen products of order one, through four frames
    CHECK_NEAR(rate(whole.data()), record.length_rate(), 1e-13);
    double beyond = 0;
    for (int j = count; j >= 0; --j) {
      const double* row = pieces.row + j * ndof;
      const double grows = j > 0 ? record.growth()[contact[j - 1]] : record.length_rate();
      CHECK_NEAR(beyond += rate(row), grows, 1e-13);
      for (int k = 0; k < ndof; ++k) {
        const bool inside = k >= pieces.range[j].begin && k < pieces.range[j].end;
        CHECK(inside || row[k] == 0);
      }
    }
    // how much the dofs give way to each piece, over its part of the length; no more than is asked
    double mobility = 0;
    for (int k = 0; k < (count + 1) * ndof; ++k) {
      const double part = record.length() / piece[k / ndof].length;
      mobility += part * pieces.row[k] * pieces.row[k] * m->dof_invweight0[c->dofs[k % ndof]];
    }
    const auto up_to = [&](double enough) {
      return MobilityAlong(m, d, *c, record, piece.data(), count + 1, enough, scratch);
    };
    CHECK_NEAR(up_to(1e9), mobility, 1e-12 * mobility);
    CHECK(up_to(0.5 * mobility) > 0.5 * mobility);
    CHECK(up_to(0.5 * mobility) <= mobility * (1 + 1e-12));
    // both holes of the lower arm are on one body
    const auto lower = std::find(contact.begin(), contact.end(), 2);
    if (lower != contact.end() && lower + 1 != contact.end() && lower[1] == 3) {
      const Range range = pieces.range[lower - contact.begin() + 1];
      CHECK(range.begin >= range.end);
    }
  }
}

TEST(SparseInertiasAreSolvedLikeMujocoDoes) {
  const test::Model model = Arm();
  const test::Data data = test::MakeData(model);
  const mjModel* m = model.get();
  mjData* d = data.get();
  const int nv = static_cast<int>(m->nv);
  Random random(2);
  for (int trial = 0; trial < 20; ++trial) {
    Shake(m, d, random);
    std::vector<double> matrix(d->M, d->M + m->nC), inverse(nv), b(nv), x(nv);
    for (double& y : b) y = random.Uniform(-1, 1);
    mj_solveM(m, d, x.data(), b.data(), 1);
    const auto check = [&](const double* factor, const double* diagonal, int first, int end) {
      std::vector<int> dof(end - first), place(nv, -1);
      std::iota(dof.begin(), dof.end(), first);
      for (int k = first; k < end; ++k) place[k] = k - first;
      std::vector<double> y(b.begin() + first, b.begin() + end);
      SolveTree(m, factor, diagonal, dof.data(), end - first, place.data(), y.data());
      for (int k = first; k < end; ++k) {
        CHECK_NEAR(y[k - first], x[k], 1e-10 * (1 + std::abs(x[k])));  // condition about 1e4
      }
    };
    FactorTree(m, matrix.data(), inverse.data());
    check(matrix.data(), inverse.data(), 0, nv);
    check(d->qLD, d->qLDiagInv, 0, nv);
    check(d->qLD, d->qLDiagInv, nv - 6, nv);  // a tree of its own
  }
}

}  // namespace
}  // namespace mujocable
