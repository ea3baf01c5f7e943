import { closingQuote, jsonTokens } from '../../comparison/json-tokens.js';
import type { Pseudonyms } from './pseudonyms.js';
import { querySensitivity, type Sensitive, sensitivityOf } from './sensitive-names.js';

/** Whether a text is JSON. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A text of which no name says what it is; some senders write JSON into one. */
const inText = (value: string, route: string | null, pseudonyms: Pseudonyms): string =>
  /^\s*[{[]/.test(value) && isJson(value) ? redactJson(value, route, pseudonyms) : pseudonyms.within(value);

/** A number in place of a number, a text in place of a text; what says nothing stays. */
function replaced(raw: string, kind: Sensitive | null, route: string | null, pseudonyms: Pseudonyms): string {
  if (raw.startsWith('"')) {
    const value: string = JSON.parse(raw);
    if (value === '') return raw;
    const other = kind ? pseudonyms.of(value, kind) : inText(value, route, pseudonyms);
    return other === value ? raw : JSON.stringify(other);
  }
  if (kind === null || !/^-?\d/.test(raw) || Number(raw) === 0) return raw;
  return pseudonyms.of(raw, kind).replace(/\D/g, '').replace(/^0+/, '') || '1';
}

/** Names in a GraphQL document with a colon and a string after them. */
const namesOfStrings = /(?<!\w)(\w+)\s*:\s*(?=")/g;

/** The string in a GraphQL document that starts at a position, or `null` if it has no end. */
function stringAt(document: string, at: number): { value: string; end: number } | null {
  const blockEnd = document.startsWith('"""', at) ? document.indexOf('"""', at + 3) : -1;
  if (blockEnd >= 0) return { value: document.slice(at + 3, blockEnd), end: blockEnd + 3 };
  const quoteAt = closingQuote(document, at);
  return quoteAt === null ? null : { value: document.slice(at + 1, quoteAt), end: quoteAt + 1 };
}

/** Replaces strings in a GraphQL document that have a sensitive name: `login(input: { password: "…" })`. */
function inDocument(raw: string, route: string | null, pseudonyms: Pseudonyms): string {
  const document: string = JSON.parse(raw);
  const pieces: string[] = [];
  let from = 0;
  for (const { 0: prefix, 1: name = '', index } of document.matchAll(namesOfStrings)) {
    const at = index + prefix.length;
    // Names inside of a string are part of its value.
    const string = index < from ? null : stringAt(document, at);
    if (!string) continue;
    const kind = sensitivityOf(name, route);
    const isReplaced = kind !== null && string.value !== '';
    pieces.push(document.slice(from, at), isReplaced ? `"${pseudonyms.of(string.value, kind)}"` : document.slice(at, string.end));
    from = string.end;
  }
  return JSON.stringify(pseudonyms.within(pieces.join('') + document.slice(from)));
}

/**
 * JSON without what must not be written down. All the rest stays as it is written, space and order of keys included, so that it can be sent
 * again. It must be valid.
 */
export function redactJson(json: string, route: string | null, pseudonyms: Pseudonyms): string {
  const pieces: string[] = [];
  /** What the values are, of each object and list around this place. */
  const around: { isObject: boolean; name: string; kind: Sensitive | null }[] = [];
  let isName = false;
  let from = 0;
  for (const { text, at } of jsonTokens(json)) {
    pieces.push(json.slice(from, at));
    from = at + text.length;
    const inner = around.at(-1);
    if (text === '{' || text === '[') {
      // Items of a list are what the list is; of an object each name tells.
      around.push({ isObject: text === '{', name: inner?.name ?? '', kind: text === '[' ? (inner?.kind ?? null) : null });
      isName = text === '{';
      pieces.push(text);
    } else if (text === '}' || text === ']') {
      around.pop();
      isName = false;
      pieces.push(text);
    } else if (text === ',' || text === ':') {
      isName = text === ',' && inner?.isObject === true;
      pieces.push(text);
    } else if (isName && inner) {
      inner.name = JSON.parse(text);
      inner.kind = sensitivityOf(inner.name, route);
      pieces.push(JSON.stringify(pseudonyms.within(inner.name)) === text ? text : replaced(text, null, route, pseudonyms));
    } else if (inner?.name === 'query' && text.startsWith('"')) {
      pieces.push(inDocument(text, route, pseudonyms));
    } else {
      pieces.push(replaced(text, inner?.kind ?? null, route, pseudonyms));
    }
  }
  return pieces.join('') + json.slice(from);
}

/** A query, or a form, without what must not be written down; what stays is as it was written. */
export const redactQuery = (query: string, route: string | null, pseudonyms: Pseudonyms): string =>
  query
    .split('&')
    .map((pair) => {
      const equals = pair.indexOf('=');
      if (equals < 0) return pair;
      const [name, given] = [plain(pair.slice(0, equals)), plain(pair.slice(equals + 1))];
      const kind = querySensitivity(name, route);
      const value = given && kind ? pseudonyms.of(given, kind) : inText(given, route, pseudonyms);
      return value === given ? pair : `${pair.slice(0, equals)}=${encodeURIComponent(value)}`;
    })
    .join('&');

/** As it is meant; as it stands where the encoding is wrong. */
export function plain(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
