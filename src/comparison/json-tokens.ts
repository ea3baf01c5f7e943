/** A JSON token: a bracket, colon, comma, string, number or word. */
export interface JsonToken {
  readonly text: string;
  readonly at: number;
}

const quote = 0x22;
const backslash = 0x5c;
const marks = new Set([...'{}[],:'].map((mark) => mark.charCodeAt(0)));
const spaces = new Set([...' \t\n\r'].map((space) => space.charCodeAt(0)));

/** The position of the quote that closes the string at a position, or `null` if there is none. */
export function closingQuote(text: string, at: number): number | null {
  for (let end = text.indexOf('"', at + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return null;
}

function endOfText(json: string, at: number): number {
  const quoteAt = closingQuote(json, at);
  return quoteAt === null ? json.length : quoteAt + 1;
}

function endOfWord(json: string, at: number): number {
  let end = at + 1;
  while (end < json.length && !marks.has(json.charCodeAt(end)) && !spaces.has(json.charCodeAt(end))) end += 1;
  return end;
}

/** Tokens of a valid JSON text, without white space. Unlike `JSON.parse`, they preserve the notation of numbers and strings. */
export function* jsonTokens(json: string): Generator<JsonToken> {
  let at = 0;
  while (at < json.length) {
    const first = json.charCodeAt(at);
    if (spaces.has(first)) {
      at += 1;
      continue;
    }
    const end = first === quote ? endOfText(json, at) : marks.has(first) ? at + 1 : endOfWord(json, at);
    yield { text: json.slice(at, end), at };
    at = end;
  }
}
