// Several numbers at a time, against the standard library and the scalar code.

#include "core/math/simd.h"

#include "core/law/cell.h"
#include "core/math/angle.h"
#include "core/math/exp.h"
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
  const Lanes one = Exp(All<Lanes>(0));
  for (int j = 0; j < kLanes; ++j) CHECK_EQ(one[j], 1.0);  // no friction is no friction
}

TEST(EnergiesAndConesAreThoseOfTheScalarCode) {
  Random random(7);
  for (int i = 0; i < 2000; ++i) {
    AxialStep step;
    step.axial.stiffness = random.Uniform(1, 1000);
    step.axial.transition = i % 3 == 0 ? 0 : random.Uniform(0, 0.01);
    step.length = random.Uniform(0.1, 2);
    step.rigid = i % 2;
    Lanes size, stretch, after, ratio;
    for (int j = 0; j < kLanes; ++j) {
      size[j] = random.Uniform(0, 1);
      stretch[j] = random.Uniform(-0.02, 0.02);
      after[j] = random.Uniform(0, 2);
      ratio[j] = random.Uniform(1, 2);
    }
    const Lanes energy = StoredEnergy(ElasticOf<Lanes>(step), size, stretch);
    const Lanes cone = ConeOf(size, after, ratio);
    for (int j = 0; j < kLanes; ++j) {
      CHECK_EQ(energy[j],
               StoredEnergy(ElasticOf<double>(step), double{size[j]}, double{stretch[j]}));
      CHECK_EQ(cone[j], ConeOf(double{size[j]}, double{after[j]}, double{ratio[j]}));
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

TEST(LanesDoWhatNumbersDo) {
  Random random(5);
  for (int i = 0; i < 1000; ++i) {
    Lanes a, b;
    for (int j = 0; j < kLanes; ++j) {
      a[j] = random.Uniform(-2, 2);
      b[j] = random.Uniform(-2, 2);
    }
    const Lanes chosen = Select(a, b, 2 - a / b), root = Sqrt(Abs(a)), shifted = Shift(7, a);
    const Pair pair = Sqrt(Pair{a[0], a[1]} * Pair{a[0], a[1]} + 1);
    for (int j = 0; j < kLanes; ++j) {
      CHECK_EQ(chosen[j], a[j] < 0 ? b[j] : 2 - a[j] / b[j]);
      CHECK_EQ(root[j], std::sqrt(std::abs(a[j])));
      CHECK_EQ(shifted[j], j ? a[j - 1] : 7.0);
      if (j < 2) CHECK_EQ(pair[j], std::sqrt(a[j] * a[j] + 1));
    }
    const Lanes least = Least(a, b), most = Most(a, b);
    double both[2 * kLanes];
    StoreTwo(a, b, both, both + 2, both + 4, both + 6);
    Lanes first, second;
    LoadTwo(both, both + 2, both + 4, both + 6, first, second);
    int negative = 0;
    for (int j = 0; j < kLanes; ++j) {
      CHECK_EQ(least[j], std::min<double>(a[j], b[j]));
      CHECK_EQ(most[j], std::max<double>(a[j], b[j]));
      CHECK(both[2 * j] == a[j] && both[2 * j + 1] == b[j]);
      CHECK(first[j] == a[j] && second[j] == b[j]);
      negative |= (a[j] < 0) << j;
    }
    CHECK_EQ(NegativeBits(a), negative);
    CHECK(AnyNegative(a) == (negative != 0) && AllNegative(a) == (negative == 15));
    CHECK_EQ(MostSize(pair - 3), std::max(std::abs(pair[0] - 3), std::abs(pair[1] - 3)));
    CHECK(AllZero(BitsOf(a) ^ BitsOf(a)) && !AllZero(BitsOf(a) ^ BitsOf(b)));
  }
}

}  // namespace
}  // namespace mujocable
