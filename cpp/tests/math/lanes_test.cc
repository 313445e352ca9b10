// Four numbers at a time, against the standard library and the scalar code.

#include "core/math/lanes.h"

#include "core/law/sliding.h"
#include "core/path/guides.h"
#include "tests/kit/check.h"
#include "tests/kit/random.h"

namespace mujocable {
namespace {

using test::Random;

// a Taylor series of 14 terms, then two products: each rounds by at most 1.1e-16
TEST(ExponentialIsThatOfTheLibrary) {
  Random random(1);
  for (int i = 0; i < 20000; ++i) {
    const double most = i % 2 ? 700 : 2;
    Lanes x;
    for (int j = 0; j < kLanes; ++j) x[j] = random.Uniform(-most, most);
    const Lanes y = Exp(x);
    for (int j = 0; j < kLanes; ++j) {
      CHECK_NEAR(static_cast<double>(y[j] / std::exp(static_cast<long double>(x[j])) - 1), 0,
                 5e-16);
    }
  }
  // one number takes a shorter way where it is small: the same bits
  for (int i = 0; i < 20000; ++i) {
    const double x = random.Uniform(-0.5, 0.5);
    CHECK_EQ(Exp(x), Exp(All<Lanes>(x))[i % kLanes]);
  }
  const Lanes one = Exp(All<Lanes>(0));
  for (int j = 0; j < kLanes; ++j) CHECK_EQ(one[j], 1.0);  // no friction is no friction
}

TEST(TanhIsThatOfTheLibraryAndKeepsTheSign) {
  Random random(2);
  for (int i = 0; i < 20000; ++i) {
    Lanes x;
    for (int j = 0; j < kLanes; ++j) {
      x[j] = random.Logarithmic(1e-20, 1e6) * (random.Uniform(0, 1) < 0.5 ? -1 : 1);
    }
    const Lanes y = Tanh(x);
    for (int j = 0; j < kLanes; ++j) {
      CHECK_NEAR(y[j], std::tanh(x[j]), 3e-16);
      CHECK(y[j] * x[j] >= 0);
      CHECK_EQ(y[j], Tanh(x[j]));  // whatever its neighbors are
      // near zero to its own size: polynomial and library round a few times each
      if (std::abs(x[j]) < kTanhNear) CHECK_NEAR(y[j], std::tanh(x[j]), 5e-16 * std::abs(y[j]));
    }
  }
}

TEST(AnglesAreThoseOfTheScalarCode) {
  Random random(3);
  for (int i = 0; i < 20000; ++i) {
    Lanes s, c;
    double angle[kLanes];
    for (int j = 0; j < kLanes; ++j) {
      angle[j] = random.Uniform(0, kPi);
      s[j] = std::sin(angle[j]);
      c[j] = std::cos(angle[j]);
    }
    const Lanes found = AngleOf(s, c);
    for (int j = 0; j < kLanes; ++j) {
      CHECK_EQ(found[j], AngleOf(s[j], c[j]));
      CHECK_NEAR(found[j], angle[j], 1e-15);
    }
  }
}

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
