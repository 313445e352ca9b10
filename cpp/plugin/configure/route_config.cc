#include "plugin/configure/route_config.h"

#include <cmath>

#include "core/path/span.h"
#include "plugin/configure/words.h"

namespace mujocable {
namespace {

constexpr int kMaxTurns = 1000;  // around a cylinder at the start

// what attach put around the authored name of this instance
void Affixes(const mjModel* m, int instance, std::string& prefix, std::string& suffix) {
  const std::string authored = ConfigValue(m, instance, "name");
  const char* actual_name = mj_id2name(m, mjOBJ_PLUGIN, instance);
  const std::string actual = actual_name ? actual_name : "";
  if (authored.empty()) return;
  // a prefix alone is the rule, and it may hold the authored name itself
  const bool ends = actual.size() >= authored.size() && actual.ends_with(authored);
  const size_t at = ends ? actual.size() - authored.size() : actual.find(authored);
  if (at == std::string::npos) return;
  prefix = actual.substr(0, at);
  suffix = actual.substr(at + authored.size());
}

// "ring" or "wrap", "eyelet", "anchor"
const char* KindName(const ElementConfig& e) {
  switch (e.kind) {
    case ElementKind::kAnchor:
      return "anchor";
    case ElementKind::kEyelet:
      return e.is_exit ? "exit of sheath" : "eyelet";
    case ElementKind::kSheath:
      return "sheath";
    case ElementKind::kWrap:
      break;
  }
  return e.ring ? "ring" : "wrap";
}

// what ReadOptions takes
std::string Accepted(const ElementConfig& e) {
  std::string text = "friction=NUMBER";
  if (e.kind == ElementKind::kSheath) return text + ", exit=SITE, length=NUMBER, bend=RADIANS";
  if (e.kind == ElementKind::kWrap) text += ", side=SITE, side=x,y,z";
  if (e.ring) return text + ", radius=NUMBER, tube=NUMBER";
  return e.kind == ElementKind::kWrap ? text +
                                            ", rounding=NUMBER, mode=obstacle, mode=guided, "
                                            "contacts=NUMBER, permanent, endless, groove, "
                                            "groove=DEPTH, half_angle=RADIANS, turns=COUNT"
                                      : text;
}

// option words of one contact: friction=x side=s permanent
void ReadOptions(const mjModel* m, int instance, const std::vector<std::string>& words,
                 size_t first, const std::string& who, ElementConfig& e) {
  for (size_t i = first; i < words.size(); ++i) {
    const std::string& word = words[i];
    const size_t equals = word.find('=');
    const std::string key = word.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
    if (key == "friction") {
      if (!Number(value, e.friction) || !std::isfinite(e.friction) || e.friction < 0) {
        throw ConfigError{who + ": friction must be a finite number >= 0, got '" + value + "'"};
      }
      e.friction_given = true;
    } else if (key == "side" && e.kind == ElementKind::kWrap) {
      const std::vector<std::string> parts = Split(value, ',');
      double x[3];
      if (parts.size() == 3 && Number(parts[0], x[0]) && Number(parts[1], x[1]) &&
          Number(parts[2], x[2])) {
        e.hint = HintKind::kPoint;
        e.hint_point = Load(x);
        if (!Finite(e.hint_point)) throw ConfigError{who + ": side has an infinite coordinate"};
      } else {
        e.hint = HintKind::kSite;
        e.hint_site = FindObject(m, instance, mjOBJ_SITE, value, who + ": side");
      }
    } else if (key == "exit" && e.kind == ElementKind::kSheath) {
      e.exit_site = FindObject(m, instance, mjOBJ_SITE, value, who + ": exit");
    } else if (key == "length" && e.kind == ElementKind::kSheath) {
      if (!Number(value, e.length) || !std::isfinite(e.length) || e.length <= 0) {
        throw ConfigError{who + ": length must be a finite number > 0, got '" + value + "'"};
      }
    } else if (key == "bend" && e.kind == ElementKind::kSheath) {
      if (!Number(value, e.bend) || !std::isfinite(e.bend) || e.bend < 0) {
        throw ConfigError{who + ": bend must be a finite number >= 0 in radians, got '" + value +
                          "'"};
      }
    } else if (key == "mode" && e.kind == ElementKind::kWrap && !e.ring) {
      if (value != "obstacle" && value != "guided") {
        throw ConfigError{who + ": mode must be obstacle or guided, got '" + value + "'"};
      }
      e.guided = value == "guided";
    } else if (key == "contacts" && e.kind == ElementKind::kWrap && !e.ring) {
      double number;
      if (!Number(value, number) || number != std::floor(number) || number < 1 ||
          number > kMaxSpanWraps) {
        throw ConfigError{who + ": contacts must be a whole number from 1 to " +
                          std::to_string(kMaxSpanWraps) + ", got '" + value + "'"};
      }
      e.members = static_cast<int>(number);
    } else if (word == "permanent" && e.kind == ElementKind::kWrap && !e.ring) {
      e.permanent = true;
    } else if (word == "endless" && e.kind == ElementKind::kWrap && !e.ring) {
      e.endless = true;
    } else if (key == "groove" && e.kind == ElementKind::kWrap && !e.ring) {
      e.grooved = true;
      if (equals != std::string::npos &&
          (!Number(value, e.groove) || !std::isfinite(e.groove) || e.groove <= 0)) {
        throw ConfigError{who + ": groove must be a depth > 0 or nothing, got '" + value + "'"};
      }
    } else if (key == "half_angle" && e.kind == ElementKind::kWrap && !e.ring) {
      if (!Number(value, e.half_angle) || !(e.half_angle > 0 && e.half_angle < 1.5708)) {
        throw ConfigError{who + ": half_angle must be between 0 and pi / 2, got '" + value + "'"};
      }
    } else if (key == "turns" && e.kind == ElementKind::kWrap && !e.ring) {
      double turns;
      if (!Number(value, turns) || !(turns >= 0 && turns <= kMaxTurns) ||
          turns != std::floor(turns)) {
        throw ConfigError{who + ": turns must be a whole number from 0 to " +
                          std::to_string(kMaxTurns) + ", got '" + value + "'"};
      }
      e.turns = static_cast<int>(turns);
    } else if ((e.ring && (key == "radius" || key == "tube")) ||
               (key == "rounding" && e.kind == ElementKind::kWrap && !e.ring)) {
      double& size = key == "radius" ? e.ring_radius : key == "tube" ? e.ring_tube : e.rounding;
      if (!Number(value, size) || !std::isfinite(size) || size <= 0) {
        throw ConfigError{who + ": " + key + " must be a finite number > 0, got '" + value + "'"};
      }
    } else {
      throw ConfigError{who + ": unknown option '" + word + "'; accepted: " + Accepted(e)};
    }
  }
}

ElementConfig SiteElement(ElementKind kind, int site) {
  ElementConfig e;
  e.kind = kind;
  e.object = site;
  return e;
}

ElementConfig RingElement(int site) {
  ElementConfig e = SiteElement(ElementKind::kWrap, site);
  e.ring = true;
  return e;
}

ElementConfig GeomElement(int geom) {
  ElementConfig e;
  e.kind = ElementKind::kWrap;
  e.object = geom;
  return e;
}

// anchor S; wrap G side=S; eyelet S; anchor S
std::vector<ElementConfig> FromString(const mjModel* m, int instance, const std::string& route) {
  std::vector<ElementConfig> elements;
  for (const std::string& part : Split(route, ';')) {
    const std::vector<std::string> words = Words(part);
    const std::string who = "route element " + std::to_string(elements.size()) + " '" + part + "'";
    if (words.size() < 2)
      throw ConfigError{who +
                        ": expected 'anchor SITE', 'eyelet SITE', 'wrap GEOM', 'ring SITE "
                        "radius=NUMBER tube=NUMBER' or 'sheath SITE exit=SITE length=NUMBER'"};
    if (words[0] == "wrap") {
      elements.push_back(GeomElement(FindObject(m, instance, mjOBJ_GEOM, words[1], who)));
    } else if (words[0] == "ring") {
      elements.push_back(RingElement(FindObject(m, instance, mjOBJ_SITE, words[1], who)));
    } else if (words[0] == "sheath") {
      const int site = FindObject(m, instance, mjOBJ_SITE, words[1], who);
      elements.push_back(SiteElement(ElementKind::kSheath, site));
    } else if (words[0] == "anchor" || words[0] == "eyelet") {
      const ElementKind kind = words[0] == "anchor" ? ElementKind::kAnchor : ElementKind::kEyelet;
      elements.push_back(SiteElement(kind, FindObject(m, instance, mjOBJ_SITE, words[1], who)));
    } else {
      throw ConfigError{who + ": unknown kind '" + words[0] +
                        "'; accepted: anchor, eyelet, wrap, ring, sheath"};
    }
    ReadOptions(m, instance, words, 2, who, elements.back());
  }
  return elements;
}

// sites of a spatial tendon by role, surfaces by name
std::vector<ElementConfig> FromSeed(const mjModel* m, int instance, const std::string& seed) {
  const int tendon = FindObject(m, instance, mjOBJ_TENDON, seed, "seed");
  const std::vector<std::string> surfaces = Words(ConfigValue(m, instance, "surfaces"));
  std::vector<ElementConfig> elements;
  size_t used = 0;
  for (int w = m->tendon_adr[tendon]; w < m->tendon_adr[tendon] + m->tendon_num[tendon]; ++w) {
    if (m->wrap_type[w] != mjWRAP_SITE) {
      throw ConfigError{"seed '" + seed +
                        "': only sites may be listed; name the geoms in surfaces"};
    }
    const int site = m->wrap_objid[w];
    const double role = m->nuser_site > 0 ? m->site_user[m->nuser_site * site] : 0;
    if (role == 1) {
      elements.push_back(SiteElement(ElementKind::kAnchor, site));
    } else if (role == 3) {
      elements.push_back(SiteElement(ElementKind::kEyelet, site));
    } else if (role == 2) {
      if (used == surfaces.size()) {
        throw ConfigError{"seed '" + seed + "': hint site '" + NameOf(m, mjOBJ_SITE, site) +
                          "' has no surface; surfaces lists " + std::to_string(used)};
      }
      const int geom = FindObject(m, instance, mjOBJ_GEOM, surfaces[used], "surfaces");
      ++used;
      ElementConfig e = GeomElement(geom);
      e.hint = HintKind::kSite;
      e.hint_site = site;
      elements.push_back(e);
    } else {
      throw ConfigError{"seed '" + seed + "': site '" + NameOf(m, mjOBJ_SITE, site) +
                        "' needs user=\"1\" (endpoint), \"2\" (hint) or \"3\" (guide)"};
    }
  }
  if (used < surfaces.size()) {
    throw ConfigError{"surfaces: '" + surfaces[used] + "' has no hint site (user=\"2\") in seed '" +
                      seed + "'"};
  }
  return elements;
}

// references of a tuple: sites, geoms, hints (prm 1), a spool joint (prm 2), rings (prm 3), a
// tendon (prm 4), the entry of a sheath (prm 5) and then its exit (prm 6)
std::vector<ElementConfig> FromTuple(const mjModel* m, int tuple, int& joint) {
  std::vector<ElementConfig> elements;
  const int first = m->tuple_adr[tuple], last = first + m->tuple_size[tuple];
  for (int i = first; i < last; ++i) {
    const int type = m->tuple_objtype[i], id = m->tuple_objid[i];
    const double role = m->tuple_objprm[i];
    if (type == mjOBJ_GEOM) {
      elements.push_back(GeomElement(id));
    } else if (type == mjOBJ_SITE && role == 1) {
      if (elements.empty() || elements.back().kind != ElementKind::kWrap) {
        throw ConfigError{"tuple element " + std::to_string(i - first) +
                          ": a hint must follow its geom or ring"};
      }
      elements.back().hint = HintKind::kSite;
      elements.back().hint_site = id;
    } else if (type == mjOBJ_SITE && role == 3) {
      elements.push_back(RingElement(id));
    } else if (type == mjOBJ_SITE && role == 5) {
      elements.push_back(SiteElement(ElementKind::kSheath, id));
    } else if (type == mjOBJ_SITE && role == 6) {
      if (elements.empty() || elements.back().kind != ElementKind::kSheath) {
        throw ConfigError{"tuple element " + std::to_string(i - first) +
                          ": the exit of a sheath (prm 6) must follow its entry (prm 5)"};
      }
      elements.back().exit_site = id;
    } else if (type == mjOBJ_SITE) {
      elements.push_back(SiteElement(ElementKind::kEyelet, id));
    } else if (type == mjOBJ_JOINT && role == 2) {
      joint = id;
    } else if (type == mjOBJ_TENDON && role == 4) {
      continue;  // read by TendonOf
    } else {
      throw ConfigError{"tuple element " + std::to_string(i - first) +
                        ": accepted are sites, geoms, one joint (prm 2) and one tendon (prm 4)"};
    }
  }
  if (!elements.empty()) {
    if (elements.front().kind == ElementKind::kEyelet) elements.front().kind = ElementKind::kAnchor;
    if (elements.back().kind == ElementKind::kEyelet) elements.back().kind = ElementKind::kAnchor;
  }
  return elements;
}

}  // namespace

std::string ConfigValue(const mjModel* m, int instance, const char* key) {
  const char* value = mj_getPluginConfig(m, instance, key);
  return value ? Trim(value) : "";
}

int FindObject(const mjModel* m, int instance, int type, const std::string& name,
               const std::string& what) {
  std::string prefix, suffix;
  Affixes(m, instance, prefix, suffix);
  for (const std::string& word : {name, Decoded(name)}) {
    int id = mj_name2id(m, type, (prefix + word + suffix).c_str());
    if (id < 0) id = mj_name2id(m, type, word.c_str());
    if (id >= 0) return id;
  }

  const char* kind = type == mjOBJ_SITE    ? "site"
                     : type == mjOBJ_GEOM  ? "geom"
                     : type == mjOBJ_JOINT ? "joint"
                                           : "tendon";
  const mjtSize count = type == mjOBJ_SITE    ? m->nsite
                        : type == mjOBJ_GEOM  ? m->ngeom
                        : type == mjOBJ_JOINT ? m->njnt
                                              : m->ntendon;
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) {
    const char* other = mj_id2name(m, type, i);
    if (other && *other) names.push_back(other);
  }
  throw ConfigError{what + ": '" + name + "' is not a " + kind + " of this model; " + kind +
                    "s here: " + Listed(names)};
}

int TendonOf(const mjModel* m, int instance) {
  const std::string tendon = ConfigValue(m, instance, "tendon");
  if (!tendon.empty()) return FindObject(m, instance, mjOBJ_TENDON, tendon, "tendon");
  const char* name = mj_id2name(m, mjOBJ_PLUGIN, instance);
  const int tuple = name ? mj_name2id(m, mjOBJ_TUPLE, name) : -1;
  if (tuple < 0) return -1;
  const int first = m->tuple_adr[tuple], last = first + m->tuple_size[tuple];
  for (int i = first; i < last; ++i) {
    if (m->tuple_objtype[i] == mjOBJ_TENDON) return m->tuple_objid[i];
  }
  return -1;
}

std::string Describe(const mjModel* m, const std::vector<ElementConfig>& elements, int i) {
  const ElementConfig& e = elements[i];
  const int type = e.kind == ElementKind::kWrap && !e.ring ? mjOBJ_GEOM : mjOBJ_SITE;
  return std::string(KindName(e)) + " " + std::to_string(e.place < 0 ? i : e.place) + " '" +
         NameOf(m, type, e.object) + "'";
}

bool CountElements(const mjModel* m, int instance, int& ncontact, int& nwrap) {
  // explicit: the kinds stand in the strings
  const bool explicit_route = !ConfigValue(m, instance, "route").empty();
  const std::vector<std::string> parts =
      Split(ConfigValue(m, instance, explicit_route ? "route" : "contacts"), ';');
  ncontact = nwrap = 0;
  bool named = true;
  for (const std::string& part : parts) {
    const std::vector<std::string> words = Words(part);
    const std::string kind = words.empty() ? "" : words[0];
    const bool wrap = kind == "wrap" || kind == "ring", sheath = kind == "sheath";
    named = named && (wrap || sheath || kind == "eyelet" || kind == "anchor");
    // a mesh may have room for several contacts
    int members = 1;
    for (const std::string& word : words) {
      double number;
      if (kind == "wrap" && word.starts_with("contacts=") && Number(word.substr(9), number) &&
          number >= 1 && number <= kMaxSpanWraps) {
        members = static_cast<int>(number);
      }
    }
    ncontact += sheath ? 2 : kind != "anchor" ? members : 0;
    nwrap += kind == "ring" ? kRingSlots : sheath ? 1 : wrap ? members : 0;
  }
  if (named && !parts.empty()) return true;

  // by reference
  try {
    int joint = -1;
    const std::vector<ElementConfig> elements = ReadRoute(m, instance, joint);
    if (elements.size() < 2) return false;
    ncontact = static_cast<int>(elements.size()) - 2;
    nwrap = 0;
    for (const ElementConfig& e : elements) {
      const bool one = e.kind == ElementKind::kWrap || e.kind == ElementKind::kSheath;
      nwrap += e.ring ? kRingSlots : one;
    }
    return true;
  } catch (const ConfigError&) {
  }

  // MuJoCo sizes sensors before it knows tendons: a seed has at most the guides of the model
  if (ConfigValue(m, instance, "seed").empty()) return false;
  nwrap = static_cast<int>(Words(ConfigValue(m, instance, "surfaces")).size());
  ncontact = nwrap;
  for (int i = 0; m->nuser_site > 0 && i < m->nsite; ++i) {
    ncontact += m->site_user[m->nuser_site * i] == 3;
  }
  return true;
}

std::vector<ElementConfig> ReadRoute(const mjModel* m, int instance, int& joint) {
  const std::string route = ConfigValue(m, instance, "route");
  const std::string seed = ConfigValue(m, instance, "seed");
  const char* name = mj_id2name(m, mjOBJ_PLUGIN, instance);
  const int tuple = name ? mj_name2id(m, mjOBJ_TUPLE, name) : -1;
  std::vector<ElementConfig> elements;
  if (!route.empty() && !seed.empty()) throw ConfigError{"route and seed exclude each other"};
  if (!route.empty()) {
    elements = FromString(m, instance, route);
  } else if (!seed.empty()) {
    elements = FromSeed(m, instance, seed);
  } else if (tuple >= 0) {
    elements = FromTuple(m, tuple, joint);
  } else {
    throw ConfigError{
        "no route; give the key route, the key seed, or a tuple with the cable's name"};
  }

  // options of the contacts, in order
  const std::string contacts = ConfigValue(m, instance, "contacts");
  const std::vector<std::string> options = Split(contacts, ';');
  const size_t ncontact = elements.size() < 2 ? 0 : elements.size() - 2;
  if (options.size() > ncontact) {
    throw ConfigError{"contacts has " + std::to_string(options.size()) + " entries for " +
                      std::to_string(ncontact) + " elements between the anchors"};
  }
  for (size_t i = 0; i < options.size(); ++i) {
    ElementConfig& e = elements[i + 1];
    const std::string who = Describe(m, elements, static_cast<int>(i) + 1);
    const std::vector<std::string> words = Words(options[i]);
    const bool kind = !words.empty() && (words[0] == "wrap" || words[0] == "eyelet" ||
                                         words[0] == "ring" || words[0] == "sheath");
    if (kind && words[0] != KindName(e)) {
      throw ConfigError{who + ": contacts calls it '" + words[0] + "'"};
    }
    ReadOptions(m, instance, words, kind ? 1 : 0, who, e);
  }

  // one element for each contact that a wrap may have, and one for the exit of a sheath
  std::vector<ElementConfig> all;
  for (size_t i = 0; i < elements.size(); ++i) {
    ElementConfig& e = elements[i];
    e.place = static_cast<int>(i);
    for (e.member = 0; e.member < e.members; ++e.member) all.push_back(e);
    if (e.kind != ElementKind::kSheath || e.exit_site < 0) continue;
    ElementConfig exit = SiteElement(ElementKind::kEyelet, e.exit_site);
    exit.is_exit = true;
    exit.place = e.place;
    exit.friction = e.friction;
    exit.friction_given = e.friction_given;
    all.push_back(exit);
  }
  return all;
}

}  // namespace mujocable
