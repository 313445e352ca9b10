// How many cables load the same kinematic trees.

#include <set>

#include "plugin/ask.h"
#include "plugin/configure/build.h"
#include "plugin/configure/words.h"

namespace mujocable {
namespace {

// Trees that a route and its spool belong to; none where the route cannot be read: it is refused
// when it is read itself.
std::set<int> TreesOf(const Attributes& a) {
  const mjModel* m = a.m;
  std::set<int> trees;
  const auto add = [&](int body) {
    body = MovingBody(m, body);
    if (body > 0) trees.insert(m->dof_treeid[m->body_dofadr[body]]);
  };
  try {
    for (const ElementConfig& e : ReadRoute(a)) add(e.body);
    const int spool = ReferredTo(a, mjOBJ_JOINT, "spool_joint");
    if (spool >= 0) add(m->jnt_bodyid[spool]);
  } catch (const ConfigError&) {
    return {};
  }
  return trees;
}

}  // namespace

std::vector<std::vector<int>> CountSharing(const mjModel* m, int plugin) {
  const int n = static_cast<int>(m->nplugin);
  std::vector<std::set<int>> trees;                // of every cable
  std::vector<std::vector<int>> cables(m->ntree);  // that load each tree
  std::vector<std::vector<int>> of_instances(n);
  for (int i = 0; i < n; ++i) {
    if (m->plugin[i] != plugin) continue;
    Attributes a(m, i);
    for (; a.member < a.size(); ++a.member) {
      for (int tree : trees.emplace_back(TreesOf(a))) {
        cables[tree].push_back(static_cast<int>(trees.size()) - 1);
      }
    }
    of_instances[i].resize(a.size());
  }
  std::vector<int> seen(trees.size(), -1);  // the last cable that counted this one
  int cable = 0;
  for (std::vector<int>& counts : of_instances) {
    for (int& count : counts) {
      count = 1;
      seen[cable] = cable;
      for (int tree : trees[cable]) {
        for (int other : cables[tree]) {
          count += seen[other] != cable;
          seen[other] = cable;
        }
      }
      ++cable;
    }
  }
  return of_instances;
}

}  // namespace mujocable
