// A sentence whose words change places, as its characters see it: words move with all their characters, the blanks between
// them stay where they are.

/** The words of a sentence, as one blank apart. */
export function wordsOf(sentence: string): string[] {
  return sentence.split(/\s+/).filter((word) => word !== "");
}

/** The order a text like "2,0,1" stands for, if it names each of `count` places once. */
export function parseOrder(text: string, count: number): number[] | undefined {
  const places = text.split(",").map((part) => (part.trim() === "" ? -1 : Number(part)));
  const complete = places.length === count && Array.from({ length: count }, (_, i) => i).every((i) => places.includes(i));
  return complete ? places : undefined;
}

/** Which character of the sentence comes to each place when the words stand in this order. */
export function characterOrder(words: readonly string[], order: readonly number[]): number[] {
  const starts: number[] = [];
  const blanks: number[] = [];
  let at = 0;
  for (const word of words) {
    starts.push(at);
    at += [...word].length;
    blanks.push(at);
    at += 1;
  }
  return order.flatMap((word, place) => {
    const start = starts[word] ?? 0;
    const characters = Array.from([...(words[word] ?? "")], (_, i) => start + i);
    return place + 1 < order.length ? [...characters, blanks[place] ?? 0] : characters;
  });
}
