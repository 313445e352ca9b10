// Functions the Python package calls in the library.

#ifndef MUJOCABLE_PLUGIN_BORDER_EXPORTS_H_
#define MUJOCABLE_PLUGIN_BORDER_EXPORTS_H_

#include <mujoco/mujoco.h>

#if defined(_WIN32)
#define MUJOCABLE_API __declspec(dllexport)
#else
#define MUJOCABLE_API __attribute__((visibility("default")))
#endif

namespace mujocable {

extern const char* register_error;  // why the library did not register, "" when it did

}  // namespace mujocable

extern "C" {

// MuJoCo version the library was built for
MUJOCABLE_API int mujocable_version(void);
MUJOCABLE_API const char* mujocable_error(void);

// the configuration table, one line per key: key|unit|default|accepted|help
MUJOCABLE_API const char* mujocable_attributes(void);

// the options of the elements of a route, one line each: key|elements that may have it|how its
// value is written, in brackets where it may be left out|geoms that it needs|what is said for
// others
MUJOCABLE_API const char* mujocable_options(void);

// A cable is a member of an instance, counted from 0. How many there are; where the state of each
// begins in plugin_state, and its contacts and wraps; how many bytes their names have, with a zero
// after each, which are written as far as there is room. -1: not ours.
MUJOCABLE_API int mujocable_cables(const mjModel* m, int instance);
MUJOCABLE_API int mujocable_members(const mjModel* m, int instance, int* state, int* ncontact,
                                    int* nwrap);
MUJOCABLE_API int mujocable_names(const mjModel* m, int instance, char* out, int size);

// the fields of the record that views read and sensors show, one name per line
MUJOCABLE_API const char* mujocable_fields(void);

// where a field of any name lies in the record, and how long both are; -1 when there is none
MUJOCABLE_API int mujocable_record_size(int ncontact, int nwrap);
MUJOCABLE_API int mujocable_field(int ncontact, int nwrap, const char* name, int* offset,
                                  int* size);

// where a parameter that may differ between simulations lies in the state: stiffness, damping,
// home_length, max_tension, friction (one per contact); also told, the sum of 2^status of what was
// warned about, and slack, of the step before
MUJOCABLE_API int mujocable_parameter(int ncontact, const char* name, int* offset, int* size);

// before parameters are read or written: a state that another model wrote becomes what it counts
// for, and would be from the end of the next step on
MUJOCABLE_API int mujocable_take_over(const mjModel* m, mjData* d, int instance, int member);

// for each contact whether the friction of the cable counts there: not on a drum without its own
MUJOCABLE_API int mujocable_rubs(const mjModel* m, mjData* d, int instance, int member, int* out);

// where the record lies in sensordata, -1 when the model has no such sensor
MUJOCABLE_API int mujocable_sensor_address(const mjModel* m, mjData* d, int instance, int member);

// the record: from sensordata, or evaluated anew
MUJOCABLE_API int mujocable_read(const mjModel* m, mjData* d, int instance, int member,
                                 double* out);

// polyline of the solved path; returns the number of points there are
MUJOCABLE_API int mujocable_points(const mjModel* m, mjData* d, int instance, int member,
                                   double* xyz, int max_points);

// dL/dq (5), and the generalized load of the cable, spool reaction included; nv numbers each
MUJOCABLE_API int mujocable_jacobian(const mjModel* m, mjData* d, int instance, int member,
                                     double* out);
MUJOCABLE_API int mujocable_load(const mjModel* m, mjData* d, int instance, int member,
                                 double* out);

// How the surface of contact `contact` was made of its mesh, 8 numbers: faces, cell,
// cable radius, rounding, deviation of the samples (rms, most), of the vertices, of the faces'
// centers [m]. Returns 1, 0 when the contact is not on a mesh, -1 when there is none such.
MUJOCABLE_API int mujocable_mesh(const mjModel* m, mjData* d, int instance, int member, int contact,
                                 double* out);

}  // extern "C"

#endif  // MUJOCABLE_PLUGIN_BORDER_EXPORTS_H_
