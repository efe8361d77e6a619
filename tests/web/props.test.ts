import { expect, test } from "vitest";
import { readAddress, writeAddress } from "../../web/state/address.js";
import { PROPS, parseProp, textOf, type PanelName } from "../../web/state/props.js";

const prop = (name: string) => {
  const found = PROPS.find((each) => each.name === name);
  if (!found) throw new Error(name);
  return found;
};

test("every name is used once, since all share one address", () => {
  const names = PROPS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

test("every usual value is an allowed one, and survives being written and read", () => {
  for (const each of PROPS) expect(parseProp(each, textOf(each, each.fallback))).toEqual(each.fallback);
});

test("a wrong number names the value, what is allowed and what is used instead", () => {
  expect(() => parseProp(prop("n"), "banana")).toThrow(
    '“Positions n” is "banana"; it must be a whole number from 2 to 512. 100 is used instead.',
  );
  for (const text of ["1", "513", "2.5", "1e9", "NaN", "Infinity"]) {
    expect(() => parseProp(prop("n"), text)).toThrow(text);
  }
  expect(() => parseProp(prop("n"), " ")).toThrow("“Positions n” is empty; it must be");
  expect(parseProp(prop("base"), "1e4")).toBe(10000);
});

test("a wrong choice names the value and the choices", () => {
  expect(() => parseProp(prop("size"), "huge")).toThrow('“Size of the model” is "huge"; it must be one of tiny, lab, nano. lab');
  expect(() => parseProp(prop("schemes"), "none,none,qope")).toThrow('"none,none,qope"');
  expect(() => parseProp(prop("schemes"), "none,learned,sinusoidal,rope,alibi")).toThrow("one to 4");
  expect(parseProp(prop("schemes"), "rope, none,rope")).toEqual(["rope", "none"]);
});

test("unknown names in the address are said, known ones kept", () => {
  const { values, complaints } = readAddress("?n=7&lyer=2&panel=race&utm_source=mail", ["panel"]);
  expect(Object.fromEntries(values)).toEqual({ n: "7", panel: "race" });
  expect(complaints).toHaveLength(1);
  expect(complaints[0]).toBe('The address sets "lyer" to 2, but nothing has that name; layer is the nearest that is known.');
});

test("an unknown name is met with the names of the panels at hand, never with all there are", () => {
  const said = (query: string, ...panels: PanelName[]) => readAddress(query, [], panels).complaints[0];
  const nothing = 'The address sets "flavour" to "sweet", but nothing has that name';
  expect(said("?flavour=sweet", "learned")).toBe(`${nothing}; known here are view, short.`);
  expect(said("?flavour=sweet", "learned", "race")).toBe(`${nothing}.`);
  expect(said("?hcontext=3", "learned")).toContain("known here are view, short.");
  expect(said("?contxet=3", "clock", "race")).toContain("; context is the nearest that is known.");
});

test("of many unknown names only some are said one by one", () => {
  const { complaints } = readAddress(`?${Array.from({ length: 400 }, (_, i) => `name${i}=1`).join("&")}`);
  expect(complaints.length).toBeLessThan(10);
  expect(complaints.at(-1)).toMatch(/^The address sets 39\d more names that nothing has or that are set already\.$/);
});

test("of a name set twice the first counts, and the second is said", () => {
  const { values, complaints } = readAddress("?n=7&panel=race&n=7&panel=clock&n=", ["panel"]);
  expect(Object.fromEntries(values)).toEqual({ n: "7", panel: "race" });
  expect(complaints).toEqual([
    'The address sets panel to "race" and again to "clock"; the first counts.',
    "The address sets n to 7 and again to empty; the first counts.",
  ]);
});

test("a long value is cut where a sentence repeats it", () => {
  expect(() => parseProp(prop("sentence"), "x".repeat(500))).toThrow(`“Sentence” is "${"x".repeat(40)}…"; it may have 48`);
  expect(readAddress(`?flavour=${"y".repeat(90)}`).complaints[0]).toContain(`to "${"y".repeat(40)}…", but`);
});

test("the address holds only what differs from the usual", () => {
  expect(writeAddress("?d=8", prop("n"), 50)).toBe("?d=8&n=50");
  expect(writeAddress("?d=8&n=50", prop("n"), 100)).toBe("?d=8");
  expect(writeAddress("?d=8", prop("d"), 64)).toBe("");
  expect(writeAddress("", prop("schemes"), ["rope", "none"])).toBe("?schemes=rope,none");
  expect(readAddress(writeAddress("", prop("text"), "a & b = ☃ #1")).values.get("text")).toBe("a & b = ☃ #1");
});
