/** Damerau-Levenshtein distance of two words: the number of inserted, deleted, replaced or transposed letters. */
function distance(one: string, other: string): number {
  let [before, last]: [number[], number[]] = [[], Array.from({ length: other.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1];
      const isTransposed = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      row[j] = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (isSame ? 0 : 1),
        isTransposed ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, last] = [last, row];
  }
  return last[other.length] ?? 0;
}

/** Maximum number of compared letters of a word, and of compared words of a text. */
const maxLetters = 40;
const maxWords = 12;

const wordsOf = (text: string): string[] =>
  (text.match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, maxWords).map((word) => word.slice(0, maxLetters));

/** Similarity of a name to a search, 0 to 1: the mean similarity of each search word to its closest word. Both texts in lower case, no accents. */
export function closeness(search: string, name: string): number {
  const [searchWords, words] = [wordsOf(search), wordsOf(name)];
  if (searchWords.length === 0) return 0;
  const similarities = searchWords.map((word) =>
    Math.max(0, ...words.map((other) => 1 - distance(word, other) / Math.max(word.length, other.length))),
  );
  return similarities.reduce((sum, closest) => sum + closest, 0) / searchWords.length;
}
