#include "core/cable.h"

#include <algorithm>
#include <cmath>

#include "core/law/cell.h"
#include "core/law/footing.h"
#include "core/law/kinematics.h"
#include "core/law/sliding.h"
#include "core/math/simd.h"
#include "core/path/route.h"
#include "core/pose.h"

namespace mujocable {
namespace {

// parameters of the axial law as the state has them
void SetAxial(const CableModel& model, const State& state, AxialParameters& axial) {
  axial.stiffness = state.stiffness();
  axial.damping = state.damping();
  axial.transition = model.axial.transition;
  axial.reserve = model.axial.reserve;
  axial.pretension = state.pretension();
  axial.home_length = state.home_length();
  axial.max_tension = std::max(0.0, state.max_tension());  // whatever stands there: never a push
  axial.rigid = model.axial.rigid;
  axial.length_rate_only = model.axial.length_rate_only;
}

bool IsPath(const Record& record) {
  return record.status() != static_cast<double>(SolveStatus::kInvalid);
}

// a path that there is, with numbers, before any tension is known
bool Sound(const Record& record) {
  return IsPath(record) && std::isfinite(record.stretch() + record.length_rate());
}

// every path is one to pull along; never let a bad number out
bool MayPull(double tension, const Record& record) {
  // a sum is finite only where all of it is
  const double sum =
      (tension + record.tension()[record.ncontact]) + (record.stretch() + record.length_rate());
  return IsPath(record) && std::isfinite(sum);
}

// Where the arcs that rub lie on their bodies, and into `carried` how far each has moved there.
void PlaceFootings(const CableModel& model, const Bodies& bodies, State state, Record record,
                   double* carried) {
  if (model.nwrap == 0) return;  // guides have none
  for (int i = 0; i < model.ncontact; ++i) {
    const int footing = model.cuts[i].footing, body = model.nodes[i + 1].body;
    if (footing < 0 || !(state.friction()[i] > 0) || !record.Touching(i)) continue;
    const Vec3 origin = Load(bodies.body_pos + 3 * body);
    const Mat3& frame = reinterpret_cast<const Mat3&>(bodies.body_rot[9 * body]);
    carried[footing] =
        PlaceFooting(state.footing() + kFooting * footing, record.arc()[i],
                     Unrotate(frame, PairOf(record.Entry(i), record.Exit(i)) - origin),
                     Unrotate(frame, PairOf(record.Direction(i), record.Direction(i + 1))),
                     record.footing() + kFooting * footing);
  }
}

void HideBadNumbers(Record record) {
  record.status() = static_cast<double>(SolveStatus::kInvalid);
  double* const end = record.block + RecordSize(record.ncontact, record.nwrap);
  std::replace_if(record.block, end, [](double x) { return !std::isfinite(x); }, 0.0);
}

}  // namespace

// ---- positions and velocities are known ---------------------------------------------------------

const Element* Cable::elements() {
  if (elements_) return elements_;
  elements_ = workspace_.Take<Element>(model_.nodes.size());
  PoseElements(model_, bodies_, workspace_.Take<Wrap>(model_.wraps.size()),
               workspace_.Take<Sheath>(model_.sheaths.size()), elements_, state_.step() == 0);
  return elements_;
}

void Cable::Locate() {
  const Start start = state_.step() != 0 ? Start::kWarm : Start::kReset;
  SolveRoute(elements(), model_.ncontact + 2, state_.memory(), start, model_.limits, record_,
             state_.slack());
  Rates(Velocities{bodies_, model_.nodes.data()}, record_);
  record_.derailments() += state_.derailments();
}

// ---- commands are known -------------------------------------------------------------------------

Pull Cable::Tighten(const Command& command, Coupling* coupling, Wrench* wrench) {
  const bool rough = Rough(), rubs = rough && !model_.sliding;
  const AxialStep step = Open(command, rubs);
  if (!SoundParameters(state_)) [[unlikely]]
    record_.status() = static_cast<double>(SolveStatus::kInvalid);
  if (!MayOpen(command)) [[unlikely]]
    return NoPull(wrench);
  const bool several = rubs && Rubs(), slides = rough && !rubs;  // pieces of the path
  Coupling* const swings = coupling;
  if (coupling && !MayWait(command, step.motor, several, *coupling)) coupling = nullptr;
  if (coupling && coupling->Always()) return Wait(step);
  // a single cell is judged by the load that it needs in any case
  const bool late = !several && !slides;
  if (coupling && !late && Stiff(step, several, *coupling)) return Wait(step);
  const bool asked = (coupling && late) || model_.take_up.kind == TakeUpKind::kTendon;
  const Pull pull = slides ? Slide(step, wrench) : Carry(step, several, asked, wrench);
  if (coupling && late && StiffAlong(step, *coupling, coupling->Mobility(wrench, pull.unit))) {
    return Wait(step);
  }
  if (swings && Swings(*swings)) return Wait(step);
  return MayPull(pull.tension, record_) ? pull : NoPull(wrench);
}

// what is known before any tension: the law of this step, and the stretch of the whole cable
AxialStep Cable::Open(const Command& command, bool rubs) {
  const Taken taken = TakeUp(command);
  record_.take_up() = taken.in;
  record_.take_up_rate() = taken.rate;
  const AxialStep step = StepOf(rubs, command.value);
  ShowStretch(step);
  return step;
}

bool Cable::MayOpen(const Command& command) const {
  return Sound(record_) && std::isfinite(command.value);
}

const Piece* Cable::Pieces(int& n) {
  Piece* piece = workspace_.Take<Piece>(model_.ncontact + 1);
  n = 1;
  piece[0] = {-1, record_.length()};
  if (Rough() && !model_.sliding) {
    n = CutPath(record_, state_.friction(), model_.cuts.data(), piece);
  }
  return piece;
}

// of a path with a bad number, which nobody is shown
Pull Cable::NoPull(Wrench* wrench) {
  Slacken();
  HideBadNumbers(record_);
  if (wrench) NoWrenches(wrench);
  return {};
}

bool Cable::Rough() const {
  const double* mu = state_.friction();
  for (int i = 0; i < model_.ncontact; ++i) {
    if (mu[i] > 0) return true;
  }
  return false;
}

bool Cable::Rubs() const {
  for (int i = 0; i < model_.ncontact; ++i) {
    if (state_.friction()[i] > 0 && record_.Touching(i)) return true;
  }
  return false;
}

// cable taken in, and how fast
Cable::Taken Cable::TakeUp(const Command& command) const {
  if (model_.take_up.Tension()) return {0, 0};
  const double gain = model_.take_up.Gain();
  double rate = command.rate;
  // the motor moved here from where it was in the step before
  if (command.at_once && state_.step() != 0) {
    rate = (command.value - state_.take_up() / gain) / bodies_.timestep;
  }
  return {gain * command.value, gain * rate};
}

// the axial law of this step; command: the tension, where that is commanded
AxialStep Cable::StepOf(bool rubs, double command) const {
  AxialStep step;
  SetAxial(model_, state_, step.axial);
  step.step = bodies_.timestep;
  step.length = record_.length();
  if (rubs || step.axial.rigid) KeepRigidity(step);
  step.commanded = model_.take_up.Tension();
  step.command = command;
  const AxialParameters& p = step.axial;
  if (!step.commanded) {
    step.total = p.home_length - record_.take_up() - p.pretension + p.reserve;
    step.motor = step.step * record_.take_up_rate();
    return step;
  }
  step.most_hold = MostHold(p.stiffness);
  step.held = step.most_hold * SquareOfSteps();
  const double hold = step.most_hold > 0 ? step.most_hold : p.stiffness;
  step.total = step.length - std::min(std::max(command, 0.0), p.max_tension) / hold;
  return step;
}

double Cable::SpoolGain(double tension) const {
  const double gain = model_.take_up.Gain();
  const AxialStep step = StepOf(Rough() && !model_.sliding, 0);
  if (!step.rigid) return gain;
  return gain * CostOfMaterial(tension / Rigidity(step), step.axial.transition / step.length);
}

// The stiffness between the contacts of a cable whose tension is commanded: what an explicit step
// can follow; 0: what it is said to be. Where nothing that moves by forces touches it, no step is
// too long, and it is that of 1 kg.
double Cable::MostHold(double stiffness) const {
  if (model_.take_up.kind != TakeUpKind::kTendon && stiffness != 0) return 0;
  const double mobility = state_.mobility() * model_.sharing, step = bodies_.timestep;
  return 1 / (step * step * (mobility > 0 ? mobility : 1));
}

// of this step over that of the one before: by as much the pieces of a commanded cable were stiffer
double Cable::SquareOfSteps() const {
  // their stretch is rounded, which beyond this would be a thousandth of it (chosen: a step that
  // only settles is far beyond; test_commanded_friction would notice if it were less than 4)
  constexpr double kMost = 1e6;
  const double ratio = bodies_.timestep / state_.step(), square = ratio * ratio;
  return square * kMost > 1 && square < kMost ? square : 1;
}

// stretch of the whole cable
void Cable::ShowStretch(const AxialStep& step) {
  const double e = step.commanded ? 0 : record_.length() - step.total;
  record_.rest_length() = step.commanded ? record_.length() : step.total - step.axial.reserve;
  record_.stretch() = e;
  record_.slack() = std::max(0.0, -e);
  record_.coupled() = record_.solves() = 0;
}

Material Cable::Lay(const AxialStep& step) {
  const int cells = MostCells(model_.ncontact, model_.nwrap);
  Material material = TakeMaterial(workspace_.Take<double>(MaterialRoom(cells)), cells);
  double* carried = material.free;  // where no tensions are yet
  // all that is remembered is set, so that a state has the same bits however it came about
  std::fill(record_.cell(), record_.memory(), 0.0);
  PlaceFootings(model_, bodies_, state_, record_, carried);
  LayMaterial(step, state_, model_.cuts.data(), carried, state_.step() == 0, record_, material);
  return material;
}

// Whether a cable is taut, or may be at the end of the step: what sped it up in the step before may
// go on, and what is known of forces may have begun to.
bool Cable::WithinReach(double motor, const Coupling& coupling) const {
  const double step = bodies_.timestep;
  const double end = record_.stretch() + step * record_.length_rate() + motor;
  if (!std::isfinite(end)) return false;
  if (record_.stretch() > 0) return true;
  const double rate = record_.length_rate() + record_.take_up_rate();
  const double gained = state_.step() == 0 ? 0 : std::abs(rate - state_.stretching());
  return end + step * (gained + step * coupling.Tautening()) > 0;
}

// whether the tension depends on the motion of the step at all
bool Cable::MayWait(const Command& command, double motor, bool several,
                    const Coupling& coupling) const {
  return model_.take_up.Tension() ? several && command.value > 0 : WithinReach(motor, coupling);
}

// the tension waits to be found with the motion
Pull Cable::Wait(const AxialStep& step) {
  std::fill(record_.tension(), record_.touching(), 0.0);
  record_.coupled() = 1;
  record_.source_tension() = step.commanded ? std::min(step.command, step.axial.max_tension) : 0;
  return {};
}

// whether the step does not resolve the cable as one cell (22); mobility: of the bodies
bool Cable::StiffAlong(const AxialStep& step, const Coupling& coupling, double mobility) const {
  return UndoneBy(model_.sharing, step) * (mobility + coupling.SpoolMobility()) > kMostUndone;
}

// No segment is moved or turned more than all of them: enough to know of most cables.
bool Cable::MaySwing(const double* tensions) const {
  const double* length = record_.segment();
  const double most = kMostSwing / (bodies_.timestep * bodies_.timestep);
  const double mobility = state_.mobility(), turning = state_.turning();
  bool may = false;
  for (int i = 0; i <= model_.ncontact; ++i) {
    may |= tensions[i] * (mobility + turning * length[i]) > most * length[i];
  }
  return may;
}

// whether the step does not resolve how a segment swings (24)
bool Cable::Swings(Coupling& coupling) const {
  const double* tension = record_.tension();
  return VisitSwings(tension, [&](int i) { return coupling.Swung(i, tension[i]) > kMostSwing; });
}

// the same before the tensions are known, of all its pieces
bool Cable::Stiff(const AxialStep& step, bool several, Coupling& coupling) {
  if (!several) {
    Wrench* unit = workspace_.Take<Wrench>(model_.slots.size());
    UnitWrenches(unit);
    return StiffAlong(step, coupling, coupling.Mobility(unit, 1));
  }
  const double enough = kMostUndone / UndoneBy(model_.sharing, step);
  const double spool = coupling.SpoolMobility(), most = state_.mobility() + spool;
  // one that may be stiff as a whole is taken for one that is: it has shorter pieces too
  if (most > enough) return true;
  // bodies give way to all pieces together no more than to the whole cable at most, nor than their
  // levers allow: that is enough to know of most cables; no piece is shorter than a segment
  double shortest = record_.segment()[0];
  for (int i = 0; i < model_.ncontact; ++i) {
    if (record_.Touching(i)) shortest = std::min(shortest, record_.segment()[i + 1]);
  }
  if (most * step.length <= enough * shortest) return false;
  Piece* piece = workspace_.Take<Piece>(model_.ncontact + 1);
  const int pieces = CutPath(record_, state_.friction(), model_.cuts.data(), piece);
  if (MostMobility(step, piece, pieces, spool) <= enough) return false;
  return coupling.Mobility(piece, pieces, enough) > enough;
}

// the sum of the mobilities along its pieces, each over its part of the length, at most
double Cable::MostMobility(const AxialStep& step, const Piece* piece, int pieces,
                           double spool) const {
  const bool own = state_.mobility() == model_.mobility;  // of these bodies
  const double *levers = model_.levers.data(), mobility = state_.mobility();
  double sum = 0;
  for (int p = 0, i = 0; p < pieces; ++p, spool = 0) {
    const int end = p + 1 < pieces ? piece[p + 1].contact : model_.ncontact;
    double lever = 0;
    for (; i <= end; ++i) lever += levers[i];
    sum += ((own ? lever * lever : mobility) + spool) * (step.length / piece[p].length);
  }
  return sum;
}

// friction without memory: one tension, and ratios to it as the slip is now
Pull Cable::Slide(const AxialStep& step, Wrench* wrench) {
  const Pull pull{TensionOfOneCell(step, record_)};
  Ratios(step.commanded);
  if (wrench) Wrenches(wrench);
  ScaleTensions(pull.tension, record_);
  ShowSliding(step.step, state_.slip_total(), record_);
  return pull;
}

void Cable::Ratios(bool commanded) {
  const double rate = commanded ? 0 : record_.length_rate() + record_.take_up_rate();
  TensionRatios(model_.friction, state_.friction(), rate, record_);
}

// Friction with memory, as the bodies stand: tensions of the cells, or of the one there is. asked:
// wrenches are wanted also where it has none.
Pull Cable::Carry(const AxialStep& step, bool several, bool asked, Wrench* wrench) {
  // without tension there is no friction
  const bool taut = step.commanded ? step.command > 0 : record_.stretch() > 0;
  if (several && taut) {
    Material material = Lay(step);
    FindTensions(step, material);
    MoveMaterial(step, state_, material, record_);
  } else {
    TightenOneCell(step, state_, record_);
  }
  const double tension = record_.source_tension();
  if (!wrench) return {tension};
  if (!(tension > 0)) {
    asked ? UnitWrenches(wrench) : NoWrenches(wrench);
    return {tension};
  }
  Wrenches(wrench);
  return {tension, 1 / tension};
}

void Cable::Wrenches(Wrench* wrench) const {
  BodyWrenches(model_, bodies_.reference, record_, wrench);
}

void Cable::NoWrenches(Wrench* wrench) const { std::fill_n(wrench, model_.slots.size(), Wrench{}); }

void Cable::UnitWrenches(Wrench* wrench) const {
  double *tension = record_.tension(), *end = tension + model_.ncontact + 1;
  std::fill(tension, end, 1.0);
  Wrenches(wrench);
  std::fill(tension, end, 0.0);
}

void Cable::Await() { ShowNoForce(state_, record_); }

void Cable::Rest(const Command& command) {
  Open(command, Rough() && !model_.sliding);
  Slacken();
  if (!MayOpen(command)) [[unlikely]]
    HideBadNumbers(record_);
}

void Cable::Slacken() { mujocable::Slacken(state_, record_); }

void BodyWrenches(const CableModel& model, const double* reference, const Record& record,
                  Wrench* wrench) {
  std::fill_n(wrench, model.slots.size(), Wrench{});
  const auto about = [&](int s) { return Load(reference + 3 * model.slots[s].root); };
  AddLoads(record, model.slot_of_element.data(), about, wrench);
}

// ---- tensions are found with the motion of the step ---------------------------------------------

AxialStep Cable::Reopen(Material& material) {
  const bool rough = Rough(), rubs = rough && !model_.sliding;
  const AxialStep step = StepOf(rubs, record_.source_tension());
  if (rubs) {
    material = Lay(step);
  } else {
    material = TakeMaterial(workspace_.Take<double>(MaterialRoom(1)), 1);
    LayOneCell(step, record_, material);
  }
  if (rough && !rubs) Ratios(step.commanded);
  return step;
}

void Cable::Settle(const AxialStep& step, Material& material) {
  const double* tension = material.tension;
  // never let a bad number out
  if (!std::all_of(tension, tension + material.n, [](double t) { return std::isfinite(t); })) {
    return Slacken();
  }
  if (Slides()) {
    ShowEnergyOfOneCell(step, material.longer[0], record_);
    ScaleTensions(material.tension[0], record_);
    ShowSliding(step.step, state_.slip_total(), record_);
  } else {
    MoveMaterial(step, state_, material, record_);
  }
}

// ---- the step is taken --------------------------------------------------------------------------

void ResetState(const CableModel& model, double* block) {
  const State state{block, model.ncontact, model.nwrap};
  state.fingerprint() = model.fingerprint;
  state.step() = 0;
  state.take_up() = 0;
  state.derailments() = state.told() = state.slack() = state.stretching() = 0;
  state.stiffness() = model.axial.stiffness;
  state.damping() = model.axial.damping;
  state.home_length() = model.axial.home_length;
  state.max_tension() = model.axial.max_tension;
  state.pretension() = model.axial.pretension;
  state.mobility() = model.mobility;
  state.turning() = model.turning;
  std::copy(model.mu.begin(), model.mu.end(), state.friction());
  std::fill(state.slip_total(), state.end(), 0.0);
  std::copy(model.memory.begin(), model.memory.end(), state.memory());
}

size_t StepRoom(const CableModel& model) {
  const int cells = MostCells(model.ncontact, model.nwrap);
  const size_t posed = model.nodes.size() * sizeof(Element) + model.wraps.size() * sizeof(Wrap) +
                       model.sheaths.size() * sizeof(Sheath);
  const size_t wrenches = model.slots.size() * sizeof(Wrench);
  const size_t pieces = (model.ncontact + 1) * sizeof(Piece);
  constexpr size_t kTaken = 6, kPadding = 4;  // how often, and how much each may be filled up
  return (posed + wrenches + pieces) / sizeof(double) + MaterialRoom(cells) + kTaken * kPadding;
}

}  // namespace mujocable
