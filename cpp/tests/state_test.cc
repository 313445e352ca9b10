// Layout of the state: the only memory there is.

#include "core/state.h"

#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "tests/kit/check.h"
#include "tests/kit/random.h"

namespace mujocable {
namespace {

TEST(FieldsTileTheState) {
  for (int ncontact = 0; ncontact <= 20; ++ncontact) {
    for (int nwrap = 0; nwrap <= ncontact; ++nwrap) {
      std::vector<double> block(StateSize(ncontact, nwrap), 0.0);
      const State s{block.data(), ncontact, nwrap};
      for (double* scalar :
           {&s.fingerprint(), &s.step(), &s.take_up(), &s.stiffness(), &s.damping(),
            &s.home_length(), &s.max_tension(), &s.pretension(), &s.mobility(), &s.turning(),
            &s.derailments(), &s.told(), &s.slack(), &s.stretching()}) {
        *scalar += 1;
      }
      for (int i = 0; i < ncontact; ++i) {
        s.friction()[i] += 1;
        s.rubbing()[i] += 1;
        s.slip_total()[i] += 1;
      }
      for (int i = 0; i < s.CellRoom(); ++i) s.cell()[i] += 1;
      for (int i = 0; i < s.CellRoom() - 1; ++i) s.mark()[i] += 1;
      for (int i = 0; i < kFooting * nwrap; ++i) s.footing()[i] += 1;
      for (int i = 0; i < kWrapMemory * nwrap; ++i) s.memory()[i] += 1;
      // each slot once: no overlap, no gap
      for (double count : block) CHECK_EQ(count, 1.0);
    }
  }
}

TEST(ParametersByName) {
  std::vector<double> block(StateSize(3, 2));
  const State s{block.data(), 3, 2};
  const std::map<std::string, const double*> places = {{"stiffness", &s.stiffness()},
                                                       {"damping", &s.damping()},
                                                       {"home_length", &s.home_length()},
                                                       {"max_tension", &s.max_tension()},
                                                       {"friction", s.friction()},
                                                       {"told", &s.told()},
                                                       {"slack", &s.slack()}};
  for (const StateParameter& parameter : kStateParameters) {
    CHECK(block.data() + parameter.offset == places.at(parameter.name));
    CHECK_EQ(parameter.per_contact, std::string(parameter.name) == "friction");
  }
  CHECK_EQ(std::size(kStateParameters), places.size());
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
