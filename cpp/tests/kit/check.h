// A test harness in one header: TEST(name) { CHECK(...); }, one executable per file, main included.
//
//   ./span_test             runs all, one line per failure, closes with 'N passed, N failed'
//   ./span_test windings    runs the tests whose name contains 'windings'

#ifndef MUJOCABLE_TESTS_KIT_CHECK_H_
#define MUJOCABLE_TESTS_KIT_CHECK_H_

#include <cmath>
#include <cstdio>
#include <cstring>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

namespace mujocable::test {

struct Case {
  const char* name;
  void (*run)();
};

inline std::vector<Case>& Cases() {
  static std::vector<Case> cases;
  return cases;
}

struct Registration {
  Registration(const char* name, void (*run)()) { Cases().push_back({name, run}); }
};

// failed checks of the running test; only the first few are printed
inline int failures = 0;
inline constexpr int kPrinted = 8;

inline void Fail(const char* file, int line, const std::string& message) {
  if (++failures > kPrinted) return;
  std::printf("%s:%d: %s\n", file, line, message.c_str());
}

inline void CheckTrue(bool ok, const char* text, const char* file, int line) {
  if (!ok) Fail(file, line, std::string("CHECK(") + text + ")");
}

// NaN is near nothing
inline void CheckNear(double a, double b, double tolerance, const char* text, const char* file,
                      int line) {
  if (std::abs(a - b) <= tolerance) return;
  char numbers[160];
  std::snprintf(numbers, sizeof numbers, ": %.17g against %.17g, apart %.3g, allowed %.3g", a, b,
                std::abs(a - b), tolerance);
  Fail(file, line, std::string("CHECK_NEAR(") + text + ")" + numbers);
}

// enums are shown by number
template <typename T>
auto Shown(const T& value) {
  if constexpr (std::is_enum_v<T>) {
    return static_cast<int>(value);
  } else {
    return value;
  }
}

template <typename A, typename B>
void CheckEqual(const A& a, const B& b, const char* text, const char* file, int line) {
  if (a == b) return;
  std::ostringstream values;
  values.precision(17);
  values << ": " << Shown(a) << " against " << Shown(b);
  Fail(file, line, std::string("CHECK_EQ(") + text + ")" + values.str());
}

inline int RunAll(const char* filter) {
  int passed = 0, failed = 0;
  for (const Case& c : Cases()) {
    if (filter && !std::strstr(c.name, filter)) continue;
    failures = 0;
    c.run();
    if (failures == 0) {
      ++passed;
      continue;
    }
    ++failed;
    if (failures > kPrinted) std::printf("  and %d more\n", failures - kPrinted);
    std::printf("FAILED %s\n", c.name);
  }
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed == 0 && passed > 0 ? 0 : 1;
}

}  // namespace mujocable::test

#define TEST(name)                                                                 \
  static void Test##name();                                                        \
  static const mujocable::test::Registration registered_##name(#name, Test##name); \
  static void Test##name()

#define CHECK(condition) \
  mujocable::test::CheckTrue(static_cast<bool>(condition), #condition, __FILE__, __LINE__)
#define CHECK_NEAR(a, b, tolerance) \
  mujocable::test::CheckNear(a, b, tolerance, #a ", " #b, __FILE__, __LINE__)
#define CHECK_EQ(a, b) mujocable::test::CheckEqual(a, b, #a ", " #b, __FILE__, __LINE__)

int main(int argc, char** argv) { return mujocable::test::RunAll(argc > 1 ? argv[1] : nullptr); }

#endif  // MUJOCABLE_TESTS_KIT_CHECK_H_
