// Routes to test on: a rig that solves one, and random chains whose taut path is known exactly.

#ifndef MUJOCABLE_TESTS_KIT_SCENE_H_
#define MUJOCABLE_TESTS_KIT_SCENE_H_

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "core/law/kinematics.h"
#include "core/path/route.h"
#include "core/path/span.h"
#include "core/state.h"
#include "tests/kit/random.h"

namespace mujocable::test {

// an element of a route, as a test writes it
struct Node {
  ElementKind kind = ElementKind::kAnchor;
  Vec3 pos;         // anchor, eyelet
  Surface surface;  // wrap
  bool permanent = false;
  bool endless = false;
  bool has_hint = false;
  Vec3 hint;
  double bias = 0;
  bool follows_hinges = false;
  bool guided = false;
  int bearing = 0, bearings = 1;  // contacts with one mesh follow one another
  bool clamp_before = false, clamp_after = false;
};

inline Node AnchorAt(const Vec3& pos) {
  Node node;
  node.pos = pos;
  return node;
}

inline Node EyeletAt(const Vec3& pos) {
  Node node;
  node.kind = ElementKind::kEyelet;
  node.pos = pos;
  return node;
}

inline Node WrapOn(const Surface& surface) {
  Node node;
  node.kind = ElementKind::kWrap;
  node.surface = surface;
  return node;
}

inline Node WrapOn(const Surface& surface, const Vec3& hint) {
  Node node = WrapOn(surface);
  node.has_hint = true;
  node.hint = hint;
  return node;
}

inline Surface SphereAt(const Vec3& pos, double radius) {
  Surface s;
  s.kind = SurfaceKind::kSphere;
  s.radius = radius;
  s.pos = pos;
  return s;
}

// with its axis along `axis`
inline Surface CylinderAt(const Vec3& pos, double radius, const Vec3& axis = {0, 0, 1},
                          double half_length = 1e9) {
  const Vec3 z = Unit(axis), x = Perpendicular(z), y = Cross(z, x);
  Surface s;
  s.kind = SurfaceKind::kCylinder;
  s.radius = radius;
  s.half_length = half_length;
  s.pos = pos;
  s.rot = {{x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z}};
  return s;
}

// a route with its record and its memory
class Rig {
 public:
  explicit Rig(std::vector<Node> list) : nodes(std::move(list)) {
    ncontact = static_cast<int>(nodes.size()) - 2;
    for (const Node& node : nodes) {
      if (node.kind == ElementKind::kWrap) nwrap += MemoryRows(node.surface);
    }
    // what a stage does not write stays not-a-number and is found
    block_.assign(RecordSize(ncontact, nwrap), std::numeric_limits<double>::quiet_NaN());
    record = Record{block_.data(), ncontact, nwrap};
    memory.assign(kWrapMemory * nwrap, 0.0);
    // these are the adapter's to write, not the core's
    for (const Field& field : kFields) {
      const std::string name = field.name;
      if (name.starts_with("take_up") || name.starts_with("shown")) {
        *record.Values(field) = 0;
      }
    }
  }
  Rig(const Rig& other) : Rig(other.nodes) {
    block_ = other.block_;
    record = Record{block_.data(), ncontact, nwrap};
    memory = other.memory;
    limits = other.limits;
    slack = other.slack;
  }
  Rig& operator=(const Rig&) = delete;

  // solves from the hints, or from the memory; remembers
  double Cold() { return Solve(Start::kAuthored); }
  double Warm() { return Solve(Start::kWarm); }
  double Solve(Start start) {
    Pose();
    SolveRoute(elements.data(), count(), memory.data(), start, limits, record, slack);
    std::copy(record.memory(), record.memory() + memory.size(), memory.begin());
    return record.length();
  }

  // the nodes as the core takes them
  void Pose() {
    wraps_.assign(nodes.size(), {});
    elements.clear();
    for (size_t i = 0; i < nodes.size(); ++i) {
      const Node& n = nodes[i];
      Wrap& w = wraps_[i];
      w.surface = n.surface;
      w.permanent = n.permanent;
      w.endless = n.endless;
      w.has_hint = n.has_hint;
      w.hint = n.hint;
      w.bias = n.bias;
      w.follows_hinges = n.follows_hinges;
      w.guided = n.guided;
      w.bearing = n.bearing;
      w.bearings = n.bearings;
      const Wrap* wrap = n.kind == ElementKind::kWrap ? &wraps_[i] : nullptr;
      elements.push_back({n.kind, n.clamp_before, n.clamp_after, wrap, n.pos});
    }
  }

  int count() const { return static_cast<int>(nodes.size()); }
  double length() const { return record.length(); }
  SolveStatus status() const { return static_cast<SolveStatus>(static_cast<int>(record.status())); }
  bool valid() const { return status() == SolveStatus::kValid; }
  const std::vector<double>& block() const { return block_; }
  const Surface& surface(int contact) const { return nodes[contact + 1].surface; }
  bool wraps(int contact) const { return nodes[contact + 1].kind == ElementKind::kWrap; }

  std::vector<Node> nodes;
  std::vector<Element> elements;  // of the last solve
  int ncontact = 0, nwrap = 0;
  Record record;
  std::vector<double> memory;
  RouteLimits limits;
  double slack = 0;  // of the cable in the step before

 private:
  std::vector<double> block_;
  std::vector<Wrap> wraps_;
};

// velocity of a rigid body: of its point at `about`, and its rotation
struct Motion {
  Vec3 angular, linear, about;
};

inline Motion RandomMotion(Random& random, double speed) {
  return {random.InBox(speed), random.InBox(speed), random.InBox(1)};
}

// a node that its body carried on for a time, along a straight line and turning evenly
inline Node Moved(const Node& node, const Motion& motion, double time) {
  const auto point = [&](const Vec3& x) {
    return motion.about + Turned(x - motion.about, time * motion.angular) + time * motion.linear;
  };
  Node moved = node;
  moved.pos = point(node.pos);
  moved.hint = point(node.hint);
  moved.surface.pos = point(node.surface.pos);
  moved.surface.rot = Turned(node.surface.rot, time * motion.angular);
  return moved;
}

// the motions of the nodes as the core takes them
class Twists {
 public:
  explicit Twists(const std::vector<Motion>& motions) : motions_(motions) {
    numbers_.resize(9 * motions.size());
    for (size_t i = 0; i < motions.size(); ++i) {
      double* p = numbers_.data() + 9 * i;
      Store(p, motions[i].angular);
      Store(p + 3, motions[i].linear);
      Store(p + 6, motions[i].about);
      twists_.push_back({p, p + 3, p + 6});
    }
  }
  const Twist* data() const { return twists_.data(); }

 private:
  std::vector<Motion> motions_;
  std::vector<double> numbers_;
  std::vector<Twist> twists_;
};

// Path error (2) from the record alone: at every touching wrap the geodesic that leaves the entry
// along the incoming segment must end at the exit along the outgoing one. Radians and radii.
inline double PathError(const Rig& rig) {
  double error = 0;
  for (int i = 0; i < rig.ncontact; ++i) {
    if (!rig.wraps(i) || !rig.record.Touching(i)) continue;
    const Surface& s = rig.surface(i);
    const Vec3 in = rig.record.Direction(i), out = rig.record.Direction(i + 1);
    const Geodesic g = Shoot(s, rig.record.Entry(i), in, rig.record.arc()[i]);
    error = std::max({error, std::abs(Dot(in, Normal(s, rig.record.Entry(i)))),
                      std::abs(Distance(s, rig.record.Entry(i))) / s.radius,
                      Norm(g.q - rig.record.Exit(i)) / s.radius, Norm(g.t_q - out)});
  }
  return error;
}

// sum of the pieces of the record
inline double SumOfPieces(const Rig& rig) {
  double sum = rig.record.segment()[rig.ncontact];
  for (int i = 0; i < rig.ncontact; ++i) sum += rig.record.segment()[i] + rig.record.arc()[i];
  return sum;
}

// A taut path made forward: straight, then a geodesic of a surface laid against it, straight again.
// Every number of it is known.
struct Chain {
  Vec3 a, b;
  std::vector<Surface> surfaces;
  std::vector<Vec3> entry, exit, hint;  // hint: above the middle of the arc
  std::vector<double> arc, turn;
  double length = 0;

  Rig MakeRig() const {
    std::vector<Node> nodes = {AnchorAt(a)};
    for (size_t i = 0; i < surfaces.size(); ++i) nodes.push_back(WrapOn(surfaces[i], hint[i]));
    nodes.push_back(AnchorAt(b));
    return Rig(nodes);
  }
  Chain Scaled(double scale) const {
    Chain c = *this;
    for (auto* points : {&c.entry, &c.exit, &c.hint}) {
      for (Vec3& x : *points) x = scale * x;
    }
    for (Surface& s : c.surfaces) {
      s.pos = scale * s.pos;
      s.radius *= scale;
      s.half_length *= scale;
    }
    for (double& x : c.arc) x *= scale;
    c.a = scale * a;
    c.b = scale * b;
    c.length *= scale;
    return c;
  }
};

struct ChainOptions {
  double min_turn = 0.3, max_turn = 2.0;        // on each surface                    [rad]
  double min_radius = 0.2, max_radius = 1;      //                                    [m]
  double min_straight = 0.3, max_straight = 2;  // between the surfaces               [m]
  double sphere_share = 0.5;
  double max_helix = 0.7;  // of a cylinder's axis from the binormal                    [rad]
  bool planar = false;     // parallel cylinders
};

// distance between two surfaces, cylinders without ends; negative when they overlap
inline double Gap(const Surface& s, const Surface& u) {
  const bool sc = s.kind == SurfaceKind::kCylinder, uc = u.kind == SurfaceKind::kCylinder;
  const Vec3 d = u.pos - s.pos, i = s.rot.Column(2), j = u.rot.Column(2);
  double apart = Norm(d);
  if (sc && uc) {
    const Vec3 common = Cross(i, j);
    apart = Norm(common) > 1e-9 ? std::abs(Dot(d, Unit(common))) : Norm(d - Dot(d, i) * i);
  } else if (sc || uc) {
    const Vec3& axis = sc ? i : j;
    apart = Norm(d - Dot(d, axis) * axis);
  }
  return apart - s.radius - u.radius;
}

// Grows a chain piece by piece; a piece that would meet another surface, or bring a surface in the
// way of what is there, is drawn again. `margin`: what is kept clear, in radii.
class ChainMaker {
 public:
  ChainMaker(Random& random, const ChainOptions& options) : random_(random), o_(options) {}

  // false when a piece found no place
  bool Make(int n, Chain& chain) {
    chain_ = {};
    segments_.clear();
    arcs_.clear();
    chain_.a = random_.InBox(1);
    x_ = chain_.a;
    t_ = random_.Direction();
    common_ = Perpendicular(t_);
    for (int i = 0; i <= n; ++i) {
      bool placed = false;
      for (int attempt = 0; attempt < 40 && !placed; ++attempt)
        placed = i < n ? AddWrap() : AddEnd();
      if (!placed) return false;
    }
    chain = chain_;
    return true;
  }

 private:
  struct Segment {
    Vec3 from, to;
  };

  // clear of all surfaces; `own`: the last one is where the segment comes from
  bool Clear(const Segment& segment, bool own) const {
    const int n = static_cast<int>(chain_.surfaces.size());
    for (int i = 0; i < n - own; ++i) {
      const Surface& s = chain_.surfaces[i];
      if (SegmentDepth(s, segment.from, segment.to) > 0) return false;
      if (Distance(s, segment.to) < kMargin * s.radius) return false;
    }
    return true;
  }

  bool AddEnd() {
    const double straight = random_.Uniform(o_.min_straight, o_.max_straight);
    const Segment segment{x_, x_ + straight * t_};
    if (!Clear(segment, true)) return false;
    chain_.b = segment.to;
    chain_.length += straight;
    return true;
  }

  bool AddWrap() {
    const double straight = random_.Uniform(o_.min_straight, o_.max_straight);
    const Segment segment{x_, x_ + straight * t_};
    const Vec3 x = segment.to;

    // the surface touches the path at x with outward normal `normal`
    Vec3 normal = Turned(Perpendicular(t_), random_.Uniform(0, 6.3) * t_);
    if (o_.planar) normal = (random_.Chance(0.5) ? 1.0 : -1.0) * Cross(common_, t_);
    const bool sphere = !o_.planar && random_.Chance(o_.sphere_share);
    const double radius = random_.Uniform(o_.min_radius, o_.max_radius);
    const double turn = random_.Uniform(o_.min_turn, o_.max_turn);
    Surface s = SphereAt(x - radius * normal, radius);
    double arc = turn * radius;
    if (!sphere) {
      const double helix = o_.planar ? 0 : random_.Uniform(-o_.max_helix, o_.max_helix);
      const Vec3 b = Cross(t_, normal);
      const Vec3 axis = o_.planar ? common_ : std::cos(helix) * b + std::sin(helix) * t_;
      s = CylinderAt(x - radius * normal + random_.Uniform(-0.5, 0.5) * axis, radius, axis);
      arc = turn * radius / (std::cos(helix) * std::cos(helix));
    }
    const Geodesic g = Shoot(s, x, t_, arc), half = Shoot(s, x, t_, arc / 2);
    std::vector<Vec3> points;
    for (int k = 0; k <= 16; ++k) points.push_back(Shoot(s, x, t_, arc * k / 16).q);

    // the new piece against the old surfaces, the new surface against everything
    if (!Clear(segment, !chain_.surfaces.empty())) return false;
    for (const Surface& other : chain_.surfaces) {
      if (Gap(s, other) < kMargin * radius) return false;
    }
    if (Distance(s, chain_.a) < kMargin * radius) return false;
    for (const Segment& old : segments_) {
      if (SegmentDepth(s, old.from, old.to) > 0) return false;
    }
    for (const std::vector<Vec3>& old : arcs_) {
      for (const Vec3& point : old) {
        if (Distance(s, point) < kMargin * radius) return false;
      }
    }

    segments_.push_back(segment);
    arcs_.push_back(points);
    chain_.surfaces.push_back(s);
    chain_.entry.push_back(g.p);
    chain_.exit.push_back(g.q);
    chain_.hint.push_back(half.q + random_.Uniform(0, 0.2) * radius * half.n_q);
    chain_.arc.push_back(arc);
    chain_.turn.push_back(turn);
    chain_.length += straight + arc;
    x_ = g.q;
    t_ = g.t_q;
    return true;
  }

  static constexpr double kMargin = 0.05;
  Random& random_;
  ChainOptions o_;
  Chain chain_;
  Vec3 x_, t_, common_;
  std::vector<Segment> segments_;
  std::vector<std::vector<Vec3>> arcs_;
};

inline Chain RandomChain(Random& random, int n, const ChainOptions& options = {}) {
  Chain chain;
  ChainMaker maker(random, options);
  while (!maker.Make(n, chain)) {
  }
  return chain;
}

}  // namespace mujocable::test

#endif  // MUJOCABLE_TESTS_KIT_SCENE_H_
