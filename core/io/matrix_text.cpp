#include "io/matrix_text.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

#include "error.h"

namespace poslab {
namespace {

constexpr std::size_t kMostNumbers = 1u << 23;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string count(std::size_t n) { return text_of(static_cast<double>(n)); }

std::string shown(std::string_view text) {
  if (text.size() <= 24) return quoted(text);
  std::size_t end = 24;  // not inside a character of several bytes
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return quoted(std::string(text.substr(0, end)) + "…");
}

// [+-] digits [. digits] [e [+-] digits], at least one digit before the exponent.
bool is_number(std::string_view t) {
  std::size_t i = 0, digits = 0;
  if (i < t.size() && (t[i] == '+' || t[i] == '-')) ++i;
  for (; i < t.size() && is_digit(t[i]); ++i) ++digits;
  if (i < t.size() && t[i] == '.') ++i;
  for (; i < t.size() && is_digit(t[i]); ++i) ++digits;
  if (digits == 0) return false;
  if (i < t.size() && (t[i] == 'e' || t[i] == 'E')) {
    ++i;
    if (i < t.size() && (t[i] == '+' || t[i] == '-')) ++i;
    const std::size_t before = i;
    while (i < t.size() && is_digit(t[i])) ++i;
    if (i == before) return false;
  }
  return i == t.size();
}

class Builder {
 public:
  void add(std::string_view token) {
    const std::string place =
        "Row " + count(rows_) + ", column " + count(in_row_) + " (counted from 0) is ";
    require(!token.empty(), place + "empty; every cell needs a number.");
    require(is_number(token), place + shown(token) + not_a_number(token) + header_advice(token));
    const auto value = static_cast<float>(std::strtod(std::string(token).c_str(), nullptr));
    require(std::isfinite(value), place + shown(token) + ", too large for single precision.");
    require(matrix_.data.size() < kMostNumbers,
            "The text has more than " + count(kMostNumbers) + " numbers; hand in fewer rows.");
    matrix_.data.push_back(value);
    ++in_row_;
  }
  void end_row() {
    require(in_row_ > 0,
            "Row " + count(rows_) + " (counted from 0) is empty; every row needs numbers.");
    if (rows_ == 0) columns_ = in_row_;
    require(in_row_ == columns_, "Row " + count(rows_) + " (counted from 0) has " + count(in_row_) +
                                     (in_row_ == 1 ? " number; " : " numbers; ") +
                                     "the rows above have " + count(columns_) + ".");
    ++rows_;
    in_row_ = 0;
  }
  bool row_begun() const { return in_row_ > 0; }
  Matrix finish() {
    require(rows_ > 0, "There are no numbers in the text; paste a matrix, one row a position.");
    matrix_.rows = static_cast<int>(rows_);
    matrix_.columns = static_cast<int>(columns_);
    return std::move(matrix_);
  }

 private:
  // Words in the first cell are most likely the names of the columns.
  std::string header_advice(std::string_view token) const {
    const char c = token.front();
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!matrix_.data.empty() || !letter || is_not_finite(token)) return "";
    return " If the first line holds the names of the columns, leave it out.";
  }
  static bool is_not_finite(std::string_view token) {
    std::string lower;
    for (const char c : token)
      lower.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c);
    return lower.find("nan") != std::string::npos || lower.find("inf") != std::string::npos;
  }
  static std::string not_a_number(std::string_view token) {
    return is_not_finite(token) ? "; every number must be finite."
                                : "; a number such as 0.5 or 1e-3 belongs there.";
  }

  Matrix matrix_;
  std::size_t rows_ = 0, columns_ = 0, in_row_ = 0;
};

// Rows in brackets. What stands before the first bracket and after the last is Python's: a name,
// "array(", "dtype=float32)".
Matrix parse_brackets(std::string_view text) {
  const std::size_t first = text.find('['), last = text.rfind(']');
  require(last != std::string_view::npos && last > first,
          "A '[' is opened and no ']' closes it; paste the whole matrix.");
  text = text.substr(first, last - first + 1);
  Builder builder;
  int depth = 0, deepest = 0;
  bool comma_fits = false;  // after a number or a closed bracket
  std::size_t i = 0;
  while (i < text.size()) {
    const char c = text[i];
    if (c == '[') {
      require(!builder.row_begun(),
              "A '[' stands inside a row of numbers; each row needs brackets of its own.");
      require(++depth <= 3,
              "The lists are nested more than three deep; paste one matrix, a list of rows.");
      require(depth != 2 || deepest < 3,
              "The text holds several matrices, a batch; paste one of them.");
      deepest = std::max(deepest, depth);
      comma_fits = false;
      ++i;
    } else if (c == ']') {
      require(--depth >= 0, "A ']' closes nothing; paste the whole matrix.");
      // Brackets that held numbers end a row; the ones around rows do not.
      if (builder.row_begun() || text[i - 1] == '[') builder.end_row();
      comma_fits = true;
      ++i;
    } else if (c == ',') {
      if (!comma_fits) builder.add("");
      comma_fits = false;
      ++i;
    } else if (is_blank(c)) {
      ++i;
    } else {
      const std::size_t end = std::min(text.find_first_of(", \t\r\n[]", i), text.size());
      builder.add(text.substr(i, end - i));
      comma_fits = true;
      i = end;
    }
  }
  require(depth == 0, "A '[' is opened and no ']' closes it; paste the whole matrix.");
  return builder.finish();
}

// The separator of a line, the strongest that occurs; ' ' stands for any run of blanks.
char separator_of(std::string_view line) {
  for (const char c : {';', '\t', ','}) {
    if (line.find(c) != std::string_view::npos) return c;
  }
  return ' ';
}

void parse_line(std::string_view line, Builder& builder) {
  const char separator = separator_of(line);
  // One separator at the end closes the last cell, as some programs write it.
  if (separator != ' ' && line.back() == separator) line = trimmed(line.substr(0, line.size() - 1));
  std::size_t i = 0;
  while (i <= line.size()) {
    const std::size_t end = std::min(
        separator == ' ' ? line.find_first_of(" \t", i) : line.find(separator, i), line.size());
    std::string cell(trimmed(line.substr(i, end - i)));
    // Where semicolons separate, a comma is a decimal one.
    const std::size_t comma = cell.find(',');
    if (separator == ';' && comma != std::string::npos) cell[comma] = '.';
    if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"')
      cell = cell.substr(1, cell.size() - 2);
    builder.add(cell);
    i = end + 1;
    while (separator == ' ' && i < line.size() && is_blank(line[i])) ++i;
  }
  builder.end_row();
}

}  // namespace

Matrix parse_matrix(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // a byte-order mark
  require(text.find("...") == std::string_view::npos && text.find("…") == std::string_view::npos,
          "The print-out is shortened by \"...\", so numbers are missing. Print all of it after "
          "np.set_printoptions(threshold=np.inf), or write it with np.savetxt(\"pe.csv\", pe, "
          "delimiter=\",\") and open that file.");
  require(!trimmed(text).starts_with('{'),
          "The text is a JSON object, " + shown(trimmed(text)) +
              "; objects are not read. Paste an array of rows, [[…], […]].");
  if (text.find('[') != std::string_view::npos) return parse_brackets(text);
  Builder builder;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find_first_of("\r\n", start), text.size());
    const std::string_view line = trimmed(text.substr(start, end - start));
    if (!line.empty() && line.front() != '#') parse_line(line, builder);
    start = end + 1;
  }
  return builder.finish();
}

}  // namespace poslab
