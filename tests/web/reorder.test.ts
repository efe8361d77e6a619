import { expect, test } from "vitest";
import { characterOrder, parseOrder, wordsOf } from "../../web/state/reorder.js";

test("words take their characters along and leave the blanks in their places", () => {
  const words = wordsOf("  dog bites\tman ");
  expect(words).toEqual(["dog", "bites", "man"]);
  const text = [...words.join(" ")];
  const moved = (order: number[]) => characterOrder(words, order).map((i) => text[i]).join("");
  expect(moved([2, 1, 0])).toBe("man bites dog");
  expect(moved([1, 2, 0])).toBe("bites man dog");
  expect([...characterOrder(words, [1, 2, 0])].sort((a, b) => a - b)).toEqual(text.map((_, i) => i));
  expect(characterOrder(["☃𝄞", "a"], [1, 0])).toEqual([3, 2, 0, 1]);
});

test("an order names every place once or is none", () => {
  expect(parseOrder("2, 0,1", 3)).toEqual([2, 0, 1]);
  for (const text of ["", "0,1", "0,1,1", "0,1,2,3", "a,b,c", "0,,1", "0.5,1,2"]) expect(parseOrder(text, 3)).toBeUndefined();
});
