import { type JsonToken, jsonTokens } from './json-tokens.js';

/** A value of JSON with the order of its keys and the letters of its numbers and texts. */
export type JsonNode =
  | { readonly kind: 'object'; readonly entries: readonly (readonly [key: string, value: JsonNode])[] }
  | { readonly kind: 'array'; readonly items: readonly JsonNode[] }
  | { readonly kind: 'text' | 'number' | 'bool' | 'null'; readonly raw: string };

/** A whole text of JSON. */
export interface JsonText {
  readonly root: JsonNode;
  /** What stands between its parts. */
  readonly isSpaced: boolean;
}

function scalarOf(raw: string): JsonNode {
  if (raw.startsWith('"')) return { kind: 'text', raw };
  if (raw === 'null') return { kind: 'null', raw };
  return { kind: raw === 'true' || raw === 'false' ? 'bool' : 'number', raw };
}

/** The parts are those of valid JSON, so that nothing but what the grammar allows comes next. */
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

/** Null for what is no JSON, or is nested so deep that nobody means it. */
export function jsonTextOf(text: string): JsonText | null {
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
