#include "probe/mistakes.h"

#include "error.h"

namespace poslab {

const std::vector<Mistake>& mistakes() {
  static const std::vector<Mistake> list{
      // --- sinusoidal tables: columns ---
      {"sines_then_cosines", "all sines, then all cosines", true,
       "All sines come first, then all cosines.",
       "The two halves were concatenated instead of interleaved.",
       "Nothing is lost: the columns are those of the formula in another order, the same for every "
       "position, and a model learns as well with it. To match the formula, write pe[:, 0::2] = "
       "sin and pe[:, 1::2] = cos."},
      {"cosines_then_sines", "all cosines, then all sines", true,
       "All cosines come first, then all sines.",
       "The two halves were concatenated, cosines before sines.",
       "Nothing is lost: the order of columns is fixed for every position, and a model learns as "
       "well with it. To match the formula, write pe[:, 0::2] = sin and pe[:, 1::2] = cos."},
      {"sin_cos_swapped", "sine and cosine swapped", true,
       "Even columns hold cosines and odd columns sines.", "Sine and cosine changed places.",
       "A model learns as well with it, since each pair of columns just changed places. To match "
       "the formula, put the sine into column 2i and the cosine into column 2i+1."},
      {"sines_only", "sines only", false, "Odd columns hold sines too.",
       "The cosine was never written.",
       "Put cos(p / base^(2i/d)) into column 2i+1: only sine and cosine together make the product "
       "of two rows depend on their distance alone."},
      {"cosines_only", "cosines only", false, "Even columns hold cosines too.",
       "The sine was never written.",
       "Put sin(p / base^(2i/d)) into column 2i: only sine and cosine together make the product of "
       "two rows depend on their distance alone."},
      // --- frequencies ---
      {"cosine_exponent", "the cosine's own exponent 2i+1", false,
       "Sine columns are right; cosine columns run slower than the sine beside them.",
       "The cosine used its own column number in the exponent, (2i+1)/d instead of 2i/d.",
       "Give sine and cosine of a pair the same exponent 2i/d, for instance 2 * (column // 2) / "
       "d."},
      {"column_as_pair", "the column number used as pair number", false,
       "Frequencies fall twice as fast, and the two of a pair differ.",
       "The column number was used where the formula has the pair number i: the exponent is "
       "2 column / d.",
       "Use the exponent 2i/d with i = column // 2."},
      {"timescales_minus_one", "d/2 − 1 timescales", false,
       "The first frequency is right and the others fall a little too fast, so that the last "
       "wavelength is 2π times the base exactly.",
       "The exponent is i / (d/2 − 1), as in the tensor2tensor code, instead of 2i/d.",
       "Divide by d/2, not by d/2 − 1. A model learns as well with either, but the numbers differ "
       "from the formula of the paper."},
      {"exponent_halved", "the exponent without its 2", false,
       "Frequencies fall too slowly: the waves end at the square root of the base.",
       "The 2 of the exponent is missing: i/d instead of 2i/d.",
       "Use the exponent 2i/d, with i = 0, 1, … d/2 − 1."},
      {"exponent_doubled", "the exponent's 2 counted twice", false,
       "Frequencies fall twice as fast, most columns hardly move.",
       "The 2 was counted twice: i already runs 0, 2, 4, … and was doubled again.",
       "With np.arange(0, d, 2) divide by d without another 2."},
      {"exponent_sign", "the exponent's sign", false,
       "Frequencies rise with the column instead of falling.",
       "The exponent has the wrong sign: p · base^(2i/d) instead of p / base^(2i/d).",
       "Divide the position by base^(2i/d)."},
      {"same_angle", "the same angle for every pair", false,
       "Every pair turns by the same angle: it depends on the position alone.",
       "The division by base^(2i/d) is missing, or it has no effect: an exponent that is divided "
       "as whole numbers, 2i // d, is 0 for every pair.",
       "Give pair i the angle p / base^(2i/d); in Python the exponent needs / instead of //."},
      {"integer_division", "integer division of the exponent", false,
       "All columns but the first pair stand still.",
       "The exponent was divided as whole numbers: −2i // d is −1 for every pair but the first.",
       "Use / instead of //, or make one of the two a float."},
      {"other_base", "another base", false, "The waves have the right form and another speed.",
       "The base differs from the one that is asked for.", "Check the base; the paper has 10000."},
      {"degrees", "degrees for radians", false,
       "The waves are far too slow or far too fast, by the factor 180/π.",
       "Degrees and radians were mixed up.",
       "np.sin and math.sin take radians: hand over p / base^(2i/d) as it is."},
      {"sines_negative", "the sines' sign", true, "All sines have the opposite sign.",
       "The angle is negative, −p / base^(2i/d), which turns the sign of a sine and not of a "
       "cosine.",
       "Nothing is lost: the product of two rows is the same, and a model learns as well with it. "
       "To match the formula, take the minus away."},
      {"odd_width", "an odd width handled otherwise", false,
       "The columns near the end differ; d is odd.",
       "An odd d was handled in another way: the table was built for d − 1 or d + 1 columns, or "
       "the "
       "last column was filled otherwise.",
       "Keep the exponent 2i/d with the odd d itself; the last column is a sine without its "
       "cosine."},
      // --- rows ---
      {"positions_from_1", "positions from 1", false,
       "Every row is the one that belongs a row further down.", "Positions were counted from 1.",
       "Start at 0: np.arange(n). Row 0 is 0, 1, 0, 1 and so on."},
      {"repeated_along_batch", "positions repeated along the batch", false,
       "Rows repeat: several tokens get the same position.",
       "The positions run along the wrong axis, over the batch instead of the sequence, and were "
       "repeated over the other one.",
       "Index by the token's place in its sequence: pe[:T] has shape (T, d) and is added to (B, T, "
       "d); pe[:B, None, :] would be the mistake."},
      {"transposed", "rows and columns transposed", false, "Rows and columns changed places.",
       "The matrix has shape (d, n) instead of (n, d).",
       "Transpose it: one row a position, one column a dimension."},
      // --- rounding ---
      {"float16", "rounded to float16", false,
       "The numbers are right to three digits; all of them are halves (float16).",
       "The table was computed or stored in float16, which has 11 bits of precision.",
       "Compute in float32 or float64 and convert at the end, if at all."},
      {"bfloat16", "rounded to bfloat16", false,
       "The numbers are right to two digits; all of them are bfloat16.",
       "The table was computed or stored in bfloat16, which has 8 bits of precision.",
       "Compute in float32 or float64 and convert at the end, if at all."},
      {"few_decimals", "written with few decimals", false,
       "The numbers are right, but were written with few decimals.",
       "They were rounded for printing.",
       "Write at least 5 decimals: np.set_printoptions(precision=8), or np.savetxt."},
      // --- RoPE ---
      {"pairing_other", "the other pairing", true,
       "The other pairing was turned, and turned right.",
       "Numbers i and i + d/2 make a pair in one convention (Llama), 2i and 2i + 1 in the other "
       "(the paper).",
       "Nothing is lost when queries and keys use the same one: it is a fixed permutation. With a "
       "checkpoint, use the pairing it was trained with."},
      {"pairing_mixed", "two pairings mixed up", false,
       "Norms change: the vectors are no longer only turned.",
       "The angles are laid out for one pairing and the numbers are swapped for the other.",
       "With angles concatenated (f, f) use rotate_half; with angles repeated (f0, f0, f1, f1, …) "
       "swap neighbours."},
      {"wrong_sign", "turned backwards", false, "Vectors turn backwards.",
       "The sign of the sine is on the wrong one of the two.",
       "First' = first cos − second sin, second' = first sin + second cos."},
      {"values_rotated", "values turned as well", false, "The values were turned as well.",
       "RoPE was applied to queries, keys and values alike.",
       "Turn queries and keys only; a turned value carries its absolute position into the output."},
      {"not_turned", "nothing was turned", false,
       "Nothing was turned: the vectors are as they were given.",
       "Either no turn was made, or every row was turned by the angle of position 0, which is 0.",
       "Turn pair i of row p by the angle p / base^(2i/d)."},
      {"position_constant", "one position for every token", false,
       "All tokens were turned by the same angle.", "Every token got one and the same position.",
       "Hand over each token's own position; with a batch, count along the sequence."},
      {"partial_width", "only part of the width turned", false,
       "Only the first part of each vector was turned.",
       "The rotation covers fewer than d numbers.",
       "Turn all d numbers, or say how many are meant to turn (rotary_fraction)."},
  };
  return list;
}

const Mistake& mistake_named(const std::string& name) {
  for (const Mistake& mistake : mistakes()) {
    if (mistake.name == name) return mistake;
  }
  throw Error("There is no mistake named " + quoted(name) + ".");
}

}  // namespace poslab
