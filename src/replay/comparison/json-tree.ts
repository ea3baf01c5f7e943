import { type JsonToken, jsonTokens } from './json-tokens.js';

/** A JSON value that preserves the order of keys and the notation of numbers and strings. */
export type JsonNode =
  | { readonly kind: 'object'; readonly entries: readonly (readonly [key: string, value: JsonNode])[] }
  | { readonly kind: 'array'; readonly items: readonly JsonNode[] }
  | { readonly kind: 'text' | 'number' | 'bool' | 'null'; readonly raw: string };

/** A JSON document. */
export interface JsonText {
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

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const lengthOf = (tokens: Iterable<JsonToken>): number => {
  let length = 0;
  for (const { text } of tokens) length += text.length;
  return length;
};

/** Parses a JSON text. Null if it is invalid or has too many levels for the stack. */
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
