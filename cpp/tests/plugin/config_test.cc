// Bad configurations: one message that names the cable, the element and what is accepted.

#include <algorithm>
#include <vector>

#include "plugin/border/exports.h"
#include "plugin/configure/attributes.h"
#include "plugin/configure/options.h"
#include "tests/kit/check.h"
#include "tests/kit/random.h"
#include "tests/plugin/model.h"

namespace mujocable {
namespace {

using test::Random;

// pieces of a model around one cable 'rope'
struct Scene {
  std::string config;     // keys of the instance, as key="value" pairs
  std::string more = "";  // further elements of <mujoco>
};

std::string Keys(const std::vector<std::pair<std::string, std::string>>& keys) {
  std::string text;
  for (const auto& [key, value] : keys) {
    text += "<config key=\"" + key + "\" value=\"" + value + "\"/>";
  }
  return text;
}

std::string Xml(const Scene& scene) {
  return R"(<mujoco>
  <size nuser_site="1"/>
  <extension><plugin plugin="mujocable.cable"><instance name="rope">)" +
         scene.config + R"(</instance></plugin></extension>
  <worldbody>
    <site name="a" pos="-1 0 0" user="1"/>
    <site name="a_again" pos="-1 0 0"/>
    <site name="ring" pos="0.5 0.3 0" user="3"/>
    <site name="above" pos="0 0.3 0" user="2"/>
    <site name="plain" pos="0 0.5 0"/>
    <site name="inside" pos="0 0.01 0"/>
    <site name="sunk" pos="0.05 0.02 0"/>
    <site name="center" pos="0 0 0.01"/>
    <geom name="drum" type="cylinder" size="0.1 0.2"/>
    <geom name="ball" type="sphere" size="0.1" pos="0 2 0"/>
    <geom name="box" type="box" size="0.1 0.1 0.1" pos="0 3 0"/>
    <geom name="floor" type="plane" size="9 9 1" pos="0 0 -9"/>
    <geom name="drum2" type="cylinder" size="0.1 0.2" pos="0.12 0 0"/>
    <body name="arm" pos="1 0 0">
      <joint name="hinge" axis="0 1 0"/>
      <geom size="0.05"/>
      <site name="b" user="1"/>
      <body name="hand" pos="0.5 0 0">
        <joint name="wrist" type="ball"/>
        <geom size="0.05"/>
        <site name="far_b"/>
      </body>
    </body>
    <body name="winch" pos="-1 1 0">
      <joint name="winch" axis="0 0 1"/>
      <geom name="spool" type="cylinder" size="0.05 0.1"/>
      <site name="on_spool" pos="0.05 0 0"/>
      <site name="by_spool" pos="0 0.2 0"/>
    </body>
  </worldbody>)" +
         scene.more + "</mujoco>";
}

// the error of a cable with this route and these further keys
std::string ErrorOf(const Scene& scene) {
  std::string error;
  const test::Model model = test::Compile(Xml(scene), error);
  if (model) return "(it compiled)";
  return error;
}

bool Contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

void ExpectRefused(const Scene& scene, const std::vector<std::string>& parts, const char* file,
                   int line) {
  const std::string error = ErrorOf(scene);
  for (const std::string& part : parts) {
    if (Contains(error, part)) continue;
    test::Fail(file, line, "the message lacks '" + part + "': " + error);
  }
}

#define REFUSED(scene, ...) ExpectRefused(scene, {"cable 'rope'", __VA_ARGS__}, __FILE__, __LINE__)

Scene Route(const std::string& route) { return {Keys({{"route", route}, {"stiffness", "100"}})}; }

Scene With(const std::string& key, const std::string& value) {
  return {Keys(
      {{"route", "anchor a; wrap drum side=above; anchor b"}, {"stiffness", "100"}, {key, value}})};
}

TEST(PluginIsRegistered) {
  CHECK_EQ(std::string(mujocable_error()), "");
  CHECK(mjp_getPlugin(kPluginName, nullptr) != nullptr);
}

TEST(TheSceneItselfCompiles) {
  for (const Scene& scene :
       {Route("anchor a; anchor b"), Route("anchor a; wrap drum side=above; eyelet ring; anchor b"),
        Route(" anchor  a ;wrap drum side=0,0.3,0 friction=0.2 permanent; anchor b ; "),
        With("damping", "1"), With("max_tension", "inf"), With("rate_limit", "inf")}) {
    CHECK_EQ(ErrorOf(scene), "(it compiled)");
  }
}

TEST(NamesThatDoNotExist) {
  REFUSED(Route("anchor nowhere; anchor b"), "element 0", "'nowhere'", "not a site", "above");
  REFUSED(Route("anchor a; wrap pulley; anchor b"), "element 1", "'pulley'", "not a geom", "drum");
  REFUSED(Route("anchor a; eyelet nose; anchor b"), "element 1", "'nose'", "not a site");
  REFUSED(Route("anchor a; wrap drum side=nowhere; anchor b"), "element 1", "drum", "'nowhere'",
          "not a site");
  // a site is not a geom
  REFUSED(Route("anchor a; wrap ring; anchor b"), "'ring'", "not a geom");
  REFUSED((Scene{Keys({{"seed", "ghost"}, {"stiffness", "100"}})}), "'ghost'", "tendon");
}

TEST(ElementsThatCannotBe) {
  REFUSED(Route("anchor a; wrap floor; anchor b"), "wrap 1 'floor'", "a plane", "cylinder, sphere");
  REFUSED(Route("anchor a; wrap box; anchor b"), "wrap 1 'box'", "sharp edges", "rounding=");
  REFUSED(Route("anchor a; hook ring; anchor b"), "element 1", "'hook'", "anchor, eyelet, wrap");
  REFUSED(Route("anchor a; wrap; anchor b"), "element 1", "wrap GEOM");
  REFUSED(Route("anchor a; ; anchor b"), "element 1");
  REFUSED(Route("anchor a; wrap drum slippery; anchor b"), "element 1", "'slippery'",
          "friction=", "side=", "permanent");
  REFUSED(Route("anchor a; wrap drum friction=1 side=above friction=1; anchor b"), "element 1",
          "friction is given twice");
  REFUSED(Route("anchor a; eyelet ring side=above; anchor b"), "element 1", "side=above",
          "friction=");
  for (const char* mu : {"-0.1", "nan", "inf", "much", ""}) {
    REFUSED(Route("anchor a; wrap drum friction=" + std::string(mu) + "; anchor b"), "element 1",
            "friction", ">= 0", mu);
  }
}

TEST(AnchorsAtBothEndsAndNowhereElse) {
  REFUSED(Route("anchor a"), "two anchors");
  REFUSED(Route("wrap drum; anchor b"), "wrap 0 'drum'", "anchor");
  REFUSED(Route("anchor a; wrap drum"), "wrap 1 'drum'", "anchor");
  REFUSED(Route("anchor a; eyelet ring"), "eyelet 1 'ring'", "anchor");
  REFUSED(Route("anchor a; anchor ring; anchor b"), "anchor 1 'ring'", "none between");
}

TEST(RouteGivenTwiceOrNotAtAll) {
  REFUSED((Scene{Keys({{"stiffness", "100"}})}), "no route", "route", "seed", "tuple");
  REFUSED((Scene{Keys({{"name", "rope"}, {"stiffness", "100"}})}), "no route", "deleted",
          "remove_cable", "seed");
  REFUSED((Scene{Keys({{"route", "anchor a; anchor b"}, {"seed", "t"}, {"stiffness", "100"}})}),
          "route and seed");
}

TEST(PlacesThatCannotBe) {
  REFUSED(Route("anchor a; wrap drum side=above; anchor sunk"), "anchor 2 'sunk'", "inside",
          "wrap 1 'drum'");
  REFUSED(Route("anchor sunk; wrap drum side=above; anchor b"), "anchor 0 'sunk'", "inside");
  REFUSED(Route("anchor a; wrap drum side=above; eyelet sunk; anchor b"), "eyelet 2 'sunk'");
  REFUSED(Route("anchor a; eyelet a; anchor b"), "eyelet 1 'a'", "no length");
  // a side site inside is MuJoCo's inside wrap: a tube has no groove, keeper or turns
  for (const char* option : {"permanent", "groove", "turns=1"}) {
    REFUSED(Route("anchor a; wrap drum side=inside " + std::string(option) + "; anchor b"),
            "wrap 1 'drum'", "'inside'", "inside wrap");
  }
  REFUSED(Route("anchor a; wrap drum side=above half_angle=0.3; anchor b"), "groove too");
  REFUSED(Route("anchor a; wrap drum side=above groove=-1; anchor b"), "groove must be a depth");
  REFUSED(Route("anchor a; wrap drum side=0,0,0; anchor b"), "wrap 1 'drum'", "no side");
  REFUSED(Route("anchor a; wrap drum side=0,inf,0; anchor b"), "drum", "infinite");
  // two drums that overlap, the string between them: no path
  REFUSED(Route("anchor a; wrap drum side=above; wrap drum2 side=0,-0.3,0; anchor b"),
          "cannot start");
}

TEST(TooMany) {
  std::string wraps, eyelets;
  for (int i = 0; i < 17; ++i) wraps += "wrap ball; ";
  REFUSED(Route("anchor a; " + wraps + "anchor b"), "wrap 17 'ball'", "16");
  for (int i = 0; i < 300; ++i) eyelets += i % 2 ? "eyelet ring; " : "eyelet plain; ";
  REFUSED(Route("anchor a; " + eyelets + "anchor b"), "256", "302");
}

TEST(NumbersOutOfRange) {
  const std::vector<std::string> none = {"nan", "abc", "1 2", "1,5"};
  struct Case {
    const char* key;
    std::vector<std::string> bad;
    const char* accepted;
  };
  for (const Case& c : std::vector<Case>{
           {"damping", {"-1", "inf"}, ">= 0"},
           {"transition", {"-1e-9", "inf"}, ">= 0"},
           {"reserve", {"-1", "inf"}, ">= 0"},
           {"pretension", {"-1", "inf"}, ">= 0"},
           {"pretension_offset", {"inf", "-inf"}, ""},
           {"max_tension", {"0", "-5", "-inf"}, "> 0"},
           {"home_length", {"0", "-1", "inf"}, "> 0"},
           {"radius", {"-0.1", "inf"}, ">= 0"},
           {"friction", {"-0.1", "inf"}, ">= 0"},
           {"lag", {"-1", "inf"}, ">= 0"},
           {"rate_limit", {"0", "-1"}, "> 0"},
           {"max_smoothness", {"0", "-1", "inf"}, "> 0"},
           {"max_penetration", {"-1", "inf"}, ">= 0"},
       }) {
    std::vector<std::string> values = c.bad;
    values.insert(values.end(), none.begin(), none.end());
    for (const std::string& value : values) {
      REFUSED(With(c.key, value), std::string(c.key), std::string("'") + value + "'", c.accepted);
    }
  }
  for (const char* value : {"0", "-1", "nan", "inf", "stiff"}) {
    REFUSED((Scene{Keys({{"route", "anchor a; anchor b"}, {"stiffness", value}})}), "stiffness",
            value, "> 0");
    REFUSED((Scene{Keys({{"route", "anchor a; anchor b"}, {"EA", value}})}), "EA", value, "> 0");
  }
}

TEST(WordsThatAreNone) {
  REFUSED(With("friction_mode", "forward"), "friction_mode", "friction_law=\"sliding\"");
  REFUSED(With("friction_law", "sticky"), "friction_law", "'sticky'", "memory, sliding");
  REFUSED(With("damping_rate", "both"), "damping_rate", "'both'", "stretch, length");
  REFUSED(With("take_up", "magic"), "take_up", "'magic'", "spool_angle");
}

TEST(ParametersThatExcludeEachOther) {
  REFUSED((Scene{Keys({{"route", "anchor a; anchor b"}})}), "stiffness", "EA");
  REFUSED(With("EA", "100"), "stiffness and EA");
  REFUSED((Scene{Keys({{"route", "anchor a; anchor b"},
                       {"stiffness", "100"},
                       {"pretension", "1"},
                       {"pretension_offset", "0.1"}})}),
          "pretension");
}

TEST(OptionsOfContacts) {
  REFUSED(With("contacts", "wrap; eyelet"), "contacts", "2", "1");
  REFUSED(With("contacts", "eyelet"), "wrap 1 'drum'", "eyelet");
  REFUSED(With("contacts", "wrap friction=-1"), "wrap 1 'drum'", "friction");
}

// ---- take-up --------------------------------------------------------------------------------

Scene TakeUp(const std::string& kind, const std::string& more,
             std::vector<std::pair<std::string, std::string>> keys = {}) {
  keys.insert(keys.begin(),
              {{"route", "anchor a; anchor b"}, {"stiffness", "100"}, {"take_up", kind}});
  return {Keys(keys), more};
}

constexpr char kCarrier[] =
    R"(<tendon><spatial name="carrier"><site site="a"/><site site="b"/></spatial>
  <fixed name="fixed"><joint joint="hinge" coef="1"/></fixed></tendon>)";

std::string Actuator(const std::string& more) {
  return std::string(kCarrier) +
         "<actuator><plugin name='rope' plugin='mujocable.cable' instance='rope' " + more +
         "/></actuator>";
}

TEST(CommandedCablesNeedTheirActuator) {
  CHECK_EQ(ErrorOf(TakeUp("length", Actuator("tendon='carrier'"))), "(it compiled)");
  for (const char* kind : {"length", "tension"}) {
    REFUSED(TakeUp(kind, ""), "take_up", kind, "actuator");
  }
  REFUSED(TakeUp("spool_angle", "", {{"spool_radius", "0.1"}}), "spool_angle", "actuator");
  REFUSED(TakeUp("fixed", Actuator("tendon='carrier'")), "actuator 'rope'", "length, spool_angle");
  REFUSED(TakeUp("length", Actuator("joint='hinge'")), "actuator 'rope'", "a site or a tendon");
  CHECK_EQ(ErrorOf(TakeUp("length", Actuator("site='b' gear='0'"))), "(it compiled)");
  REFUSED(TakeUp("length", Actuator("site='b'")), "actuator 'rope'", "gear=\"0\"");
  REFUSED(TakeUp("length", Actuator("site='b' gear='0 0 0 0 0 1'")), "actuator 'rope'", "gear");
  REFUSED(TakeUp("length", Actuator("tendon='carrier' dyntype='integrator'")), "actuator 'rope'",
          "none");
  REFUSED(TakeUp("length", Actuator("tendon='carrier'"), {{"lag", "0.1"}}), "actuator 'rope'",
          "filter");
  REFUSED(TakeUp("spool_rate", Actuator("tendon='carrier'"), {{"spool_radius", "0.1"}}),
          "actuator 'rope'", "integrator");
  const std::string two = std::string(kCarrier) +
                          "<actuator><plugin plugin='mujocable.cable' instance='rope' "
                          "tendon='carrier'/><plugin plugin='mujocable.cable' instance='rope' "
                          "tendon='carrier'/></actuator>";
  REFUSED(TakeUp("length", two), "one actuator", "2");
}

TEST(KeysThatTheTakeUpDoesNotRead) {
  for (const auto& [key, value] :
       std::vector<std::pair<std::string, std::string>>{{"lag", "2"},
                                                        {"rate_limit", "0.1"},
                                                        {"share", "abc"},
                                                        {"tendon", "carrier"},
                                                        {"spool_joint", "winch"},
                                                        {"spool_radius", "nan"}}) {
    REFUSED(With(key, value), key, "take_up='fixed', the default");
    REFUSED(TakeUp("spool_rate", "", {{key == "spool_radius" ? "lag" : key, "2"}}), "no effect",
            "'spool_rate'");
  }
  REFUSED(With("surfaces", "drum"), "surfaces", "seed");
  for (const Scene& scene : {With("share", "1.0"), With("lag", "0"), With("tendon", ""),
                             With("spool_radius", " "), With("surfaces", "")}) {
    CHECK_EQ(ErrorOf(scene), "(it compiled)");
  }
}

TEST(SpoolsNeedARadius) {
  REFUSED(TakeUp("spool_angle", Actuator("tendon='carrier'")), "spool_radius");
  for (const char* radius : {"0", "-1", "nan", "inf"}) {
    REFUSED(TakeUp("spool_angle", Actuator("tendon='carrier'"), {{"spool_radius", radius}}),
            "spool_radius", "> 0", radius);
  }
}

TEST(PhysicalSpools) {
  const std::pair<std::string, std::string> radius = {"spool_radius", "0.05"};
  CHECK_EQ(ErrorOf(TakeUp("spool_joint", "", {radius, {"spool_joint", "winch"}})), "(it compiled)");
  CHECK_EQ(
      ErrorOf(TakeUp("spool_joint", "", {{"spool_radius", "-0.05"}, {"spool_joint", "winch"}})),
      "(it compiled)");
  for (const char* wrong : {"0", "-0", "nan", "-inf"}) {
    REFUSED(TakeUp("spool_joint", "", {{"spool_radius", wrong}, {"spool_joint", "winch"}}),
            "spool_radius", "must");
  }
  REFUSED(TakeUp("spool_joint", "", {{"spool_joint", "winch"}}), "spool_radius", "required");
  REFUSED(TakeUp("spool_joint", "", {radius}), "spool_joint", "joint");
  REFUSED(TakeUp("spool_joint", "", {radius, {"spool_joint", "elbow"}}), "'elbow'", "winch");
  REFUSED(TakeUp("spool_joint", "", {radius, {"spool_joint", "wrist"}}), "'wrist'",
          "hinge or a slide");
}

TEST(ADrumIsCountedOnce) {
  const std::string route = "anchor on_spool; wrap spool side=by_spool; anchor b";
  CHECK_EQ(ErrorOf({Keys({{"route", route}, {"stiffness", "100"}})}), "(it compiled)");
  REFUSED((Scene{Keys({{"route", route},
                       {"stiffness", "100"},
                       {"take_up", "spool_joint"},
                       {"spool_radius", "0.05"},
                       {"spool_joint", "winch"}})}),
          "anchor 0 'on_spool'", "'winch'", "twice");
}

TEST(CarriersMustReachEveryBody) {
  Scene scene = TakeUp("length", Actuator("tendon='carrier'"));
  scene.config =
      Keys({{"route", "anchor a; anchor far_b"}, {"stiffness", "100"}, {"take_up", "length"}});
  REFUSED(scene, "carrier tendon 'carrier'", "'hand'");
  const auto on_site = [&](const char* site) {
    Scene carried = scene;
    carried.more = Actuator(std::string("gear='0' site='") + site + "'");
    return carried;
  };
  CHECK_EQ(ErrorOf(on_site("far_b")), "(it compiled)");
  REFUSED(on_site("b"), "site 'b'", "'hand'");
  REFUSED(on_site("a"), "site 'a'", "'arm'");
  REFUSED(on_site("on_spool"), "site 'on_spool'", "'arm'");
}

// ---- seeds ----------------------------------------------------------------------------------

Scene Seed(const std::string& sites, const std::string& surfaces) {
  return {Keys({{"seed", "seed"}, {"surfaces", surfaces}, {"stiffness", "100"}}),
          "<tendon><spatial name='seed'>" + sites + "</spatial></tendon>"};
}

TEST(SeedTendons) {
  const std::string a = "<site site='a'/>", b = "<site site='b'/>", hint = "<site site='above'/>";
  CHECK_EQ(ErrorOf(Seed(a + hint + "<site site='ring'/>" + b, "drum")), "(it compiled)");
  REFUSED(Seed(a + hint + b, ""), "seed 'seed'", "'above'", "surface");
  REFUSED(Seed(a + b, "drum"), "'drum'", "hint");
  REFUSED(Seed(a + hint + b, "wheel"), "'wheel'", "not a geom");
  REFUSED(Seed(a + "<site site='plain'/>" + b, ""), "'plain'", "user");
  REFUSED(Seed(a + "<geom geom='drum'/>" + b, "drum"), "seed 'seed'", "only sites");
}

// ---- what MuJoCo itself refuses -------------------------------------------------------------

TEST(UnknownKeysAndRepeatedNames) {
  const std::string key = ErrorOf(With("stifness", "100"));
  CHECK(key != "(it compiled)");
  CHECK(Contains(key, "stifness"));
  std::string xml = Xml(Route("anchor a; anchor b"));
  const std::string twice =
      "<instance name=\"rope\"><config key=\"stiffness\" value=\"1\"/></instance>";
  xml.insert(xml.find("</plugin></extension>"), twice);
  std::string error;
  CHECK(test::Compile(xml, error) == nullptr);
  CHECK(Contains(error, "rope"));
}

TEST(SensorsOfFieldsThatDoNotExist) {
  Scene scene = Route("anchor a; anchor b");
  const auto sensor = [](const std::string& name) {
    return "<sensor><plugin name='" + name +
           "' plugin='mujocable.cable' instance='rope'/></sensor>";
  };
  scene.more = sensor("rope.tension");
  CHECK_EQ(ErrorOf(scene), "(it compiled)");
  scene.more = sensor("rope.colour");
  REFUSED(scene, "sensor 'rope.colour'", "fields:", "length_rate");
}

// ---- strings nobody would write -------------------------------------------------------------

TEST(RandomStringsNeverCrash) {
  Random random(1);
  std::vector<std::string> words = {"anchor",
                                    "wrap",
                                    "eyelet",
                                    "ring",
                                    "sheath",
                                    "a",
                                    "b",
                                    "drum",
                                    "ball",
                                    "box",
                                    "above",
                                    "spool",
                                    ";",
                                    ";;",
                                    "=",
                                    "side=above",
                                    "side=1,2,3",
                                    "side=,,",
                                    "1,2,3",
                                    "-0",
                                    "nan",
                                    "inf",
                                    "0x10",
                                    "",
                                    " ",
                                    "\t",
                                    "#",
                                    "é",
                                    "friction=0.1",
                                    "friction=1e999",
                                    "%s%n",
                                    "'",
                                    "on_spool",
                                    "far_b",
                                    "turns=1e9",
                                    "contacts=1e300",
                                    "groove",
                                    "mode=both",
                                    "exit=above",
                                    "half_angle=1.6",
                                    "permanent=1",
                                    "contacts=-1"};
  for (const Option& option : kOptions) words.push_back(option.key + std::string("="));
  int compiled = 0;
  for (int i = 0; i < 1500; ++i) {
    std::string route;
    const int count = random.Index(14);
    for (int k = 0; k < count; ++k)
      route += words[random.Index(static_cast<int>(words.size()))] + " ";
    if (random.Chance(0.5)) {
      // half of them nearly right
      const char* good[] = {"eyelet ring", "eyelet plain friction=0.1", "wrap drum side=above",
                            "wrap ball", "wrap drum permanent"};
      route = "anchor a; ";
      for (int k = random.Index(4); k > 0; --k) route += good[random.Index(5)] + std::string("; ");
      if (random.Chance(0.3)) route += words[random.Index(static_cast<int>(words.size()))] + "; ";
      route += "anchor b";
    }
    std::vector<std::pair<std::string, std::string>> keys = {{"route", route},
                                                             {"stiffness", "100"}};
    const int extra = random.Index(3);
    for (int k = 0; k < extra; ++k) {
      const Attribute& attribute = kAttributes[random.Index(kAttributeCount)];
      if (attribute.key == std::string("route") || attribute.key == std::string("stiffness"))
        continue;
      bool repeated = false;
      for (const auto& pair : keys) repeated = repeated || pair.first == attribute.key;
      if (!repeated) {
        keys.push_back({attribute.key, words[random.Index(static_cast<int>(words.size()))]});
      }
    }
    const std::string error = ErrorOf({Keys(keys)});
    compiled += error == "(it compiled)";
    CHECK(!error.empty());
    // the cables of an instance may have names of their own
    const bool named = std::ranges::any_of(keys, [](const auto& k) { return k.first == "cables"; });
    if (error != "(it compiled)") CHECK(Contains(error, named ? "cable '" : "cable 'rope'"));
  }
  CHECK(compiled > 10);
}

}  // namespace
}  // namespace mujocable
