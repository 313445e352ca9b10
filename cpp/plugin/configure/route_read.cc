// The route of a cable, as it is written.

#include "plugin/configure/build.h"
#include "plugin/configure/options.h"
#include "plugin/configure/words.h"

namespace mujocable {
namespace {

// meaning of prm in a tuple; of any other site: an anchor at the ends, an eyelet between
constexpr double kHint = 1, kSpool = 2, kRing = 3, kTendon = 4, kEntry = 5, kExit = 6;

// meaning of user[0] of the sites of a seed tendon
constexpr double kEndpoint = 1, kSurface = 2, kGuide = 3;

// false: a route has no such elements
bool SetKind(const std::string& word, ElementConfig& e) {
  for (const ElementWord& w : kElementWords) {
    if (word != w.word) continue;
    e.kind = w.kind;
    e.ring = w.ring;
    return true;
  }
  return false;
}

void Add(const mjModel* m, ElementConfig e, int object, std::vector<ElementConfig>& elements) {
  e.frame = object;
  e.body = (e.OnGeom() ? m->geom_bodyid : m->site_bodyid)[object];
  e.place = static_cast<int>(elements.size());
  elements.push_back(e);
}

void Add(const mjModel* m, const char* kind, int object, std::vector<ElementConfig>& elements) {
  ElementConfig e;
  SetKind(kind, e);
  Add(m, e, object, elements);
}

void SetHint(int site, ElementConfig& e) {
  e.side = HintKind::kSite;
  e.hint_site = site;
}

// anchor S; wrap G side=S; eyelet S; anchor S
std::vector<ElementConfig> FromString(const Attributes& a, const std::string& route) {
  std::vector<ElementConfig> elements;
  for (const std::string& part : Split(route, ';')) {
    const std::vector<std::string> words = Words(part);
    const std::string who = Joined("route element ", elements.size(), " '", part, "'");
    if (words.size() < 2)
      Refuse(who,
             ": expected 'anchor SITE', 'eyelet SITE', 'wrap GEOM', 'ring SITE radius=NUMBER "
             "tube=NUMBER' or 'sheath SITE exit=SITE length=NUMBER'");
    ElementConfig e;
    if (!SetKind(words[0], e)) {
      Refuse(who, ": unknown kind '", words[0], "'; accepted: anchor, eyelet, wrap, ring, sheath");
    }
    const int object = a.Object(e.OnGeom() ? mjOBJ_GEOM : mjOBJ_SITE, words[1], who);
    ReadOptions(a, words, 2, who, e);
    Add(a.m, e, object, elements);
  }
  return elements;
}

// sites of a spatial tendon by role, surfaces by name
std::vector<ElementConfig> FromSeed(const Attributes& a, const std::string& seed) {
  const mjModel* m = a.m;
  const int tendon = a.Object(mjOBJ_TENDON, seed, "seed");
  const std::vector<std::string> surfaces = Words(a.Text("surfaces"));
  std::vector<ElementConfig> elements;
  size_t used = 0;
  for (int w = m->tendon_adr[tendon]; w < m->tendon_adr[tendon] + m->tendon_num[tendon]; ++w) {
    if (m->wrap_type[w] != mjWRAP_SITE) {
      Refuse("seed '", seed, "': only sites may be listed; name the geoms in surfaces");
    }
    const int site = m->wrap_objid[w];
    const double role = m->nuser_site > 0 ? m->site_user[m->nuser_site * site] : 0;
    if (role == kEndpoint || role == kGuide) {
      Add(m, role == kGuide ? "eyelet" : "anchor", site, elements);
    } else if (role == kSurface) {
      if (used == surfaces.size()) {
        Refuse("seed '", seed, "': hint site '", NameOf(m, mjOBJ_SITE, site),
               "' has no surface; surfaces lists ", used);
      }
      Add(m, "wrap", a.Object(mjOBJ_GEOM, surfaces[used++], "surfaces"), elements);
      SetHint(site, elements.back());
    } else {
      Refuse("seed '", seed, "': site '", NameOf(m, mjOBJ_SITE, site),
             "' needs user=\"1\" (endpoint), \"2\" (hint) or \"3\" (guide)");
    }
  }
  if (used < surfaces.size()) {
    Refuse("surfaces: '", surfaces[used], "' has no hint site (user=\"2\") in seed '", seed, "'");
  }
  return elements;
}

// references of a tuple; its joint and its tendon are read by ReferredTo
std::vector<ElementConfig> FromTuple(const mjModel* m, int tuple) {
  std::vector<ElementConfig> elements;
  const int first = m->tuple_adr[tuple];
  for (int i = first; i < first + m->tuple_size[tuple]; ++i) {
    const int type = m->tuple_objtype[i], id = m->tuple_objid[i];
    const double role = m->tuple_objprm[i];
    const std::string who = "tuple element " + std::to_string(i - first);
    if (type == mjOBJ_GEOM) {
      Add(m, "wrap", id, elements);
    } else if (type == mjOBJ_SITE && role == kHint) {
      if (elements.empty() || !elements.back().IsWrap()) {
        Refuse(who, ": a hint must follow its geom or ring");
      }
      SetHint(id, elements.back());
    } else if (type == mjOBJ_SITE && role == kExit) {
      if (elements.empty() || elements.back().kind != ElementKind::kSheath) {
        Refuse(who, ": the exit of a sheath (prm 6) must follow its entry (prm 5)");
      }
      elements.back().exit_site = id;
    } else if (type == mjOBJ_SITE) {
      Add(m, role == kRing ? "ring" : role == kEntry ? "sheath" : "eyelet", id, elements);
    } else if (!(type == mjOBJ_JOINT && role == kSpool) &&
               !(type == mjOBJ_TENDON && role == kTendon)) {
      Refuse(who, ": accepted are sites, geoms, one joint (prm 2) and one tendon (prm 4)");
    }
  }
  if (elements.empty()) return elements;
  for (ElementConfig* end : {&elements.front(), &elements.back()}) {
    if (end->kind == ElementKind::kEyelet) end->kind = ElementKind::kAnchor;
  }
  return elements;
}

// the key `contacts`: options of what is between the ends, in order
void ReadContacts(const Attributes& a, std::vector<ElementConfig>& elements) {
  const std::vector<std::string> options = Split(a.Text("contacts"), ';');
  const size_t ncontact = elements.size() < 2 ? 0 : elements.size() - 2;
  if (options.size() > ncontact) {
    Refuse("contacts has ", options.size(), " entries for ", ncontact,
           " elements between the anchors");
  }
  for (size_t i = 0; i < options.size(); ++i) {
    ElementConfig& e = elements[i + 1];
    const std::string who = Describe(a.m, e);
    const std::vector<std::string> words = Words(options[i]);
    ElementConfig named;
    const bool kind = !words.empty() && words[0] != "anchor" && SetKind(words[0], named);
    if (kind && words[0] != e.Kind()) Refuse(who, ": contacts calls it '", words[0], "'");
    ReadOptions(a, words, kind ? 1 : 0, who, e);
  }
}

// add_cable writes the key name and a tuple, which MuJoCo drops with any element of it
[[noreturn]] void RefuseNoRoute(const Attributes& a) {
  constexpr char kByHand[] = "the key route, the key seed, or a tuple with the cable's name";
  if (a.Text("name").empty()) Refuse("no route; give ", kByHand);
  Refuse(
      "no route: where it was written by add_cable, a site, geom, joint or tendon of it was "
      "deleted, and MuJoCo dropped its tuple; take the cable out with remove_cable. By hand give ",
      kByHand);
}

// contacts and wraps as far as the strings tell; false where they name no kinds
bool CountWords(const Attributes& a, int& ncontact, int& nwrap) {
  const std::string route = a.Text("route");
  const std::vector<std::string> parts = Split(route.empty() ? a.Text("contacts") : route, ';');
  for (const std::string& part : parts) {
    const std::vector<std::string> words = Words(part);
    ElementConfig e;
    if (words.empty() || !SetKind(words[0], e)) return false;
    // a mesh may have room for several contacts
    double count = 1;
    for (const std::string& word : words) {
      double x;
      const bool given = e.OnGeom() && word.starts_with("contacts=") &&
                         ParseNumber(word.substr(9), x) && x >= 1 && x <= kMaxSpanWraps;
      if (given) count = x;
    }
    if (e.kind == ElementKind::kAnchor) continue;
    ncontact += e.kind == ElementKind::kSheath ? 2 : static_cast<int>(count);
    nwrap += e.MemoryRows() * static_cast<int>(count);
  }
  return !parts.empty();
}

}  // namespace

std::vector<ElementConfig> ReadRoute(const Attributes& a) {
  const std::string route = a.Text("route"), seed = a.Text("seed");
  const int tuple = a.Tuple();
  if (!route.empty() && !seed.empty()) Refuse("route and seed exclude each other");
  if (route.empty() && seed.empty() && tuple < 0) RefuseNoRoute(a);
  std::vector<ElementConfig> elements = !route.empty()  ? FromString(a, route)
                                        : !seed.empty() ? FromSeed(a, seed)
                                                        : FromTuple(a.m, tuple);
  if (seed.empty() && !a.Text("surfaces").empty()) {
    Refuse("surfaces belongs to the key seed, which is missing; write wraps into the route");
  }
  ReadContacts(a, elements);
  std::vector<ElementConfig> all;
  for (ElementConfig& e : elements) {
    for (e.bearing = 0; e.bearing < e.bearings; ++e.bearing) all.push_back(e);
    if (e.kind != ElementKind::kSheath || e.exit_site < 0) continue;
    Add(a.m, "eyelet", e.exit_site, all);
    ElementConfig& exit = all.back();
    exit.is_exit = true;
    exit.place = e.place;
    exit.friction = e.friction;
    exit.friction_given = e.friction_given;
  }
  return all;
}

bool CountElements(const Attributes& a, int& ncontact, int& nwrap) {
  ncontact = nwrap = 0;
  std::string seed, surfaces;
  try {
    seed = a.Text("seed");
    surfaces = a.Text("surfaces");
    if (CountWords(a, ncontact, nwrap)) return true;
    const std::vector<ElementConfig> elements = ReadRoute(a);
    if (elements.size() < 2) return false;
    ncontact = static_cast<int>(elements.size()) - 2;
    nwrap = 0;
    for (const ElementConfig& e : elements) nwrap += e.MemoryRows();
    return true;
  } catch (const ConfigError&) {
  }
  // MuJoCo sizes sensors before it knows tendons: a seed has at most the guides of the model
  if (seed.empty()) return false;
  const mjModel* m = a.m;
  ncontact = nwrap = static_cast<int>(Words(surfaces).size());
  for (int i = 0; m->nuser_site > 0 && i < m->nsite; ++i) {
    ncontact += m->site_user[m->nuser_site * i] == kGuide;
  }
  return true;
}

int ReferredTo(const Attributes& a, mjtObj type, const char* key) {
  const std::string name = a.Text(key);
  if (!name.empty()) return a.Object(type, name, key);
  const int tuple = a.Tuple();
  for (int i = 0; tuple >= 0 && i < a.m->tuple_size[tuple]; ++i) {
    const int at = a.m->tuple_adr[tuple] + i;
    if (a.m->tuple_objtype[at] == type) return a.m->tuple_objid[at];
  }
  return -1;
}

std::string Describe(const mjModel* m, const ElementConfig& e) {
  const std::string name = NameOf(m, e.OnGeom() ? mjOBJ_GEOM : mjOBJ_SITE, e.frame);
  return Joined(e.Kind(), " ", e.place, " '", name, "'");
}

}  // namespace mujocable
