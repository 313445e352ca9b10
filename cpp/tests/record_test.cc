// Layout of the record: every field has its own place, all together fill it.

#include "core/record.h"

#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/kit/check.h"

namespace mujocable {
namespace {

TEST(FieldsTileTheRecord) {
  for (int ncontact = 0; ncontact <= 20; ++ncontact) {
    for (int nwrap = 0; nwrap <= ncontact; ++nwrap) {
      const int size = RecordSize(ncontact, nwrap);
      std::vector<double> block(size, 0.0);
      const Record record = Record{block.data(), ncontact, nwrap};
      CHECK_EQ(record.ncontact, ncontact);
      CHECK_EQ(record.nwrap, nwrap);
      // each slot is written once: no overlap, no gap, nothing outside
      for (const Field& field : kFields) {
        double* values = record.Values(field);
        for (int i = 0; i < field.Size(ncontact, nwrap); ++i) {
          CHECK(values + i >= block.data() && values + i < block.data() + size);
          values[i] += 1;
        }
      }
      for (double count : block) CHECK_EQ(count, 1.0);
    }
  }
}

TEST(EveryNameHasOneField) {
  std::set<std::string> names;
  for (const Field& field : kFields) CHECK(names.insert(field.name).second);
}

// each accessor against the table, by the sizes of the fields before it
TEST(EveryAccessorLeadsToTheFieldOfItsName) {
  std::vector<double> block(RecordSize(4, 2));
  const Record r{block.data(), 4, 2};
  const std::map<std::string, const double*> accessors = {
      {"length", &r.length()},
      {"length_rate", &r.length_rate()},
      {"rest_length", &r.rest_length()},
      {"stretch", &r.stretch()},
      {"slack", &r.slack()},
      {"take_up", &r.take_up()},
      {"take_up_rate", &r.take_up_rate()},
      {"source_tension", &r.source_tension()},
      {"status", &r.status()},
      {"status_contact", &r.status_contact()},
      {"derailments", &r.derailments()},
      {"smoothness", &r.smoothness()},
      {"surface_error", &r.surface_error()},
      {"penetration", &r.penetration()},
      {"iterations", &r.iterations()},
      {"solves", &r.solves()},
      {"energy", &r.energy()},
      {"tension", r.tension()},
      {"touching", r.touching()},
      {"wrap_angle", r.wrap_angle()},
      {"slip_rate", r.slip_rate()},
      {"dissipation", r.dissipation()},
      {"slip", r.slip()},
      {"slip_total", r.slip_total()},
      {"stuck", r.stuck()},
      {"cone", r.cone()},
      {"segment_rest", r.segment_rest()},
      {"overrun", r.overrun()},
      {"entry", r.entry()},
      {"exit", r.exit()},
      {"growth", r.growth()},
      {"arc", r.arc()},
      {"ends", r.ends()},
      {"direction", r.direction()},
      {"shown_time", &r.shown_time()},
      {"shown_depth", &r.shown_depth()},
      {"coupled", &r.coupled()},
      {"segment", r.segment()},
      {"rubbing", r.rubbing()},
      {"cell", r.cell()},
      {"mark", r.mark()},
      {"footing", r.footing()},
      {"memory", r.memory()},
  };
  CHECK_EQ(accessors.size(), size_t{kFieldCount});
  const double* at = block.data();
  for (const Field& field : kFields) {
    CHECK(accessors.at(field.name) == at);
    CHECK(r.Values(field) == at);
    at += field.Size(4, 2);
  }
}

TEST(ShapesAreThoseOfTheirComments) {
  const int n = 5, w = 3;
  const auto size = [&](const char* name) {
    for (const Field& field : kFields) {
      if (std::string(field.name) == name) return field.Size(n, w);
    }
    return -1;
  };
  for (const char* name : {"length", "length_rate", "rest_length", "stretch", "slack", "take_up",
                           "take_up_rate", "source_tension", "status", "smoothness",
                           "surface_error", "penetration", "iterations", "energy"}) {
    CHECK_EQ(size(name), 1);
  }
  for (const char* name : {"tension", "segment"}) CHECK_EQ(size(name), n + 1);
  for (const char* name :
       {"touching", "wrap_angle", "slip_rate", "dissipation", "overrun", "growth", "arc"}) {
    CHECK_EQ(size(name), n);
  }
  for (const char* name : {"entry", "exit"}) CHECK_EQ(size(name), 3 * n);
  CHECK_EQ(size("direction"), 3 * (n + 1));
  CHECK_EQ(size("ends"), 6);
  CHECK_EQ(size("memory"), kWrapMemory * w);
}

TEST(AccessorsReadTheirPlace) {
  std::vector<double> block(RecordSize(3, 2));
  for (size_t i = 0; i < block.size(); ++i) block[i] = static_cast<double>(i);
  const Record r = Record{block.data(), 3, 2};
  for (int i = 0; i < 3; ++i) {
    CHECK_EQ(r.Entry(i).y, r.entry()[3 * i + 1]);
    CHECK_EQ(r.Exit(i).z, r.exit()[3 * i + 2]);
    CHECK(r.Touching(i));
  }
  for (int i = 0; i < 4; ++i) CHECK_EQ(r.Direction(i).x, r.direction()[3 * i]);
  r.touching()[1] = 0;
  CHECK(!r.Touching(1));
  // the first field is where the adapter takes the block from
  CHECK(&r.length() == block.data());
}

}  // namespace
}  // namespace mujocable
