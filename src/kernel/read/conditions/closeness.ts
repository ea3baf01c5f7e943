/** Returns the Damerau-Levenshtein distance between two words: the minimum number of inserted, deleted, replaced or transposed letters. */
function editDistance(word: string, other: string): number {
  let [before, last]: [number[], number[]] = [[], Array.from({ length: other.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= word.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const isSame = word[i - 1] === other[j - 1];
      const isTransposed = word[i - 1] === other[j - 2] && word[i - 2] === other[j - 1];
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

/** Maximum number of letters per word, and of words per text. The rest is ignored. */
const maxLetters = 40;
const maxWords = 12;

const wordsOf = (text: string): string[] =>
  (text.match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, maxWords).map((word) => word.slice(0, maxLetters));

/**
 * Returns the mean similarity between each search word and the closest word of a name, from 0 to 1. Both texts must be in lower case and
 * without accents.
 */
export function nameSimilarity(search: string, name: string): number {
  const [searchWords, words] = [wordsOf(search), wordsOf(name)];
  if (searchWords.length === 0) return 0;
  const similarities = searchWords.map((word) =>
    Math.max(0, ...words.map((other) => 1 - editDistance(word, other) / Math.max(word.length, other.length))),
  );
  return similarities.reduce((sum, closest) => sum + closest, 0) / searchWords.length;
}
