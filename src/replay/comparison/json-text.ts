/** A JSON token: a bracket, a colon, a comma, a string, a number, or one of the words true, false and null. */
interface JsonToken {
  readonly text: string;
  readonly start: number;
}

const quote = 0x22;
const backslash = 0x5c;
const marks = new Set([...'{}[],:'].map((mark) => mark.charCodeAt(0)));
const spaces = new Set([...' \t\n\r'].map((space) => space.charCodeAt(0)));

/** Returns the position of the quote that ends the string at `start`. Null if the string has no end. */
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
function* jsonTokens(json: string): Generator<JsonToken> {
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

/** Whether a text is valid JSON. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A JSON value that preserves the order of keys and the notation of numbers and strings. */
export type JsonNode =
  | { readonly kind: 'object'; readonly entries: readonly (readonly [key: string, value: JsonNode])[] }
  | { readonly kind: 'array'; readonly items: readonly JsonNode[] }
  | { readonly kind: 'text' | 'number' | 'bool' | 'null'; readonly raw: string };

/** A JSON document. */
interface JsonText {
  readonly root: JsonNode;
  /** Whether there is whitespace between tokens. */
  readonly isSpaced: boolean;
}

function scalarOf(raw: string): JsonNode {
  if (raw.startsWith('"')) return { kind: 'text', raw };
  if (raw === 'null') return { kind: 'null', raw };
  return { kind: raw === 'true' || raw === 'false' ? 'bool' : 'number', raw };
}

/** Returns the value that starts with the token `first`. The tokens must form valid JSON. */
function nodeFrom(tokens: Iterator<JsonToken>, first: string): JsonNode {
  const next = () => tokens.next().value?.text ?? '';
  if (first === '[') {
    const items: JsonNode[] = [];
    for (let token = next(); token !== ']' && token !== ''; token = next())
      if (token !== ',') items.push(nodeFrom(tokens, token));
    return { kind: 'array', items };
  }
  if (first !== '{') return scalarOf(first);
  const entries: [string, JsonNode][] = [];
  for (let token = next(); token !== '}' && token !== ''; token = next()) {
    if (token === ',') continue;
    next();
    entries.push([JSON.parse(token), nodeFrom(tokens, next())]);
  }
  return { kind: 'object', entries };
}

const lengthOf = (tokens: Iterable<JsonToken>): number => {
  let length = 0;
  for (const { text } of tokens) length += text.length;
  return length;
};

/** Parses a JSON text. Returns null if the text is invalid or too deeply nested for the stack. */
export function parseJsonText(text: string): JsonText | null {
  if (!isJson(text)) return null;
  try {
    const tokens = jsonTokens(text);
    const root = nodeFrom(tokens, tokens.next().value?.text ?? '');
    return { root, isSpaced: lengthOf(jsonTokens(text)) !== text.length };
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Functions that replace parts of a JSON text. */
interface JsonReplacements {
  /** Returns the replacement for a scalar. For an array item, `key` is the key of the array. */
  value(key: string, raw: string): string;
  /** Returns the replacement for a key. By default, keys stay the same. */
  key?(raw: string): string;
}

/** Replaces keys and scalars in a valid JSON text. Everything else stays the same, including whitespace. */
export function replaceInJson(json: string, { value, key = (raw) => raw }: JsonReplacements): string {
  const pieces: string[] = [];
  const containers: { isObject: boolean; key: string }[] = [];
  let isKey = false;
  let copiedLength = 0;
  for (const { text, start } of jsonTokens(json)) {
    pieces.push(json.slice(copiedLength, start));
    copiedLength = start + text.length;
    const container = containers.at(-1);
    const isOpening = text === '{' || text === '[';
    if (isOpening) containers.push({ isObject: text === '{', key: container?.key ?? '' });
    else if (text === '}' || text === ']') containers.pop();
    if (isOpening || /^[}\],:]$/.test(text)) pieces.push(text);
    else if (isKey && container) {
      container.key = JSON.parse(text);
      pieces.push(key(text));
    } else pieces.push(value(container?.key ?? '', text));
    isKey = text === '{' || (text === ',' && container?.isObject === true);
  }
  return pieces.join('') + json.slice(copiedLength);
}
