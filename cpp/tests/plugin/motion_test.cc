// What the coupled solve is made of: gradients of the pieces of a path, judged by the rates that
// the velocities of the bodies give; sparse inertias and constraints, judged by MuJoCo's own.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "plugin/border/exports.h"
#include "plugin/couple/motion_constraints.h"
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

test::Model Compiled(const std::string& xml) {
  static const std::string registered = mujocable_error();
  CHECK_EQ(registered, std::string());
  std::string error;
  test::Model model = test::Compile(xml, error);
  CHECK_EQ(error, std::string());
  return model;
}

test::Model Arm() { return Compiled(kArm); }

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
    const CableConfig* c = &FindInstance(m, d, 0)->cables[0];
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

TEST(NoSegmentSwingsMoreThanItsBound) {
  const test::Model model = Arm();
  const test::Data data = test::MakeData(model);
  const mjModel* m = model.get();
  mjData* d = data.get();
  Random random(2);
  int swings = 0;
  for (int trial = 0; trial < 50; ++trial) {
    Shake(m, d, random);
    const CableConfig* c = &FindInstance(m, d, 0)->cables[0];
    const Record record{d->sensordata + c->record_adr, c->ncontact, c->nwrap};
    for (int i = 0; i <= c->ncontact; ++i) {
      if (!(record.segment()[i] > 0)) continue;
      Scratch scratch(d);
      const double tension = std::pow(10, random.Uniform(0, 6));
      const Sideways sideways = SidewaysOf(m, d, *c, record, i, scratch);
      const double swung = sideways.Swung(m->opt.timestep, tension);
      CHECK(MostSwungBy(m, d, *c, record, i, tension) >= swung);
      swings += swung > 0;
    }
  }
  CHECK(swings > 50);  // not all of them stand on one body
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
      std::vector<int> dof(end - first);
      std::iota(dof.begin(), dof.end(), first);
      std::vector<double> y(b.begin() + first, b.begin() + end);
      SolveTree(m, factor, diagonal, dof.data(), end - first, y.data());
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

// Two cables, each with bodies of its own, and a body that no cable reaches. Contacts of all kinds,
// limits, dry friction and equalities; of the contacts of the slider the rows along the floor act
// on nothing, of those of the glider the row across.
std::string Bound(const std::string& cone) {
  const auto cable = [](const std::string& name, const std::string& route) {
    return "<instance name='" + name + "'><config key='route' value='" + route +
           "'/><config key='stiffness' value='1000'/></instance>";
  };
  return "<mujoco><option cone='" + cone + "' impratio='3'/><extension>" +
         "<plugin plugin='mujocable.cable'>" +
         cable("one", "anchor wall; eyelet box; anchor ball") +
         cable("two", "anchor wall; eyelet crate; eyelet slider; eyelet glider; anchor tip") + R"(
    </plugin></extension>
  <worldbody>
    <geom type="plane" size="5 5 1" friction=".8 .01 .002"/>
    <site name="wall" pos="0 0 1"/>
    <body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1" condim="3"/>
      <site name="box"/></body>
    <body pos=".5 0 .1"><freejoint/><geom size=".1" condim="6" priority="1"/>
      <site name="ball"/></body>
    <body pos="0 1 .1"><freejoint/><geom type="box" size=".1 .1 .1" condim="4" priority="1"/>
      <site name="crate"/></body>
    <body pos=".5 1 .1"><joint type="slide" axis="0 0 1"/><geom size=".1" condim="3"/>
      <site name="slider"/></body>
    <body pos=".5 1.5 .099"><joint type="slide" axis="1 0 0"/><geom size=".1" condim="3"/>
      <site name="glider"/></body>
    <body pos="1 1 .3">
      <joint name="shoulder" axis="0 1 0" range="-5 5" limited="true" frictionloss=".3"/>
      <geom type="capsule" size=".03" fromto="0 0 0 .2 0 0"/>
      <body pos=".2 0 0">
        <joint name="elbow" axis="0 1 0" frictionloss=".1"/>
        <geom type="capsule" size=".03" fromto="0 0 0 .2 0 0"/>
        <site name="tip" pos=".2 0 0"/>
      </body>
    </body>
    <body pos="2 2 .1"><freejoint/><geom size=".1" condim="1"/></body>
  </worldbody>
  <equality><joint joint1="shoulder" joint2="elbow" polycoef="0 -.5 0 0 0"/></equality>
  <sensor>
    <plugin name="one" plugin="mujocable.cable" instance="one"/>
    <plugin name="two" plugin="mujocable.cable" instance="two"/>
  </sensor>
</mujoco>)";
}

TEST(ConstraintsOfAGroupAreThoseOfMujoco) {
  Random random(3);
  int opens = 0, sticks = 0, slides = 0, slips = 0;
  for (int trial = 0; trial < 200; ++trial) {
    static const test::Model elliptic = Compiled(Bound("elliptic"));
    static const test::Model pyramidal = Compiled(Bound("pyramidal"));
    mjModel* m = (trial % 2 ? elliptic : pyramidal).get();
    m->opt.jacobian = trial % 4 < 2 ? mjJAC_DENSE : mjJAC_SPARSE;
    const test::Data data = test::MakeData(trial % 2 ? elliptic : pyramidal);
    mjData* d = data.get();
    const int nv = static_cast<int>(m->nv);
    // pressed into the floor a little, and turned out of the range of a joint
    std::vector<double> turn(nv);
    for (double& x : turn) x = random.Uniform(-0.01, 0.01);
    mj_integratePos(m, d->qpos, turn.data(), 1);
    const int shoulder = m->jnt_qposadr[mj_name2id(m, mjOBJ_JOINT, "shoulder")];
    d->qpos[shoulder] = random.Uniform(-0.2, 0.2);
    for (int k = 0; k < nv; ++k) d->qvel[k] = random.Uniform(-1, 1);
    mj_forward(m, d);

    WaitingCable waiting[2] = {};
    for (int i = 0; i < 2; ++i) waiting[i].config = &FindInstance(m, d, i)->cables[0];
    Scratch scratch(d);
    const Groups groups = FindGroups(m, d, waiting, 2, Stage::kPassive, scratch);
    CHECK_EQ(groups.n, 2);
    std::vector<double> a(nv), jar(d->nefc);
    const double strength = std::pow(10, random.Uniform(0, 3));
    for (double& x : a) x = strength * random.Uniform(-1, 1);
    mj_mulJacVec(m, d, jar.data(), a.data());
    for (int r = 0; r < d->nefc; ++r) jar[r] -= d->efc_aref[r];
    mj_constraintUpdate(m, d, jar.data(), nullptr, 0);
    for (int r = 0; r < d->nefc; ++r) {
      opens += d->efc_state[r] == mjCNSTRSTATE_SATISFIED;
      sticks += d->efc_state[r] == mjCNSTRSTATE_QUADRATIC;
      slides += d->efc_state[r] == mjCNSTRSTATE_CONE;
      slips +=
          d->efc_state[r] == mjCNSTRSTATE_LINEARNEG || d->efc_state[r] == mjCNSTRSTATE_LINEARPOS;
    }
    for (int g = 0; g < 2; ++g) {
      const Motion p = MakeMotion(m, d, waiting, groups, g, scratch);
      GroupConstraints constraints(p, scratch);
      std::vector<double> x(p.width), force(p.width), matrix(p.size * p.width);
      double most = 1;
      for (int i = 0; i < p.size; ++i) {
        x[i] = a[p.dof[i]];
        most = std::max(most, std::abs(d->qfrc_constraint[p.dof[i]]));
      }
      constraints.Evaluate(x.data(), force.data());
      constraints.AddSlopes(p.width, matrix.data());
      for (int i = 0; i < p.size; ++i) {
        CHECK_NEAR(force[i], d->qfrc_constraint[p.dof[i]], 1e-12 * most);  // rounding of the sums
      }
      // slopes: a difference along a random way, whose error falls with the square of its length
      // unless a row changes its state there
      std::vector<double> way(p.width), there(p.width);
      for (int i = 0; i < p.size; ++i) way[i] = random.Uniform(-1, 1);
      const auto error = [&](double h) {
        double largest = 0, size = 1e-9;
        std::vector<double> back(p.width), ahead(p.width);
        for (int i = 0; i < p.size; ++i) there[i] = x[i] + h * way[i];
        constraints.Evaluate(there.data(), ahead.data());
        for (int i = 0; i < p.size; ++i) there[i] = x[i] - h * way[i];
        constraints.Evaluate(there.data(), back.data());
        for (int i = 0; i < p.size; ++i) {
          double sum = 0;
          for (int j = 0; j < p.size; ++j) sum += matrix[j * p.width + i] * way[j];
          largest = std::max(largest, std::abs(sum + (ahead[i] - back[i]) / (2 * h)));
          size = std::max(size, std::abs(sum));
        }
        return largest / size;
      };
      const double h = 1e-6 * strength;
      CHECK(error(h) < 1e-5 || error(0.1 * h) < 1e-5);
    }
  }
  // each kind was there
  CHECK(opens > 100 && sticks > 100 && slides > 100 && slips > 100);
}

}  // namespace
}  // namespace mujocable
