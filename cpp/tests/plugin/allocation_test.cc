// A step with cables allocates nothing that a step without them does not.
//
// Allocations are counted by this executable's own malloc (glibc), by the hooks of the sanitizer,
// or where neither is there, by operator new alone.

#include <cstdlib>
#include <new>

#include "core/path/route.h"
#include "core/record.h"
#include "core/state.h"
#include "plugin/border/exports.h"
#include "tests/kit/check.h"
#include "tests/plugin/model.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define MUJOCABLE_SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define MUJOCABLE_SANITIZED
#endif

namespace {

bool counting = false;
long allocations = 0;

void Count() {
  if (counting) ++allocations;
}

}  // namespace

#if defined(MUJOCABLE_SANITIZED)

// GCC brings the function but not its header
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*malloc_hook)(const volatile void*,
                                                                             size_t),
                                                         void (*free_hook)(const volatile void*));

namespace {
constexpr bool kSeesMalloc = true;
void OnMalloc(const volatile void*, size_t) { Count(); }
void OnFree(const volatile void*) {}
const int installed = __sanitizer_install_malloc_and_free_hooks(OnMalloc, OnFree);
}  // namespace

#elif defined(__GLIBC__)

namespace {
constexpr bool kSeesMalloc = true;
}

extern "C" {

void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* p, size_t size);
void* __libc_memalign(size_t alignment, size_t size);
void __libc_free(void* p);

#define MUJOCABLE_COUNTED __attribute__((used, visibility("default")))

MUJOCABLE_COUNTED void* malloc(size_t size) {
  Count();
  return __libc_malloc(size);
}
MUJOCABLE_COUNTED void* calloc(size_t count, size_t size) {
  Count();
  return __libc_calloc(count, size);
}
MUJOCABLE_COUNTED void* realloc(void* p, size_t size) {
  Count();
  return __libc_realloc(p, size);
}
MUJOCABLE_COUNTED void* memalign(size_t alignment, size_t size) {
  Count();
  return __libc_memalign(alignment, size);
}
MUJOCABLE_COUNTED void* aligned_alloc(size_t alignment, size_t size) {
  Count();
  return __libc_memalign(alignment, size);
}
MUJOCABLE_COUNTED int posix_memalign(void** p, size_t alignment, size_t size) {
  Count();
  *p = __libc_memalign(alignment, size);
  return *p ? 0 : 12;
}
MUJOCABLE_COUNTED void free(void* p) { __libc_free(p); }

}  // extern "C"

#else

namespace {
constexpr bool kSeesMalloc = false;
}

void* operator new(size_t size) {
  Count();
  if (void* p = std::malloc(size ? size : 1)) return p;
  throw std::bad_alloc();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, size_t) noexcept { std::free(p); }

#endif

namespace mujocable {
namespace {

// a motor lifts a ball over two sheaves and through a ring; a second one, with lag, turns a drum;
// passive cables hold a pendulum: over a sphere and two cylinders, over smooth surfaces, over
// meshes, through a grommet, and straight
constexpr char kCables[] = R"(
  <extension>
    <plugin plugin="mujocable.cable">
      <instance name="hoist">
        <config key="route" value="anchor motor; wrap left side=over_left;
                                   wrap right side=over_right;
                                   eyelet ring friction=0.05; anchor hook"/>
        <config key="stiffness" value="3000"/>
        <config key="damping" value="5"/>
        <config key="friction" value="0.2"/>
        <config key="take_up" value="length"/>
      </instance>
      <instance name="slow">
        <config key="route" value="anchor motor; wrap left side=over_left; anchor weight"/>
        <config key="stiffness" value="3000"/>
        <config key="friction" value="0.1"/>
        <config key="take_up" value="spool_angle"/>
        <config key="spool_radius" value="0.03"/>
        <config key="lag" value="0.05"/>
      </instance>
      <instance name="stay">
        <config key="route" value="anchor foot; wrap ball side=0,0,0.2; wrap bar1;
                                   wrap bar2 permanent; anchor tip"/>
        <config key="EA" value="2000"/>
        <config key="friction" value="0.3"/>
        <config key="pretension" value="5"/>
      </instance>
      <instance name="smooth">
        <config key="route" value="anchor back; wrap egg side=0,0,0.2; wrap pill side=0,0.2,0;
                                   wrap block side=0,0,0.2 rounding=0.02; anchor tip"/>
        <config key="stiffness" value="500"/>
        <config key="friction" value="0.2"/>
        <config key="pretension" value="5"/>
      </instance>
      <instance name="grommet">
        <config key="route" value="anchor high; ring grommet radius=0.15 tube=0.04; anchor low"/>
        <config key="stiffness" value="500"/>
        <config key="friction" value="0.2"/>
        <config key="pretension" value="5"/>
      </instance>
      <instance name="facets">
        <config key="route" value="anchor front; wrap stone side=0,0,0.4;
                                   wrap hoop side=0,0,0.4 contacts=2; anchor tip"/>
        <config key="stiffness" value="500"/>
        <config key="friction" value="0.2"/>
        <config key="pretension" value="5"/>
      </instance>
      <instance name="guy">
        <config key="route" value="anchor foot; anchor tip"/>
        <config key="stiffness" value="500"/>
      </instance>
    </plugin>
  </extension>
  <tendon>
    <spatial name="hoist"><site site="on_right"/><site site="hook"/></spatial>
    <spatial name="slow"><site site="on_right"/><site site="weight"/></spatial>
  </tendon>
  <actuator>
    <plugin name="hoist" plugin="mujocable.cable" instance="hoist" tendon="hoist" gear="-1"/>
    <plugin name="slow" plugin="mujocable.cable" instance="slow" tendon="slow" gear="-1"
            dyntype="filter" dynprm="0.05"/>
  </actuator>
  <sensor>
    <plugin name="hoist" plugin="mujocable.cable" instance="hoist"/>
    <plugin name="hoist.tension" plugin="mujocable.cable" instance="hoist"/>
    <plugin name="slow" plugin="mujocable.cable" instance="slow"/>
    <plugin name="stay" plugin="mujocable.cable" instance="stay"/>
    <plugin name="smooth" plugin="mujocable.cable" instance="smooth"/>
    <plugin name="facets" plugin="mujocable.cable" instance="facets"/>
    <plugin name="grommet" plugin="mujocable.cable" instance="grommet"/>
  </sensor>)";

// cables that are stiff and rub hard for the step, tied to each other by a body, with dry
// friction in the axle: one passive over a light sheave, one commanded over the same sheave, one
// through a grommet, and straight
constexpr char kStiffCables[] = R"(
      <instance name="stay">
        <config key="route" value="anchor left; wrap rim side=0,0.2,0; anchor hook"/>
        <config key="stiffness" value="1e5"/>
        <config key="friction" value="0.4"/>
        <config key="pretension" value="0.3"/>
      </instance>
      <instance name="hoist">
        <config key="route" value="anchor right; wrap rim side=0,0.2,0; eyelet ring; anchor eye"/>
        <config key="stiffness" value="1e5"/>
        <config key="friction" value="0.3"/>
        <config key="take_up" value="length"/>
      </instance>
      <instance name="guy">
        <config key="route" value="anchor floor; anchor eye"/>
        <config key="stiffness" value="1e6"/>
        <config key="damping" value="5"/>
      </instance>)";

// the same in one instance
constexpr char kSharedCables[] = R"(
      <instance name="all">
        <config key="cables" value="stay | hoist | guy"/>
        <config key="route" value="anchor left; wrap rim side=0,0.2,0; anchor hook |
                anchor right; wrap rim side=0,0.2,0; eyelet ring; anchor eye |
                anchor floor; anchor eye"/>
        <config key="stiffness" value="1e5 | 1e5 | 1e6"/>
        <config key="friction" value="0.4 | 0.3 |"/>
        <config key="pretension" value="0.3 | |"/>
        <config key="damping" value="| | 5"/>
        <config key="take_up" value="| length |"/>
      </instance>)";

// with what refers to them; shared: the instance of all, "": each has its own
std::string StiffCables(const std::string& instances, const std::string& shared) {
  const auto refer = [&](const std::string& name) {
    return "<plugin name='" + name + "' plugin='mujocable.cable' instance='" +
           (shared.empty() ? name : shared) + "' ";
  };
  return "<extension><plugin plugin='mujocable.cable'>" + instances +
         "</plugin></extension><tendon><spatial name='hoist'><site site='on_rim'/>"
         "<site site='eye'/></spatial></tendon><actuator>" +
         refer("hoist") + "tendon='hoist' gear='-1'/></actuator><sensor>" + refer("stay") + "/>" +
         refer("hoist") + "/>" + refer("guy") + "/></sensor>";
}

std::string StiffXml(const std::string& cables, const std::string& integrator) {
  return "<mujoco><option timestep='0.002' integrator='" + integrator + "'/>" + cables + R"(
  <worldbody>
    <geom type="plane" size="2 2 .1"/>
    <site name="left" pos="-.3 0 .5"/><site name="right" pos="-.3 .01 .5"/>
    <site name="ring" pos=".1 0 .45"/><site name="floor" pos=".1 0 0"/>
    <body pos="0 0 .5">
      <joint axis="0 1 0" damping="1e-6" frictionloss="1e-5"/>
      <geom name="rim" type="cylinder" size=".03 .05" euler="90 0 0" mass=".001"
            contype="0" conaffinity="0"/>
      <site name="on_rim"/>
    </body>
    <body pos=".05 0 .15">
      <freejoint/>
      <geom size=".03" mass=".05"/>
      <site name="hook" pos="0 0 .03"/><site name="eye" pos=".02 0 .02"/>
    </body>
  </worldbody>
</mujoco>)";
}

std::string Xml(const std::string& cables, const std::string& integrator) {
  return "<mujoco><option timestep='0.001' integrator='" + integrator + "'/>" + cables + R"(
  <asset>
    <mesh name="stone" builtin="sphere" params="3" scale=".12 .2 .08"/>
    <mesh name="hoop" builtin="supertorus" params="24 .4 1 1" scale=".1 .2 .1"/>
  </asset>
  <worldbody>
    <site name="front" pos="2 -1 0"/>
    <geom name="stone" type="mesh" mesh="stone" pos="2.5 -.75 -.04" contype="0" conaffinity="0"/>
    <geom name="hoop" type="mesh" mesh="hoop" pos="3.2 -.4 -.02" contype="0" conaffinity="0"/>
    <site name="motor" pos="-.5 0 0"/>
    <geom name="left" type="cylinder" size=".1 .05" pos="0 0 1" euler="90 0 0"/>
    <site name="over_left" pos="0 0 1.3"/>
    <body pos=".5 0 1.1">
      <joint name="axle" axis="0 1 0"/>
      <geom name="right" type="cylinder" size=".1 .05" euler="90 0 0"/>
      <site name="on_right"/>
    </body>
    <site name="over_right" pos=".5 0 1.4"/>
    <site name="ring" pos=".65 0 .8"/>
    <body pos=".7 0 .4"><freejoint/><geom size=".04" mass=".5"/><site name="hook"/></body>
    <body pos="0.15 0.3 .4">
      <joint type="slide" axis="0 0 1"/>
      <geom size=".04" mass=".5"/>
      <site name="weight" pos="0 -.3 0"/>
    </body>
    <site name="foot" pos="2 0 0"/>
    <geom name="ball" size=".1" pos="2.5 0 -.05"/>
    <geom name="bar1" type="cylinder" size=".05 .2" pos="3 0 .2" euler="90 0 0"/>
    <geom name="bar2" type="cylinder" size=".05 .2" pos="3.4 0 .1" euler="90 0 0"/>
    <site name="back" pos="2 1 0"/>
    <geom name="egg" type="ellipsoid" size=".08 .2 .06" pos="2.5 .75 -.03"/>
    <geom name="pill" type="capsule" size=".06 .2" pos="3 .5 -.04" euler="90 0 0"/>
    <geom name="block" type="box" size=".06 .2 .06" pos="3.5 .25 -.04"/>
    <site name="high" pos="-2 0 .05"/>
    <body pos="-1.5 0 0">
      <joint type="ball" damping=".02"/>
      <geom size=".15" mass=".2" contype="0" conaffinity="0"/>
      <site name="grommet"/>
    </body>
    <site name="low" pos="-1 0 -.05"/>
    <body pos="4 0 1">
      <joint type="ball" damping=".1"/>
      <geom type="capsule" fromto="0 0 0 0 0 -1" size=".02"/>
      <site name="tip" pos="0 0 -1"/>
    </body>
  </worldbody>
</mujoco>)";
}

// allocations of `steps` steps, and whether every cable did something in them
struct Outcome {
  long allocations = 0;
  double pulled[6] = {};
  int twice = 0;  // steps in which both sides of the hole were touched
};

Outcome Run(const mjModel* m, mjData* d, int steps, bool violent) {
  Outcome outcome;
  const int hoist = mj_name2id(m, mjOBJ_SENSOR, "hoist"),
            slow = mj_name2id(m, mjOBJ_SENSOR, "slow");
  const int stay = mj_name2id(m, mjOBJ_SENSOR, "stay"),
            smooth = mj_name2id(m, mjOBJ_SENSOR, "smooth"),
            facets = mj_name2id(m, mjOBJ_SENSOR, "facets"),
            grommet = mj_name2id(m, mjOBJ_SENSOR, "grommet");
  for (int k = 0; k < steps; ++k) {
    for (int i = 0; i < m->nu; ++i) d->ctrl[i] = 0.1 * std::sin(0.01 * k + i);
    // throw everything about: lifted wraps, slack, ends inside surfaces
    if (violent && k % 20 == 0) {
      for (int i = 0; i < m->nv; ++i) d->qvel[i] = 8 * std::sin(1.7 * k + 3 * i);
    }
    counting = true;
    allocations = 0;
    mj_step(m, d);
    counting = false;
    outcome.allocations += allocations;
    int index = 0;
    for (int sensor : {hoist, slow, stay, smooth, facets, grommet}) {
      if (sensor < 0) continue;
      const double* record = d->sensordata + m->sensor_adr[sensor];
      // the place of source_tension in any record: before the fields per segment
      const Record r = Record{const_cast<double*>(record), 0, 0};
      outcome.pulled[index++] += r.source_tension();
    }
    if (grommet < 0) continue;
    double* record = d->sensordata + m->sensor_adr[grommet];
    outcome.twice += LoadMemory(Record{record, 1, kRingRows}.memory() + kWrapMemory).touching;
  }
  return outcome;
}

TEST(TheCounterSeesAllocations) {
  counting = true;
  allocations = 0;
  double* volatile p = new double[100];
  counting = false;
  delete[] p;
  CHECK(allocations > 0);
  // also those inside MuJoCo's library
  std::string error;
  const test::Model m = test::Compile(Xml("", "Euler"), error);
  CHECK(m != nullptr);
  if (!m) return;
  counting = true;
  allocations = 0;
  const test::Data d = test::MakeData(m);
  counting = false;
  if (kSeesMalloc) CHECK(allocations > 0);
}

TEST(StepsOfACableAllocateNothing) {
  CHECK_EQ(std::string(mujocable_error()), "");
  for (const char* integrator : {"Euler", "implicitfast", "implicit", "RK4"}) {
    std::string error;
    const test::Model with = test::Compile(Xml(kCables, integrator), error);
    if (!with) {
      std::printf("  %s\n", error.c_str());
      CHECK(with != nullptr);
      return;
    }
    const test::Model without = test::Compile(Xml("", integrator), error);
    const test::Data d = test::MakeData(with), e = test::MakeData(without);
    for (bool violent : {false, true}) {
      const Outcome plain = Run(without.get(), e.get(), 300, violent);
      const Outcome cables = Run(with.get(), d.get(), 300, violent);
      CHECK_EQ(cables.allocations, plain.allocations);
      // not for lack of work
      for (int k = 0; k < 6 && !violent; ++k) CHECK(cables.pulled[k] > 0);
      if (!violent) CHECK(cables.twice > 0 && cables.twice < 300);
    }
  }
}

void StiffAndRubbing(const std::string& text) {
  // a warning comes once per simulation; MuJoCo's own log would allocate for it
  mju_user_warning = [](const char*) {};
  for (const char* integrator : {"Euler", "implicitfast", "implicit", "discrete"}) {
    std::string error;
    const test::Model with = test::Compile(StiffXml(text, integrator), error);
    if (!with) {
      std::printf("  %s\n", error.c_str());
      CHECK(with != nullptr);
      return;
    }
    const test::Model without = test::Compile(StiffXml("", integrator), error);
    long counts[2];
    int coupled[3] = {}, bound = 0, index = 0;
    for (const mjModel* m : {with.get(), without.get()}) {
      const test::Data d(mj_makeData(m));
      long sum = 0;
      for (int k = 0; k < 300; ++k) {
        if (m->nu) d->ctrl[0] = 0.02 * std::sin(0.05 * k);
        counting = true;
        allocations = 0;
        k % 10 ? mj_step(m, d.get()) : (mj_forward(m, d.get()), mj_inverse(m, d.get()));
        counting = false;
        sum += allocations;
        if (index) continue;
        for (int i = 0; i < 3; ++i) {
          const int contacts = i == 0 ? 1 : i == 1 ? 2 : 0, wraps = i < 2;
          const Record r = Record{d->sensordata + m->sensor_adr[i], contacts, wraps};
          coupled[i] += r.Coupled();
        }
        bound += d->nefc > 0;
      }
      counts[index++] = sum;
    }
    CHECK_EQ(counts[0], counts[1]);
    // not for lack of work
    for (int i = 0; i < 3; ++i) CHECK(coupled[i] > 20);
    CHECK(bound > 200);
  }
}

TEST(StepsOfStiffAndRubbingCablesAllocateNothing) {
  StiffAndRubbing(StiffCables(kStiffCables, ""));
}

TEST(StepsOfCablesInOneInstanceAllocateNothing) {
  StiffAndRubbing(StiffCables(kSharedCables, "all"));
}

TEST(OtherCallsOfAStepAllocateNothing) {
  std::string error;
  const test::Model m = test::Compile(Xml(kCables, "Euler"), error);
  const test::Model plain = test::Compile(Xml("", "Euler"), error);
  CHECK(m && plain);
  if (!m || !plain) return;
  long counts[2];
  int index = 0;
  for (const mjModel* model : {m.get(), plain.get()}) {
    const test::Data d(mj_makeData(model)), copy(mj_makeData(model));
    mj_forward(model, d.get());
    mj_copyData(copy.get(), model, d.get());
    counting = true;
    allocations = 0;
    for (int k = 0; k < 20; ++k) {
      mj_forward(model, d.get());
      mj_step1(model, d.get());
      mj_step2(model, d.get());
      mj_inverse(model, d.get());
      // (mj_resetData is left out: MuJoCo itself saves the plugin data of any plugin there)
    }
    counting = false;
    counts[index++] = allocations;
  }
  CHECK_EQ(counts[0], counts[1]);
}

}  // namespace
}  // namespace mujocable
