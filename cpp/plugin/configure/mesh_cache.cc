// Meshes of a model -> fields, each fitted once: kept by content for the life of the process and,
// where fitting took a while, in a folder of the user.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "core/math/hash.h"
#include "core/mesh/fit.h"
#include "core/mesh/mesh.h"
#include "plugin/configure/build.h"
#include "plugin/configure/words.h"

namespace mujocable {
namespace {

// changes whenever the same mesh gives another field, or its file another checksum
constexpr std::uint64_t kVersion = 16;

// a fit that took longer is worth a file                                                [s]
constexpr double kWorthKeeping = 0.3;

// progress is shown only then, and so often; chosen: what people wait for without asking   [s]
constexpr double kShowAfter = 1, kShowEvery = 1;

std::uint64_t KeyOf(const mjModel* m, int mesh, double offset, double rounding) {
  Hash hash;
  for (double x : {double(kVersion), offset, rounding, double(m->mesh_vertnum[mesh])}) {
    hash.Number(x);
  }
  hash.Bytes(m->mesh_vert + 3 * m->mesh_vertadr[mesh], 3 * sizeof(float) * m->mesh_vertnum[mesh]);
  hash.Bytes(m->mesh_face + 3 * m->mesh_faceadr[mesh], 3 * sizeof(int) * m->mesh_facenum[mesh]);
  return hash.Bits();
}

TriangleMesh Read(const mjModel* m, int mesh) {
  TriangleMesh out;
  const float* v = m->mesh_vert + 3 * m->mesh_vertadr[mesh];
  for (int i = 0; i < m->mesh_vertnum[mesh]; ++i) {
    out.vertex.push_back({v[3 * i], v[3 * i + 1], v[3 * i + 2]});
  }
  const int* f = m->mesh_face + 3 * m->mesh_faceadr[mesh];
  for (int i = 0; i < m->mesh_facenum[mesh]; ++i) {
    out.face.push_back({f[3 * i], f[3 * i + 1], f[3 * i + 2]});
  }
  return Weld(out);
}

std::string Environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

bool Off(const char* name) {
  const std::string value = Environment(name);
  return value == "off" || value == "0";
}

// "" when there is none
std::filesystem::path Folder() {
  if (Off("MUJOCABLE_CACHE")) return {};
  for (const auto& [name, below] : {std::pair{"MUJOCABLE_CACHE", ""},
                                    {"XDG_CACHE_HOME", "/mujocable"},
                                    {"HOME", "/.cache/mujocable"},
                                    {"LOCALAPPDATA", "/mujocable"}}) {
    if (const std::string above = Environment(name); !above.empty()) return above + below;
  }
  return {};
}

std::filesystem::path FileOf(const std::filesystem::path& folder, std::uint64_t key) {
  char name[40];
  std::snprintf(name, sizeof name, "mesh-%016llx.bin", static_cast<unsigned long long>(key));
  return folder / name;
}

// All that a file holds, in order: move(data, bytes) writes or reads it. A list is led by its
// length; one that is read has no more than `most`.
template <typename Field, typename Move>
void MoveAll(Field& f, std::uint64_t most, const Move& move) {
  const auto one = [&](auto& x) {
    if constexpr (requires { x.size(); }) {
      std::uint64_t count = x.size();
      move(&count, sizeof count);
      if constexpr (requires { x.resize(count); }) x.resize(std::min(count, most));
      move(x.data(), x.size() * sizeof(x[0]));
    } else {
      move(&x, sizeof x);
    }
  };
  const auto all = [&](auto&... x) { (one(x), ...); };
  all(f.cell, f.origin, f.n, f.coefficient, f.distance, f.reach, f.nearest, f.sample, f.radius,
      f.waviness, f.extent, f.offset, f.rounding, f.faces, f.deviation, f.hash, f.patch, f.join,
      f.owner, f.first, f.near);
}

// of a file: of the version too, which is in the key
std::uint64_t Checksum(std::uint64_t key, const std::string& bytes) {
  Hash hash;
  hash.Bytes(&key, sizeof key);
  hash.Bytes(bytes.data(), bytes.size());
  return hash.Bits();
}

// written beside its place and moved there: whoever reads it finds all of it or nothing
void Save(const std::filesystem::path& folder, std::uint64_t key, const MeshField& field) {
  std::string bytes;
  MoveAll(field, 0, [&](const void* data, size_t size) {
    bytes.append(static_cast<const char*>(data), size);
  });
  const std::uint64_t sum = Checksum(key, bytes);
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  const std::filesystem::path file = FileOf(folder, key);
  std::filesystem::path draft = file;
  draft += std::to_string(std::chrono::steady_clock::now().time_since_epoch().count());
  std::ofstream out(draft, std::ios::binary);
  out.write(reinterpret_cast<const char*>(&sum), sizeof sum);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (out) std::filesystem::rename(draft, file, failed);
  if (!out || failed) std::filesystem::remove(draft, failed);
}

bool LoadFrom(const std::filesystem::path& folder, std::uint64_t key, MeshField& field) {
  std::ifstream in(FileOf(folder, key), std::ios::binary);
  if (!in) return false;
  std::uint64_t sum = 0;
  in.read(reinterpret_cast<char*>(&sum), sizeof sum);
  const std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (sum != Checksum(key, bytes)) return false;
  size_t at = 0;
  bool good = true;
  MoveAll(field, bytes.size(), [&](void* to, size_t size) {
    const size_t taken = bytes.copy(static_cast<char*>(to), size, at);
    good = good && taken == size;
    at += taken;
  });
  return good && at == bytes.size();
}

// what takes more than a second says so
class Progress {
 public:
  Progress(const std::string& mesh, int faces) : mesh_(mesh), faces_(faces) {}
  ~Progress() {
    if (shown_)
      std::fprintf(stderr, "mujocable: mesh '%s' done in %.1f s\n", mesh_.c_str(), Took());
  }
  void operator()(double share) {
    const double now = Took();
    if (now < next_ || Off("MUJOCABLE_PROGRESS")) return;
    next_ = now + kShowEvery;
    shown_ = true;
    std::fprintf(stderr, "mujocable: fitting mesh '%s', %d faces: %.0f %%\n", mesh_.c_str(), faces_,
                 100 * share);
  }
  double Took() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::string mesh_;
  int faces_;
  bool shown_ = false;
  double next_ = kShowAfter;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

struct Entry {
  std::unique_ptr<const MeshField> field;
  std::string error;
};

Entry Compile(const mjModel* m, int mesh, double offset, double rounding, std::uint64_t key) {
  Entry entry;
  auto field = std::make_unique<MeshField>();
  const std::filesystem::path folder = Folder();
  if (!folder.empty() && LoadFrom(folder, key, *field)) {
    entry.field = std::move(field);
    return entry;
  }
  const TriangleMesh triangles = Read(m, mesh);
  entry.error = FaultOf(triangles);
  if (!entry.error.empty()) return entry;
  Progress progress(NameOf(m, mjOBJ_MESH, mesh), static_cast<int>(triangles.face.size()));
  FitOptions options;
  options.offset = offset;
  options.rounding = rounding;
  options.progress = [&](double share) { progress(share); };
  entry.error = FitField(triangles, options, *field);
  if (!entry.error.empty()) return entry;
  // a folder that was named on purpose keeps all
  const bool worth = std::getenv("MUJOCABLE_CACHE") || progress.Took() > kWorthKeeping;
  if (!folder.empty() && worth) Save(folder, key, *field);
  entry.field = std::move(field);
  return entry;
}

}  // namespace

const MeshField* CompileMesh(const mjModel* m, int mesh, double offset, double rounding,
                             std::string& error) {
  const std::uint64_t key = KeyOf(m, mesh, offset, rounding);
  // never destroyed: simulations may outlive static destructors
  static auto& mutex = *new std::mutex;
  static auto& entries = *new std::unordered_map<std::uint64_t, Entry>;
  const std::lock_guard<std::mutex> lock(mutex);
  auto found = entries.find(key);
  if (found == entries.end()) {
    found = entries.emplace(key, Compile(m, mesh, offset, rounding, key)).first;
  }
  error = found->second.error;
  return found->second.field.get();
}

}  // namespace mujocable
