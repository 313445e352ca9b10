// A cable with bodies of its own in plain arrays, in one or many worlds: what an engine would
// bring.

#ifndef MUJOCABLE_TESTS_CABLE_WORLD_H_
#define MUJOCABLE_TESTS_CABLE_WORLD_H_

#include <limits>
#include <numbers>
#include <vector>

#include "tests/kit/scene.h"
#include "tests/kit/worlds.h"

namespace mujocable::test {

// Every element is on a body of its own, which has one site, one geom and a reference of its own,
// all with its index.
class CableWorlds {
 public:
  // the route of `nodes` with home there, as it is after a reset; no friction
  explicit CableWorlds(const std::vector<Node>& nodes, int worlds = 1)
      : count_(static_cast<int>(nodes.size())), worlds_(worlds) {
    Rig home(nodes);
    model.axial.home_length = home.Cold();
    model.axial.max_tension = std::numeric_limits<double>::infinity();
    model.ncontact = home.ncontact;
    model.nwrap = home.nwrap;
    model.memory = home.memory;
    model.mu.assign(model.ncontact, 0.0);
    // bodies of these worlds: nothing is known
    model.levers.assign(model.ncontact + 1, INFINITY);
    model.turns.assign(model.ncontact + 1, INFINITY);
    for (int i = 0; i < count_; ++i) {
      const Node& n = nodes[i];
      model.nodes.push_back({n.kind, n.clamp_before, n.clamp_after, true, i, i, i});
      model.slots.push_back({i, -1, 6 * i, 6, i});
      model.slot_of_element.push_back(i);
      const bool wraps = n.kind == ElementKind::kWrap;
      size_.insert(size_.end(), {n.surface.radius, n.surface.half_length, 0});
      if (i > 0 && i + 1 < count_) {
        // half a turn is expected of a wrap
        const int slot = wraps ? static_cast<int>(model.wraps.size()) : -1;
        model.cuts.push_back({wraps ? 3.14 : 0, slot});
      }
      if (!wraps) continue;
      WrapNode wrap{};
      wrap.surface = n.surface;
      wrap.has_hint = n.has_hint;
      wrap.side = n.has_hint ? HintKind::kPoint : HintKind::kNone;
      wrap.hint_point = Unrotate(n.surface.rot, n.hint - n.surface.pos);
      model.wraps.push_back(wrap);
    }
    for (auto* array : {&site_pos_, &geom_pos_, &body_pos_, &reference_}) {
      array->resize(3 * count_ * worlds);
    }
    for (auto* array : {&site_rot_, &geom_rot_, &body_rot_}) array->resize(9 * count_ * worlds);
    velocity_.resize(6 * count_ * worlds);
    state.resize(state_size() * worlds);
    // what a stage does not write stays not-a-number and is found
    record.assign(record_size() * worlds, std::numeric_limits<double>::quiet_NaN());
    memory.resize(StepRoom(model));
    for (int w = 0; w < worlds; ++w) Place(w, nodes, std::vector<Motion>(nodes.size()));
    Reset();
  }
  CableWorlds(const CableWorlds&) = delete;
  CableWorlds& operator=(const CableWorlds&) = delete;

  // after a change of the model
  void Reset() {
    for (int w = 0; w < worlds_; ++w) {
      ResetState(model, state.data() + w * state_size());
      RecordOf(w).shown_time() = RecordOf(w).shown_depth() = 0;  // the adapter's to write
    }
  }

  // where the bodies of a world are, and how they move
  void Place(int w, const std::vector<Node>& nodes, const std::vector<Motion>& motions) {
    for (int i = 0; i < count_; ++i) {
      const Node& n = nodes[i];
      const bool wraps = n.kind == ElementKind::kWrap;
      const int at = w * count_ + i;
      const Vec3 pos = wraps ? n.surface.pos : n.pos;
      for (auto* array : {&site_pos_, &geom_pos_, &body_pos_}) Store(array->data() + 3 * at, pos);
      for (auto* array : {&site_rot_, &geom_rot_, &body_rot_}) {
        std::copy_n(n.surface.rot.m, 9, array->data() + 9 * at);
      }
      Store(velocity_.data() + 6 * at, motions[i].angular);
      Store(velocity_.data() + 6 * at + 3, motions[i].linear);
      Store(reference_.data() + 3 * at, motions[i].about);
    }
  }

  // calls stage(w, cable) in every world
  template <typename Stage>
  void Run(const Stage& stage) {
    ForEachWorld(model, View(), worlds_,
                 {state.data(), record.data(), state_size(), record_size(), memory.data()}, stage);
  }
  void Locate() {
    Run([](int, Cable& cable) { cable.Locate(); });
  }
  Pull Tighten(const Command& command, Wrench* wrench = nullptr) {
    Pull pull;
    Run([&](int, Cable& cable) { pull = cable.Tighten(command, nullptr, wrench); });
    return pull;
  }
  void Advance() {
    for (int w = 0; w < worlds_; ++w) {
      Remember(model, RecordOf(w), timestep, state.data() + w * state_size());
    }
  }

  Record RecordOf(int w = 0) {
    return {record.data() + w * record_size(), model.ncontact, model.nwrap};
  }
  State StateOf(int w = 0) {
    return {state.data() + w * state_size(), model.ncontact, model.nwrap};
  }
  int state_size() const { return StateSize(model.ncontact, model.nwrap); }
  int record_size() const { return RecordSize(model.ncontact, model.nwrap); }

  Worlds View() const {
    return {{site_pos_.data(), site_rot_.data(), geom_pos_.data(), geom_rot_.data(), size_.data(),
             body_pos_.data(), body_rot_.data(), velocity_.data(), reference_.data(), nullptr,
             nullptr, timestep},
            count_,
            count_,
            count_,
            count_,
            0};
  }

  CableModel model;
  std::vector<double> state, record, memory;
  double timestep = 1e-3;

 private:
  const int count_, worlds_;
  std::vector<double> site_pos_, site_rot_, geom_pos_, geom_rot_, size_, body_pos_, body_rot_;
  std::vector<double> velocity_, reference_;
};

// along x, a quarter turn over a cylinder of 0.2 m, down through an eyelet and aside
inline const std::vector<Node> kRoute = {AnchorAt({-1, 0.2, 0}),
                                         WrapOn(CylinderAt({}, 0.2), {1, 1, 0}),
                                         EyeletAt({0.2, -0.5, 0}), AnchorAt({0.5, -0.9, 0})};
inline constexpr double kRouteLength = 1 + 0.2 * std::numbers::pi / 2 + 0.5 + 0.5;

// a motor that takes the cable in
inline void Commanded(CableWorlds& worlds, double stiffness, double mu = 0) {
  worlds.model.take_up.kind = TakeUpKind::kLength;
  worlds.model.axial.stiffness = stiffness;
  worlds.model.mu.assign(worlds.model.ncontact, mu);
  worlds.Reset();
}

}  // namespace mujocable::test

#endif  // MUJOCABLE_TESTS_CABLE_WORLD_H_
