// Runs of guides, solved four at a time.

#include "core/path/guides.h"

#include <vector>

#include "tests/kit/check.h"
#include "tests/kit/random.h"

namespace mujocable {
namespace {

using test::Random;

// a cable of n guides is the first part of one with more: same lengths, angles, bit by bit
TEST(GuidesDoNotDependOnHowManyFollow) {
  Random random(4);
  constexpr int kMost = 14;
  std::vector<Element> elements(kMost + 2);
  for (Element& e : elements) {
    e = {ElementKind::kEyelet,
         false,
         false,
         nullptr,
         {random.Uniform(-1, 1), random.Uniform(-1, 1), random.Uniform(-1, 1)}};
  }
  std::vector<double> all(RecordSize(kMost, 0)), some(all.size());
  Record whole = Record{all.data(), kMost, 0};
  SolveRoute(elements.data(), kMost + 2, nullptr, Start::kAuthored, {}, whole);
  for (int n = 0; n <= kMost; ++n) {
    Record part = Record{some.data(), n, 0};
    SolveRoute(elements.data(), n + 2, nullptr, Start::kAuthored, {}, part);
    double total = 0;
    for (int i = 0; i <= n; ++i) {
      const Vec3 d = elements[i + 1].pos - elements[i].pos;
      total += Norm(d);
      CHECK_EQ(part.segment()[i], Norm(d));
      CHECK_EQ(part.segment()[i], whole.segment()[i]);
      CHECK_NEAR(Norm(part.Direction(i) - (1 / Norm(d)) * d), 0, 1e-16);
    }
    CHECK_EQ(part.length(), total);
    for (int i = 0; i < n; ++i) {
      const Vec3 u = part.Direction(i), v = part.Direction(i + 1);
      CHECK_EQ(part.wrap_angle()[i], whole.wrap_angle()[i]);
      CHECK_NEAR(part.wrap_angle()[i], std::atan2(Norm(Cross(u, v)), Dot(u, v)), 1e-15);
    }
  }
}

}  // namespace
}  // namespace mujocable
