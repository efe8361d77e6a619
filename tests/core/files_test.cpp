// Files and pasted text: .npy, safetensors, JSON, matrices as people write them.
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "io/json.h"
#include "io/matrix_text.h"
#include "io/npy.h"
#include "io/number_format.h"
#include "io/safetensors.h"
#include "support.h"

using namespace poslab;
using namespace poslab::test;

namespace {

using Bytes = std::vector<std::uint8_t>;

// A .npy file with this header and these bytes of data.
Bytes npy(const std::string& header, const Bytes& data, int major = 1) {
  Bytes out{0x93, 'N', 'U', 'M', 'P', 'Y', static_cast<std::uint8_t>(major), 0};
  for (int i = 0; i < (major == 1 ? 2 : 4); ++i)
    out.push_back(static_cast<std::uint8_t>(header.size() >> (8 * i)));
  out.insert(out.end(), header.begin(), header.end());
  out.insert(out.end(), data.begin(), data.end());
  return out;
}

std::string npy_header(const std::string& descr, bool fortran, const std::string& shape) {
  return "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") +
         ", 'shape': " + shape + ", }\n";
}

template <class T>
Bytes bytes_of(const std::vector<T>& numbers) {
  Bytes out(numbers.size() * sizeof(T));
  std::memcpy(out.data(), numbers.data(), out.size());
  return out;
}

Bytes safetensors(const std::string& header, const Bytes& data) {
  Bytes out;
  const std::uint64_t length = header.size();  // size_t has 32 bits in WebAssembly
  for (int i = 0; i < 8; ++i) out.push_back(static_cast<std::uint8_t>(length >> (8 * i)));
  out.insert(out.end(), header.begin(), header.end());
  out.insert(out.end(), data.begin(), data.end());
  return out;
}

std::string npy_refusal(const Bytes& bytes) {
  return refusal([&] { read_npy(bytes); });
}
std::string safetensors_refusal(const std::string& header, std::size_t data = 0) {
  const Bytes bytes = safetensors(header, Bytes(data));
  return refusal([&] { safetensors_entries(bytes, bytes.size()); });
}
std::string text_refusal(const std::string& text) {
  return refusal([&] { parse_matrix(text); });
}

}  // namespace

TEST_CASE("every half is read as its value and rounding to half gives it back", "[io]") {
  CHECK(half_to_float(0x3c00) == 1.0f);
  CHECK(half_to_float(0xc000) == -2.0f);
  CHECK(half_to_float(0x7bff) == 65504.0f);
  CHECK(half_to_float(0x0001) == 0x1p-24f);
  CHECK(half_to_float(0x0400) == 0x1p-14f);
  CHECK(half_to_float(0x3555) == 0.333251953125f);
  CHECK(std::isinf(half_to_float(0x7c00)));
  CHECK(std::isnan(half_to_float(0x7e00)));
  for (std::uint32_t h = 0; h < 0x10000; ++h) {
    const float x = half_to_float(static_cast<std::uint16_t>(h));
    if (!same(round_to_half(x), x)) FAIL_CHECK(h);
  }
  CHECK(round_to_half(1.0f + 0x1p-11f) == 1.0f);  // halfway, to even
  CHECK(round_to_half(1.0f + 3 * 0x1p-11f) == 1.0f + 0x1p-9f);
  CHECK(round_to_half(0.1f) == 0.0999755859375f);
  CHECK(std::isinf(round_to_half(65520.0f)));
  CHECK(round_to_half(65519.0f) == 65504.0f);
  CHECK(bfloat16_to_float(0x3f80) == 1.0f);
  CHECK(round_to_bfloat16(0.1f) == 0.10009765625f);
}

TEST_CASE("npy files of every number type, byte order and axis order are read", "[io][npy]") {
  const std::vector<float> expected{1, 2, 3, -4, 5, 6};
  const auto check = [&](const std::string& descr, const Bytes& data) {
    INFO(descr);
    const NpyArray array = read_npy(npy(npy_header(descr, false, "(2, 3)"), data));
    CHECK(array.dtype == descr);
    CHECK(array.shape == std::vector<std::size_t>{2, 3});
    CHECK(array.data == expected);
  };
  check("<f4", bytes_of<float>({1, 2, 3, -4, 5, 6}));
  check("<f8", bytes_of<double>({1, 2, 3, -4, 5, 6}));
  check("<f2", bytes_of<std::uint16_t>({0x3c00, 0x4000, 0x4200, 0xc400, 0x4500, 0x4600}));
  check("<i4", bytes_of<std::int32_t>({1, 2, 3, -4, 5, 6}));
  check("<i8", bytes_of<std::int64_t>({1, 2, 3, -4, 5, 6}));
  check("|i1", bytes_of<std::int8_t>({1, 2, 3, -4, 5, 6}));
  Bytes big = bytes_of<float>({1, 2, 3, -4, 5, 6});
  for (std::size_t i = 0; i < big.size(); i += 4) {
    std::swap(big[i], big[i + 3]);
    std::swap(big[i + 1], big[i + 2]);
  }
  check(">f4", big);

  const NpyArray fortran =
      read_npy(npy(npy_header("<f4", true, "(2, 3)"), bytes_of<float>({1, -4, 2, 5, 3, 6})));
  CHECK(fortran.fortran_order);
  CHECK(fortran.data == expected);
  const NpyArray cube =
      read_npy(npy(npy_header("<f4", true, "(2, 1, 2)"), bytes_of<float>({0, 10, 1, 11})));
  CHECK(cube.data == std::vector<float>{0, 1, 10, 11});
  for (const int version : {2, 3}) {
    CHECK(read_npy(npy(npy_header("<f4", false, "(1,)"), bytes_of<float>({7}), version)).data ==
          std::vector<float>{7});
  }
  CHECK(read_npy(npy(npy_header("<f4", false, "()"), bytes_of<float>({7}))).shape.empty());
  CHECK(read_npy(npy(npy_header("<f4", false, "(0, 3)"), {})).data.empty());
}

TEST_CASE("the start of a npy file tells type, shape and where the numbers are", "[io][npy]") {
  const Bytes file = npy(npy_header("<f8", true, "(2, 3)"), bytes_of<double>({1, 2, 3, 4, 5, 6}));
  const Bytes start(file.begin(), file.end() - 48);
  for (const std::uint64_t size : {std::uint64_t{0}, std::uint64_t{file.size()}}) {
    const NpyHeader header = poslab::npy_header(start, size);
    CHECK((header.dtype == "<f8" && header.fortran_order));
    CHECK(header.shape == std::vector<std::size_t>{2, 3});
    CHECK((header.begin == start.size() && header.end == file.size()));
  }
  CHECK(refusal([&] { poslab::npy_header(start, file.size() - 1); }) ==
        "The .npy file is cut off: its shape needs 48 bytes of data and 47 are there.");
  CHECK(refusal([&] {
          poslab::npy_header({start.data(), 40}, 0);
        }).starts_with("The .npy file announces a header of"));
}

TEST_CASE("what is written as npy is read back, aligned as NumPy does it", "[io][npy]") {
  for (const auto& shape : std::vector<std::vector<std::size_t>>{{2, 3}, {6}, {1, 2, 3}}) {
    const std::vector<float> data{0.5f, -1, 3e-30f, 4, 5, 6};
    const Bytes bytes = write_npy(shape, data);
    CHECK((bytes.size() - 24) % 64 == 0);
    const NpyArray back = read_npy(bytes);
    CHECK(back.shape == shape);
    CHECK(back.data == data);
    CHECK_FALSE(back.fortran_order);
  }
  CHECK(refusal([] {
          write_npy({2, 2}, {1, 2, 3});
        }) == "data has 3 numbers; the shape (2, 2) has 4.");
}

TEST_CASE("npy files that cannot be read say why", "[io][npy]") {
  const Bytes data = bytes_of<float>({1, 2, 3, 4, 5, 6});
  CHECK(npy_refusal({'P', 'K', 3, 4, 0, 0, 0, 0, 0, 0, 0}).starts_with("This is not a .npy file"));
  CHECK(npy_refusal({}).starts_with("This is not a .npy file"));
  CHECK(npy_refusal(npy(npy_header("<f4", false, "(2, 3)"), data, 4)) ==
        "The .npy file has format version 4; versions 1 to 3 can be read.");
  CHECK(npy_refusal(npy(npy_header("<f4", false, "(3, 3)"), data)) ==
        "The .npy file is cut off: its shape needs 36 bytes of data and 24 are there.");
  CHECK(npy_refusal(npy(npy_header("<c8", false, "(1, 3)"), data))
            .starts_with("The .npy file has dtype \"<c8\"; numbers of dtype f2, f4"));
  CHECK(npy_refusal(npy(npy_header("|O", false, "(1, 3)"), data)).find("Python objects") !=
        std::string::npos);
  CHECK(npy_refusal(npy("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (2,), }", data))
            .find("named fields") != std::string::npos);
  CHECK(npy_refusal(npy("{'descr': '<f4', 'shape': (2,), }", data)) ==
        "The header of the .npy file is damaged: it has no 'fortran_order'.");
  CHECK(npy_refusal(npy("{'descr': '<f4', 'shape': (2", data))
            .starts_with("The header of the .npy file is damaged"));
  CHECK(npy_refusal(npy(npy_header("<f4", false, "(99999999, 99999999)"), data))
            .starts_with("The .npy file announces more than 2^28 numbers"));
  CHECK(npy_refusal(npy(npy_header("<f4", false, "(-1, 3)"), data)).find("not a whole number") !=
        std::string::npos);
  Bytes cut = npy(npy_header("<f4", false, "(2, 3)"), data);
  cut.resize(40);
  CHECK(npy_refusal(cut).find("only 30 follow") != std::string::npos);
  // Whatever is cut or changed, the answer is a sentence or an array, never a crash.
  const Bytes whole = npy(npy_header("<f4", false, "(2, 3)"), data);
  for (std::size_t n = 0; n < whole.size(); ++n) {
    CHECK_FALSE(npy_refusal(Bytes(whole.begin(), whole.begin() + n)).empty());
    for (const int flip : {1, 32, 255}) {
      Bytes changed = whole;
      changed[n] = static_cast<std::uint8_t>(changed[n] ^ flip);
      npy_refusal(changed);
    }
  }
}

TEST_CASE("a safetensors header lists its tensors in the order of their bytes",
          "[io][safetensors]") {
  const std::string header =
      R"({"__metadata__":{"format":"pt"},"b":{"dtype":"F16","shape":[2],"data_offsets":[16,20]},)"
      R"("wpe.weight":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]}}  )";
  Bytes data = bytes_of<float>({1, 2, 3, 4});
  for (const int b : {0x00, 0x3c, 0x00, 0xc0}) data.push_back(static_cast<std::uint8_t>(b));
  const Bytes file = safetensors(header, data);
  CHECK(safetensors_prefix(file) == 8 + header.size());
  const Bytes prefix(file.begin(), file.begin() + 8 + static_cast<std::ptrdiff_t>(header.size()));
  const std::vector<SafetensorsEntry> entries = safetensors_entries(prefix, file.size());
  REQUIRE(entries.size() == 2);
  CHECK(entries[0].name == "wpe.weight");
  CHECK(entries[0].shape == std::vector<std::uint64_t>{2, 2});
  CHECK(entries[0].begin == prefix.size());
  CHECK(entries[1].name == "b");
  CHECK(entries[1].end == file.size());
  const auto decode = [&](const SafetensorsEntry& e) {
    return safetensors_decode(e.dtype, std::span(file).subspan(e.begin, e.end - e.begin));
  };
  CHECK(decode(entries[0]) == std::vector<float>{1, 2, 3, 4});
  CHECK(decode(entries[1]) == std::vector<float>{1, -2});
  CHECK(safetensors_decode("F64", bytes_of<double>({0.5})) == std::vector<float>{0.5f});
  CHECK(safetensors_decode("BF16", bytes_of<std::uint16_t>({0x3f80, 0xbf00})) ==
        std::vector<float>{1, -0.5f});
  CHECK(safetensors_entries(prefix, 0).size() == 2);  // size unknown
}

TEST_CASE("hostile safetensors headers are refused with the tensor's name", "[io][safetensors]") {
  const auto one = [](const std::string& body) { return "{\"w\":{" + body + "}}"; };
  const std::string wrong = "The header of the safetensors file is wrong: tensor \"w\" ";
  CHECK(safetensors_refusal(one(R"("dtype":"F32","shape":[3],"data_offsets":[0,8])"), 8) ==
        wrong + "needs 12 bytes by its shape and has 8.");
  CHECK(safetensors_refusal(one(R"("dtype":"F32","shape":[2],"data_offsets":[0,8])"), 4)
            .starts_with(wrong + "ends at byte"));
  CHECK(safetensors_refusal(one(R"("dtype":"F32","shape":[2],"data_offsets":[8,0])"), 8) ==
        wrong + "ends before it begins.");
  CHECK(safetensors_refusal(one(R"("dtype":"F32","shape":[2],"data_offsets":[8,16])"), 16)
            .starts_with(wrong + "leaves a gap before it"));
  CHECK(safetensors_refusal(
            one(R"("dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,8])"), 8) ==
        wrong + "has more than 2^53 numbers.");
  CHECK(safetensors_refusal(one(R"("dtype":"F32","shape":[-1],"data_offsets":[0,8])"), 8)
            .starts_with(wrong + "has a length that is not a whole number"));
  CHECK(safetensors_refusal(one(R"("dtype":"F32","shape":[99999999999999999999],)"
                                R"("data_offsets":[0,8])"))
            .starts_with(wrong + "has a length that is not a whole number"));
  CHECK(safetensors_refusal(one(R"("shape":[2],"data_offsets":[0,8])"), 8) ==
        wrong + "has no dtype.");
  CHECK(safetensors_refusal(one(R"("dtype":"F32","shape":[2],"data_offsets":[0])"), 8) ==
        wrong + "has no pair of data_offsets.");
  CHECK(safetensors_refusal(R"({"w":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},)"
                            R"("v":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}})",
                            3)
            .find("overlaps the one before it") != std::string::npos);
  CHECK(safetensors_refusal(R"({"w":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
                            R"("w":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})",
                            2) == wrong + "is listed twice.");
  CHECK(safetensors_refusal("[1]").find("does not begin with a brace") != std::string::npos);
  CHECK(safetensors_refusal("{\"w\":").starts_with("This is not JSON: at byte"));
  CHECK(safetensors_refusal("{\"w\":" + std::string(100, '[')).find("more than 32 levels") !=
        std::string::npos);
  const Bytes huge{255, 255, 255, 255, 255, 255, 255, 255, '{'};
  CHECK(refusal([&] {
          safetensors_entries(huge, huge.size());
        }).starts_with("This is not a safetensors file that can be opened here"));
  CHECK(refusal([&] {
          safetensors_prefix(Bytes{1, 2});
        }) ==
        "The safetensors file ends after 2 bytes; its first 8 give the length of its header.");
  CHECK(refusal([] { safetensors_decode("I64", {}); }) ==
        "dtype is \"I64\"; tensors of F32, F16, BF16 or F64 can be drawn.");
  CHECK(refusal([] { safetensors_decode("F32", Bytes(6)); }) ==
        "The tensor has 6 bytes; a number of F32 takes 4.");
  // Every shortening and many changes of a good file give a sentence or a list, never a crash.
  const Bytes good =
      safetensors(one(R"("dtype":"F32","shape":[2],"data_offsets":[0,8])"), Bytes(8));
  for (std::size_t n = 0; n < good.size(); ++n) {
    const Bytes cut(good.begin(), good.begin() + n);
    CHECK_FALSE(refusal([&] { safetensors_entries(cut, cut.size()); }).empty());
    for (const int flip : {1, 32, 255}) {
      Bytes changed = good;
      changed[n] = static_cast<std::uint8_t>(changed[n] ^ flip);
      refusal([&] { safetensors_entries(changed, changed.size()); });
    }
  }
}

TEST_CASE("JSON is read as RFC 8259 has it", "[io][json]") {
  const Json json =
      parse_json(R"( {"a\u00e9\ud83d\ude00\n": [1, -2.5e+3, true, null, "x"], "b": {}} )");
  REQUIRE(json.members.size() == 2);
  CHECK(json.members[0].first == "aé😀\n");
  const Json& list = json.members[0].second;
  REQUIRE(list.items.size() == 5);
  CHECK(list.items[1].text == "-2.5e+3");
  CHECK(list.items[2].truth);
  CHECK(list.items[3].kind == Json::Kind::null);
  CHECK(json.member("b") != nullptr);
  CHECK(json.member("c") == nullptr);
  for (const char* bad : {"", "{", "[1,]", "[1 2]", "{\"a\" 1}", "{a:1}", "tru", "01x", "-", "1.",
                          "\"\\x\"", "\"\\u12\"", "\"", "[1]]", "\"\n\"", "nul"}) {
    INFO(bad);
    CHECK(refusal([&] { parse_json(bad); }).starts_with("This is not JSON: at byte "));
  }
}

TEST_CASE("pasted matrices are read in every common form", "[io][text]") {
  const std::vector<float> expected{0, 1, 0.5f, -2};
  for (const char* text : {
           "0,1\n0.5,-2\n",
           "0\t1\r\n0.5\t-2",
           "  0 1 \n\n .5   -2.\n",
           "0;1\n0,5;-2\n",
           "\xEF\xBB\xBF# position, width\n0, 1,\n0.5, -2,\n",
           "[[0, 1], [0.5, -2]]",
           "[0, 1],\n[5e-1, -2]",
           "array([[ 0. ,  1. ],\n       [ 0.5, -2. ]], dtype=float32)",
           "[[ 0.   1. ]\n [ 0.5 -2. ]]",
           "tensor([[0., 1.],\n        [0.5, -2.]], device='cpu')",
           "[[[0, 1], [0.5, -2]]]",
           "[[0, 1,], [0.5, -2,],]",
           "\"0\",\"1\"\n\"0.5\",\"-2\"\n",
       }) {
    INFO(text);
    const Matrix matrix = parse_matrix(text);
    CHECK(matrix.rows == 2);
    CHECK(matrix.columns == 2);
    CHECK(matrix.data == expected);
  }
  const Matrix row = parse_matrix("[1, 2, 3]");
  CHECK((row.rows == 1 && row.columns == 3));
}

TEST_CASE("pasted text that is no matrix is refused with row, column and the text", "[io][text]") {
  CHECK(text_refusal("1,2\n3,x\n") ==
        "Row 1, column 1 (counted from 0) is \"x\"; a number such as 0.5 or 1e-3 belongs there.");
  CHECK(text_refusal("1,2\n3,,4\n") ==
        "Row 1, column 1 (counted from 0) is empty; every cell needs a number.");
  CHECK(text_refusal("sin0,cos0\n0,1\n") ==
        "Row 0, column 0 (counted from 0) is \"sin0\"; a number such as 0.5 or 1e-3 belongs there. "
        "If the first line holds the names of the columns, leave it out.");
  CHECK(text_refusal("1,2\n3\n") == "Row 1 (counted from 0) has 1 number; the rows above have 2.");
  CHECK(text_refusal("[[1, 2], [3, 4, 5]]") ==
        "Row 1 (counted from 0) has 3 numbers; the rows above have 2.");
  CHECK(text_refusal("[[1, nan]]") ==
        "Row 0, column 1 (counted from 0) is \"nan\"; every number must be finite.");
  CHECK(text_refusal("[[1, , 2]]") ==
        "Row 0, column 1 (counted from 0) is empty; every cell needs a number.");
  CHECK(text_refusal("1 1e99\n") ==
        "Row 0, column 1 (counted from 0) is \"1e99\", too large for single precision.");
  CHECK(text_refusal("[[0. 1. ... 3.]]").find("np.set_printoptions(threshold=np.inf)") !=
        std::string::npos);
  CHECK(text_refusal("[[1, 2], [3, 4]").starts_with("A '[' is opened"));
  CHECK(text_refusal("[[1, 2]]]").starts_with("A ']' closes nothing"));
  CHECK(text_refusal("[[[1, 2]], [[3, 4]]]") ==
        "The text holds several matrices, a batch; paste one of them.");
  for (const std::string object : {"{\"a\":1}", "\xEF\xBB\xBF {\"a\":[[1, 2]]}"}) {
    CHECK(text_refusal(object).starts_with("The text is a JSON object, \"{\"a\":"));
    CHECK(text_refusal(object).ends_with(
        "; objects are not read. Paste an array of rows, [[…], […]]."));
  }
  CHECK(text_refusal("[[], []]") == "Row 0 (counted from 0) is empty; every row needs numbers.");
  CHECK(text_refusal(" \n\n").starts_with("There are no numbers in the text"));
  CHECK(text_refusal("0x10 2").starts_with("Row 0, column 0 (counted from 0) is \"0x10\""));
  CHECK(text_refusal("a very long text that nobody wants to see in full, 2")
            .starts_with("Row 0, column 0 (counted from 0) is \"a very long text that no…\""));
}
