/** A JSON token: a bracket, a colon, a comma, a string, a number, or one of the words true, false and null. */
export interface JsonToken {
  readonly text: string;
  readonly start: number;
}

const quote = 0x22;
const backslash = 0x5c;
const marks = new Set([...'{}[],:'].map((mark) => mark.charCodeAt(0)));
const spaces = new Set([...' \t\n\r'].map((space) => space.charCodeAt(0)));

/** Returns the position of the quote that ends the string at `start`. Null if there is none. */
export function closingQuote(text: string, start: number): number | null {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return null;
}

function endOfText(json: string, start: number): number {
  const quoteIndex = closingQuote(json, start);
  return quoteIndex === null ? json.length : quoteIndex + 1;
}

function endOfWord(json: string, start: number): number {
  let end = start + 1;
  while (end < json.length && !marks.has(json.charCodeAt(end)) && !spaces.has(json.charCodeAt(end))) end += 1;
  return end;
}

/** Yields the tokens of a valid JSON text, without whitespace. Unlike `JSON.parse`, they preserve the notation of numbers and strings. */
export function* jsonTokens(json: string): Generator<JsonToken> {
  let start = 0;
  while (start < json.length) {
    const first = json.charCodeAt(start);
    if (spaces.has(first)) {
      start += 1;
      continue;
    }
    const end = first === quote ? endOfText(json, start) : marks.has(first) ? start + 1 : endOfWord(json, start);
    yield { text: json.slice(start, end), start };
    start = end;
  }
}
