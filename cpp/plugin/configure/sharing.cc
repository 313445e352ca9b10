#include "plugin/configure/sharing.h"

#include <algorithm>
#include <string>

#include "plugin/configure/route_config.h"

namespace mujocable {
namespace {

void Add(const mjModel* m, int body, std::vector<int>& trees) {
  while (body > 0 && m->body_dofnum[body] == 0) body = m->body_parentid[body];
  if (body > 0) trees.push_back(m->dof_treeid[m->body_dofadr[body]]);
}

// Trees that a route and its spool belong to, ascending; none where the route cannot be read: it is
// refused when it is read itself.
std::vector<int> TreesOf(const mjModel* m, int instance) {
  std::vector<int> trees;
  try {
    int spool = -1;
    for (const ElementConfig& e : ReadRoute(m, instance, spool)) {
      const bool site = e.ring || e.kind != ElementKind::kWrap;
      Add(m, (site ? m->site_bodyid : m->geom_bodyid)[e.object], trees);
    }
    const std::string name = ConfigValue(m, instance, "spool_joint");
    if (!name.empty()) spool = FindObject(m, instance, mjOBJ_JOINT, name, "spool_joint");
    if (spool >= 0) Add(m, m->jnt_bodyid[spool], trees);
  } catch (const ConfigError&) {
    return {};
  }
  std::sort(trees.begin(), trees.end());
  trees.erase(std::unique(trees.begin(), trees.end()), trees.end());
  return trees;
}

bool Meet(const std::vector<int>& a, const std::vector<int>& b) {
  return std::any_of(a.begin(), a.end(),
                     [&](int tree) { return std::binary_search(b.begin(), b.end(), tree); });
}

}  // namespace

int CountSharing(const mjModel* m, int instance) {
  const std::vector<int> trees = TreesOf(m, instance);
  int count = 1;
  for (int other = 0; other < m->nplugin; ++other) {
    if (other == instance || m->plugin[other] != m->plugin[instance]) continue;
    count += Meet(TreesOf(m, other), trees);
  }
  return count;
}

std::vector<int> CountAllSharing(const mjModel* m, int slot) {
  const int n = static_cast<int>(m->nplugin);
  std::vector<std::vector<int>> trees(n);
  std::vector<std::vector<int>> cables(m->ntree);  // that load each tree
  for (int i = 0; i < n; ++i) {
    if (m->plugin[i] != slot) continue;
    trees[i] = TreesOf(m, i);
    for (int tree : trees[i]) cables[tree].push_back(i);
  }
  std::vector<int> counts(n, 0), seen(n, -1);  // seen: the last cable that counted this one
  for (int i = 0; i < n; ++i) {
    if (m->plugin[i] != slot) continue;
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
