import { expect, test } from "vitest";
import { parseVector } from "../../web/state/vector.js";

test("a vector is read with commas, blanks and real minus signs", () => {
  expect([...parseVector("query", " 1, -2;3\t−0.5 ")]).toEqual([1, -2, 3, -0.5]);
});

test("what is no number is named", () => {
  expect(() => parseVector("query", "1, two")).toThrow('The query holds "two"');
  expect(() => parseVector("key", "1e99, 0")).toThrow('The key holds "1e99"');
  expect(() => parseVector("key", "1 2 3")).toThrow("The key has 3 numbers");
  expect(() => parseVector("query", "1,,2,3")).toThrow('The query is "1,,2,3": place 2 of 4 is empty.');
  expect(() => parseVector("query", "1, 2; ")).toThrow('The query is "1, 2; ": place 3 of 3 is empty.');
  expect(() => parseVector("key", " , ")).toThrow("The key is empty");
});
