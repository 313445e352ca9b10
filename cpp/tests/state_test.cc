// Layout of the state: the only memory there is.

#include "core/state.h"

#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "check.h"
#include "random.h"

namespace mujocable {
namespace {

// the pointers of a state in order: the scalars, then friction and memory
constexpr int kPointers = sizeof(State) / sizeof(double*);
static_assert(kPointers == kStateScalars + 2);

std::vector<double*> Pointers(const State& state) {
  std::vector<double*> pointers(kPointers);
  std::memcpy(pointers.data(), &state, sizeof state);
  return pointers;
}

TEST(FieldsTileTheState) {
  for (int ncontact = 0; ncontact <= 20; ++ncontact) {
    for (int nwrap = 0; nwrap <= ncontact; ++nwrap) {
      std::vector<double> block(StateSize(ncontact, nwrap), 0.0);
      const State s = StateAt(block.data(), ncontact);
      const std::vector<double*> pointers = Pointers(s);
      CHECK(pointers[kStateScalars] == s.friction);
      CHECK(pointers[kStateScalars + 1] == s.memory);
      for (int i = 0; i < kStateScalars; ++i) *pointers[i] += 1;
      for (int i = 0; i < ncontact; ++i) s.friction[i] += 1;
      for (int i = 0; i < kWrapMemory * nwrap; ++i) s.memory[i] += 1;
      // each slot once: no overlap, no gap
      for (double count : block) CHECK_EQ(count, 1.0);
    }
  }
}

TEST(ParametersByName) {
  std::vector<double> block(StateSize(3, 2));
  const State s = StateAt(block.data(), 3);
  std::set<std::string> names;
  std::set<double*> places;
  for (const StateParameter& parameter : kStateParameters) {
    CHECK(names.insert(parameter.name).second);
    CHECK(places.insert(s.*parameter.pointer).second);
    CHECK_EQ(parameter.per_contact, s.*parameter.pointer == s.friction);
    CHECK(s.*parameter.pointer != s.memory);
  }
}

TEST(WrapMemoryComesBackBitForBit) {
  test::Random random(1);
  for (int i = 0; i < 100; ++i) {
    WrapMemory memory;
    memory.touching = random.Chance(0.5);
    memory.point = random.InBox(1);
    memory.tangent = random.Direction();
    memory.arc = random.Uniform(0, 3);
    memory.swept = random.Uniform(-100, 100);
    // one slot more, to see that it is not touched
    double slots[kWrapMemory + 1];
    slots[kWrapMemory] = 42;
    StoreMemory(slots, memory);
    CHECK_EQ(slots[kWrapMemory], 42.0);
    const WrapMemory back = LoadMemory(slots);
    CHECK_EQ(back.touching, memory.touching);
    CHECK_EQ(Norm(back.point - memory.point), 0.0);
    CHECK_EQ(Norm(back.tangent - memory.tangent), 0.0);
    CHECK_EQ(back.arc, memory.arc);
    CHECK_EQ(back.swept, memory.swept);
  }
}

}  // namespace
}  // namespace mujocable
