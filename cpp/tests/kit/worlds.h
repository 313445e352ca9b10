// The same cable in many worlds: blocks of memory with a stride, one stage after another.

#ifndef MUJOCABLE_TESTS_WORLDS_H_
#define MUJOCABLE_TESTS_WORLDS_H_

#include <cstddef>

#include "core/bodies.h"
#include "core/cable.h"

namespace mujocable {

// Bodies of many worlds, one world after the other in each array. Sizes and home are the same in
// all.
struct Worlds {
  Bodies first;
  int sites, geoms, bodies, references, coordinates;  // in one world

  Bodies World(std::ptrdiff_t w) const {
    Bodies at = first;
    at.site_pos += 3 * w * sites;
    at.site_rot += 9 * w * sites;
    at.geom_pos += 3 * w * geoms;
    at.geom_rot += 9 * w * geoms;
    at.body_pos += 3 * w * bodies;
    at.body_rot += 9 * w * bodies;
    at.velocity += 6 * w * bodies;
    at.reference += 3 * w * references;
    at.coordinate += w * coordinates;
    return at;
  }
};

// states and records of one cable, a stride apart
struct Blocks {
  double* state;
  double* record;
  std::ptrdiff_t state_stride, record_stride;  // at least StateSize, RecordSize
  double* memory;                              // for all worlds in turn: StepRoom of the model
};

// memory of one evaluation out of one block, from its beginning
class BlockWorkspace final : public Workspace {
 public:
  explicit BlockWorkspace(double* block) : at_(block) {}
  const double* end() const { return at_; }  // of what was taken

 private:
  void* More(size_t bytes) override {
    double* taken = at_;
    at_ += bytes / sizeof(double);
    return taken;
  }

  double* at_;
};

// calls stage(w, cable) for worlds 0 ... count - 1
template <typename Stage>
void ForEachWorld(const CableModel& model, const Worlds& worlds, int count, const Blocks& blocks,
                  const Stage& stage) {
  for (int w = 0; w < count; ++w) {
    BlockWorkspace workspace(blocks.memory);
    const Bodies bodies = worlds.World(w);
    Cable cable(model, bodies,
                {blocks.state + w * blocks.state_stride, model.ncontact, model.nwrap},
                {blocks.record + w * blocks.record_stride, model.ncontact, model.nwrap}, workspace);
    stage(w, cable);
  }
}

}  // namespace mujocable

#endif  // MUJOCABLE_TESTS_WORLDS_H_
