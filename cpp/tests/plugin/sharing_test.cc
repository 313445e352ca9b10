// Cables that load the same trees, counted.

#include <string>
#include <vector>

#include "plugin/border/exports.h"
#include "plugin/configure/build.h"
#include "plugin/configure/registry.h"
#include "tests/kit/check.h"
#include "tests/plugin/model.h"

namespace mujocable {
namespace {

std::string Instance(const std::string& name, const std::string& route,
                     const std::string& more = "") {
  return "<instance name='" + name + "'><config key='route' value='" + route +
         "'/><config key='stiffness' value='10'/>" + more + "</instance>";
}

std::string Tree(const std::string& name, const std::string& x) {
  return "<body pos='" + x + " 0 0'><joint name='" + name +
         "' axis='0 1 0'/><geom size='.05'/><site name='" + name +
         "1' pos='0 0 .2'/><body pos='0 0 .3'><joint axis='0 1 0'/><geom size='.05'/><site name='" +
         name + "2'/></body></body>";
}

TEST(CablesOfTheSameTreesAreCounted) {
  CHECK_EQ(std::string(mujocable_error()), "");
  // three trees; by hand: which cables load a tree that the cable loads, itself included
  const std::string spool =
      "<config key='take_up' value='spool_joint'/><config key='spool_joint' value='c'/>"
      "<config key='spool_radius' value='.02'/>";
  const std::vector<std::pair<std::string, int>> cables = {
      {Instance("within_a", "anchor a1; anchor a2"), 3},
      {Instance("a_to_b", "anchor a1; eyelet b1; anchor b2"), 5},  // both trees, each cable once
      {Instance("a_b_again", "anchor a2; anchor b2"), 5},
      {Instance("from_the_world", "anchor w; anchor b1"), 4},
      {Instance("wound_by_c", "anchor w; anchor b2", spool), 5},  // its spool loads c
      {Instance("within_c", "anchor c1; anchor c2"), 2},
      {Instance("nowhere", "anchor w; anchor w2"), 1}};
  std::string xml = "<mujoco><extension><plugin plugin='mujocable.cable'>";
  for (const auto& [text, count] : cables) xml += text;
  xml +=
      "</plugin></extension><worldbody><site name='w' pos='0 1 0'/><site name='w2' pos='0 2 0'/>" +
      Tree("a", "0") + Tree("b", "1") + Tree("c", "2") + "</worldbody></mujoco>";
  std::string error;
  const test::Model model = test::Compile(xml, error);
  CHECK_EQ(error, "");
  const test::Data data = test::MakeData(model);
  const std::vector<std::vector<int>> all = CountSharing(model.get(), model->plugin[0]);
  for (size_t i = 0; i < cables.size(); ++i) {
    const int instance = static_cast<int>(i);
    CHECK_EQ(all[i][0], cables[i].second);
    CHECK_EQ(FindInstance(model.get(), data.get(), instance)->cables[0].sharing, cables[i].second);
  }
}

}  // namespace
}  // namespace mujocable
