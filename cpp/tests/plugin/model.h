// Models for the tests of the adapter: MJCF text in, compiled model or error message out.

#ifndef MUJOCABLE_TESTS_PLUGIN_MODEL_H_
#define MUJOCABLE_TESTS_PLUGIN_MODEL_H_

#include <mujoco/mujoco.h>

#include <memory>
#include <string>

namespace mujocable::test {

struct DeleteModel {
  void operator()(mjModel* m) const { mj_deleteModel(m); }
};
struct DeleteData {
  void operator()(mjData* d) const { mj_deleteData(d); }
};
using Model = std::unique_ptr<mjModel, DeleteModel>;
using Data = std::unique_ptr<mjData, DeleteData>;

// nullptr and the reason when the text is no model
inline Model Compile(const std::string& xml, std::string& error) {
  char parse_error[2000] = "";
  error.clear();
  mjSpec* spec = mj_parseXMLString(xml.c_str(), nullptr, parse_error, sizeof parse_error);
  if (!spec) {
    error = parse_error;
    return nullptr;
  }
  Model model(mj_compile(spec, nullptr));
  if (!model) error = mjs_getError(spec);
  mj_deleteSpec(spec);
  return model;
}

inline Data MakeData(const Model& model) { return Data(mj_makeData(model.get())); }

}  // namespace mujocable::test

#endif  // MUJOCABLE_TESTS_PLUGIN_MODEL_H_
