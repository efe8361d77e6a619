// The Embind table of the exercises: files and pasted text, graders, variants with a bug. All calls
// are pure functions.
#include "convert.h"
#include "io/matrix_text.h"
#include "io/npy.h"
#include "io/safetensors.h"
#include "probe/bugs.h"
#include "probe/grader.h"

EMSCRIPTEN_DECLARE_VAL_TYPE(Uint8Array);
EMSCRIPTEN_DECLARE_VAL_TYPE(SafetensorsEntryList);
EMSCRIPTEN_DECLARE_VAL_TYPE(MistakeList);

namespace poslab {
namespace {

std::vector<std::uint8_t> bytes_in(const val& data) {
  return emscripten::convertJSArrayToNumberVector<std::uint8_t>(data);
}
// --- files and pasted text ---

struct NpyOut {
  std::string dtype;
  bool fortran_order;
  NumberList shape{val::array()};
  Float32Array data{val::undefined()};
};

template <class Range>
NumberList numbers(const Range& range) {
  return list_of<NumberList>(std::vector<double>(range.begin(), range.end()));
}

NpyOut read_npy_out(const val& bytes) {
  const NpyArray array =
      within_memory([&] { return read_npy(bytes_in(bytes)); }, "Open a smaller file.");
  return {array.dtype, array.fortran_order, numbers(array.shape),
          copy_of<Float32Array>(array.data.data(), array.data.size())};
}
struct NpyHeaderOut {
  std::string dtype;
  bool fortran_order;
  NumberList shape{val::array()};
  double begin, end;
};
NpyHeaderOut npy_header_out(const val& prefix, double file_size) {
  require_whole("file_size", file_size, 0, 9007199254740991.0);
  const NpyHeader h = npy_header(bytes_in(prefix), static_cast<std::uint64_t>(file_size));
  return {h.dtype, h.fortran_order, numbers(h.shape), static_cast<double>(h.begin),
          static_cast<double>(h.end)};
}
Uint8Array write_npy_out(const val& shape, const val& data) {
  std::vector<std::size_t> extents;
  for (const double x : emscripten::convertJSArrayToNumberVector<double>(shape))
    extents.push_back(static_cast<std::size_t>(whole("a length of shape", x, 0, 2147483647.0)));
  const std::vector<std::uint8_t> bytes = write_npy(extents, floats(data));
  return copy_of<Uint8Array>(bytes.data(), bytes.size());
}

struct SafetensorsEntryOut {
  std::string name, dtype;
  NumberList shape{val::array()};
  double begin, end;
};

double safetensors_prefix_out(const val& bytes) {
  return static_cast<double>(safetensors_prefix(bytes_in(bytes)));
}
SafetensorsEntryList safetensors_entries_out(const val& prefix, double file_size) {
  require_whole("file_size", file_size, 0, 9007199254740991.0);
  val list = val::array();
  for (const SafetensorsEntry& e :
       safetensors_entries(bytes_in(prefix), static_cast<std::uint64_t>(file_size))) {
    list.call<void>(
        "push", SafetensorsEntryOut{e.name, e.dtype, numbers(e.shape), static_cast<double>(e.begin),
                                    static_cast<double>(e.end)});
  }
  return SafetensorsEntryList(list);
}
Float32Array safetensors_decode_out(const std::string& dtype, const val& bytes) {
  const std::vector<float> data = within_memory(
      [&] { return safetensors_decode(dtype, bytes_in(bytes)); }, "Choose a smaller tensor.");
  return copy_of<Float32Array>(data.data(), data.size());
}
TensorOut parse_matrix_out(const std::string& text) {
  const Matrix m = parse_matrix(text);
  return {list_of<NumberList>(std::vector<int>{m.rows, m.columns}),
          copy_of<Float32Array>(m.data.data(), m.data.size())};
}

// --- graders and variants ---

struct GradeOut {
  std::string verdict, sentence;
  MistakeList mistakes{val::array()};
  StringList alternatives{val::array()};
  int n, d;
  double tolerance, largest;
  bool has_wrong_cell;
  int row, column;
  double given, expected, base;
  std::string nearest;
  double distance;
};

GradeOut grade_out(const Grade& g) {
  return {g.verdict,
          g.sentence,
          list_of<MistakeList>(g.mistakes),
          list_of<StringList>(g.alternatives),
          g.n,
          g.d,
          g.tolerance,
          g.largest,
          g.has_wrong_cell,
          g.row,
          g.column,
          g.given,
          g.expected,
          g.base,
          g.nearest,
          g.distance};
}
GradeOut grade_sinusoidal_out(const val& matrix, double rows, double columns, double base) {
  return grade_out(
      grade_sinusoidal(floats(matrix), as_int("rows", rows), as_int("columns", columns), base));
}
struct RopeTaskIn {
  std::string pairing, role;
  double base, first;
};
GradeOut grade_rope_out(const val& inputs, const val& outputs, double rows, double columns,
                        const RopeTaskIn& task) {
  return grade_out(grade_rope(
      floats(inputs), floats(outputs), as_int("rows", rows), as_int("columns", columns),
      {rope_pairing_named(task.pairing), task.base, rope_role_named(task.role), task.first}));
}
MistakeList mistakes_out() { return list_of<MistakeList>(mistakes()); }

struct BugReportOut {
  std::string name, change, property;
  double right, variant, threshold;
  bool faulty;
  std::string matrix;
  TensorOut expected, given;
  bool has_wrong_cell;
  int row, column;
  double largest;
  std::string symptom, cure;
};
BugReportOut run_bug_out(const std::string& name, double seed) {
  const BugReport b = run_bug(name, seed_in(seed));
  return {b.name,
          b.change,
          b.property,
          b.right,
          b.variant,
          b.threshold,
          b.faulty,
          b.matrix,
          tensor_out(b.expected),
          tensor_out(b.given),
          b.has_wrong_cell,
          b.row,
          b.column,
          b.largest,
          b.symptom,
          b.cure};
}
StringList bug_names_out() { return list_of<StringList>(bug_names()); }

}  // namespace
}  // namespace poslab

using namespace poslab;

EMSCRIPTEN_BINDINGS(poslab_exercises) {
  using namespace emscripten;
  register_type<Uint8Array>("Uint8Array");
  register_type<SafetensorsEntryList>("SafetensorsEntry[]");
  register_type<MistakeList>("Mistake[]");

  value_object<NpyHeaderOut>("NpyHeader")
      .FIELD(NpyHeaderOut, dtype)
      .FIELD(NpyHeaderOut, fortran_order)
      .FIELD(NpyHeaderOut, shape)
      .FIELD(NpyHeaderOut, begin)
      .FIELD(NpyHeaderOut, end);
  value_object<NpyOut>("NpyArray")
      .FIELD(NpyOut, dtype)
      .FIELD(NpyOut, fortran_order)
      .FIELD(NpyOut, shape)
      .FIELD(NpyOut, data);
  value_object<SafetensorsEntryOut>("SafetensorsEntry")
      .FIELD(SafetensorsEntryOut, name)
      .FIELD(SafetensorsEntryOut, dtype)
      .FIELD(SafetensorsEntryOut, shape)
      .FIELD(SafetensorsEntryOut, begin)
      .FIELD(SafetensorsEntryOut, end);
  value_object<Mistake>("Mistake")
      .FIELD(Mistake, name)
      .FIELD(Mistake, title)
      .FIELD(Mistake, harmless)
      .FIELD(Mistake, symptom)
      .FIELD(Mistake, cause)
      .FIELD(Mistake, cure);
  value_object<GradeOut>("Grade")
      .FIELD(GradeOut, verdict)
      .FIELD(GradeOut, sentence)
      .FIELD(GradeOut, mistakes)
      .FIELD(GradeOut, alternatives)
      .FIELD(GradeOut, n)
      .FIELD(GradeOut, d)
      .FIELD(GradeOut, tolerance)
      .FIELD(GradeOut, largest)
      .FIELD(GradeOut, has_wrong_cell)
      .FIELD(GradeOut, row)
      .FIELD(GradeOut, column)
      .FIELD(GradeOut, given)
      .FIELD(GradeOut, expected)
      .FIELD(GradeOut, base)
      .FIELD(GradeOut, nearest)
      .FIELD(GradeOut, distance);
  value_object<RopeTaskIn>("RopeTask")
      .FIELD(RopeTaskIn, pairing)
      .FIELD(RopeTaskIn, role)
      .FIELD(RopeTaskIn, base)
      .FIELD(RopeTaskIn, first);
  value_object<BugReportOut>("BugReport")
      .FIELD(BugReportOut, name)
      .FIELD(BugReportOut, change)
      .FIELD(BugReportOut, property)
      .FIELD(BugReportOut, right)
      .FIELD(BugReportOut, variant)
      .FIELD(BugReportOut, threshold)
      .FIELD(BugReportOut, faulty)
      .FIELD(BugReportOut, matrix)
      .FIELD(BugReportOut, expected)
      .FIELD(BugReportOut, given)
      .FIELD(BugReportOut, has_wrong_cell)
      .FIELD(BugReportOut, row)
      .FIELD(BugReportOut, column)
      .FIELD(BugReportOut, largest)
      .FIELD(BugReportOut, symptom)
      .FIELD(BugReportOut, cure);

  function("npy_header(prefix, file_size)", &npy_header_out);
  function("read_npy(bytes)", &read_npy_out);
  function("write_npy(shape, data)", &write_npy_out);
  function("safetensors_prefix(bytes)", &safetensors_prefix_out);
  function("safetensors_entries(prefix, file_size)", &safetensors_entries_out);
  function("safetensors_decode(dtype, bytes)", &safetensors_decode_out);
  function("parse_matrix(text)", &parse_matrix_out);
  function("grade_sinusoidal(matrix, rows, columns, base)", &grade_sinusoidal_out);
  function("grade_rope(inputs, outputs, rows, columns, task)", &grade_rope_out);
  function("mistakes", &mistakes_out);
  function("bug_names", &bug_names_out);
  function("run_bug(name, seed)", &run_bug_out);
}
