// How many cables load the same kinematic trees.

#include <set>

#include "plugin/ask.h"
#include "plugin/configure/build.h"
#include "plugin/configure/words.h"

namespace mujocable {
namespace {

// Trees that a route and its spool belong to; none where the route cannot be read: it is refused
// when it is read itself.
std::set<int> TreesOf(const mjModel* m, int instance) {
  std::set<int> trees;
  const auto add = [&](int body) {
    body = MovingBody(m, body);
    if (body > 0) trees.insert(m->dof_treeid[m->body_dofadr[body]]);
  };
  try {
    const Attributes a{m, instance};
    for (const ElementConfig& e : ReadRoute(a)) add(e.body);
    const int spool = ReferredTo(a, mjOBJ_JOINT, "spool_joint");
    if (spool >= 0) add(m->jnt_bodyid[spool]);
  } catch (const ConfigError&) {
    return {};
  }
  return trees;
}

}  // namespace

std::vector<int> CountSharing(const mjModel* m, int plugin) {
  const int n = static_cast<int>(m->nplugin);
  std::vector<std::set<int>> trees(n);
  std::vector<std::vector<int>> cables(m->ntree);  // that load each tree
  for (int i = 0; i < n; ++i) {
    if (m->plugin[i] != plugin) continue;
    trees[i] = TreesOf(m, i);
    for (int tree : trees[i]) cables[tree].push_back(i);
  }
  std::vector<int> counts(n, 0), seen(n, -1);  // seen: the last cable that counted this one
  for (int i = 0; i < n; ++i) {
    if (m->plugin[i] != plugin) continue;
    counts[i] = 1;
    seen[i] = i;
    for (int tree : trees[i]) {
      for (int other : cables[tree]) {
        counts[i] += seen[other] != i;
        seen[other] = i;
      }
    }
  }
  return counts;
}

}  // namespace mujocable
