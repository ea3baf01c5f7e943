import { closingQuote, isJson, replaceInJson } from '../comparison/json-text.js';
import type { Pseudonyms } from './pseudonyms.js';
import { querySensitivity, type SensitiveKind, sensitivityOf } from './sensitive-names.js';

/** Redacts personal data in a string. The name of its field is not sensitive. The string can contain JSON. */
const redactText = (value: string, route: string | null, pseudonyms: Pseudonyms): string =>
  /^\s*[{[]/.test(value) && isJson(value) ? redactJson(value, route, pseudonyms) : pseudonyms.redactText(value);

/** Redacts a JSON value. A number remains a number, and a string remains a string. Empty strings and 0 stay the same. */
function redactValue(raw: string, kind: SensitiveKind | null, route: string | null, pseudonyms: Pseudonyms): string {
  if (raw.startsWith('"')) {
    const value: string = JSON.parse(raw);
    if (value === '') return raw;
    const replacement = kind ? pseudonyms.pseudonymOf(value, kind) : redactText(value, route, pseudonyms);
    return replacement === value ? raw : JSON.stringify(replacement);
  }
  if (kind === null || !/^-?\d/.test(raw) || Number(raw) === 0) return raw;
  return pseudonyms.pseudonymOf(raw, kind).replace(/\D/g, '').replace(/^0+/, '') || '1';
}

/**
 * Returns the start of the run of matching characters that ends at a position. Does not match the run with a regular expression, which
 * could need stack space for each character.
 */
function startOfRun(text: string, end: number, character: RegExp): number {
  let start = end;
  while (start > 0 && character.test(text.charAt(start - 1))) start--;
  return start;
}

/** Yields the string arguments and input fields in a GraphQL document, each with its name and the position of its opening quote. */
function* stringArguments(document: string): Generator<{ name: string; position: number }> {
  for (let position = document.indexOf('"'); position >= 0; position = document.indexOf('"', position + 1)) {
    const afterColon = startOfRun(document, position, /\s/);
    if (document.charAt(afterColon - 1) !== ':') continue;
    const end = startOfRun(document, afterColon - 1, /\s/);
    const start = startOfRun(document, end, /\w/);
    if (start < end) yield { name: document.slice(start, end), position };
  }
}

/** Returns the string that starts at a position of a GraphQL document. Null if the string has no end. */
function stringAt(document: string, position: number): { value: string; end: number } | null {
  const blockEnd = document.startsWith('"""', position) ? document.indexOf('"""', position + 3) : -1;
  if (blockEnd >= 0) return { value: document.slice(position + 3, blockEnd), end: blockEnd + 3 };
  const quoteAt = closingQuote(document, position);
  return quoteAt === null ? null : { value: document.slice(position + 1, quoteAt), end: quoteAt + 1 };
}

/** Redacts strings with a sensitive name in a GraphQL document, such as `login(input: { password: "…" })`. */
function redactDocument(raw: string, route: string | null, pseudonyms: Pseudonyms): string {
  const document: string = JSON.parse(raw);
  const pieces: string[] = [];
  let from = 0;
  for (const { name, position } of stringArguments(document)) {
    // A match within the previous string is part of its value.
    const string = position < from ? null : stringAt(document, position);
    if (!string) continue;
    const kind = sensitivityOf(name, route);
    const isReplaced = kind !== null && string.value !== '';
    pieces.push(
      document.slice(from, position),
      isReplaced ? `"${pseudonyms.pseudonymOf(string.value, kind)}"` : document.slice(position, string.end),
    );
    from = string.end;
  }
  return JSON.stringify(pseudonyms.redactText(pieces.join('') + document.slice(from)));
}

/** Redacts a valid JSON text. Preserves whitespace and the order of keys, so that a replay sends the same format. */
export const redactJson = (json: string, route: string | null, pseudonyms: Pseudonyms): string =>
  replaceInJson(json, {
    key(raw) {
      const key: string = JSON.parse(raw);
      return pseudonyms.redactText(key) === key ? raw : redactValue(raw, null, route, pseudonyms);
    },
    value: (key, raw) =>
      key === 'query' && raw.startsWith('"')
        ? redactDocument(raw, route, pseudonyms)
        : redactValue(raw, sensitivityOf(key, route), route, pseudonyms),
  });

/** Redacts a query string or a URL-encoded form. Preserves the encoding of other values. */
export const redactQueryString = (query: string, route: string | null, pseudonyms: Pseudonyms): string =>
  query
    .split('&')
    .map((pair) => {
      const equals = pair.indexOf('=');
      if (equals < 0) return pair;
      const [name, original] = [decodeComponent(pair.slice(0, equals)), decodeComponent(pair.slice(equals + 1))];
      const kind = querySensitivity(name, route);
      const value = original && kind ? pseudonyms.pseudonymOf(original, kind) : redactText(original, route, pseudonyms);
      return value === original ? pair : `${pair.slice(0, equals)}=${encodeURIComponent(value)}`;
    })
    .join('&');

/** Decodes a URL component, with `+` as a space. Returns the text unchanged if its encoding is invalid. */
export function decodeComponent(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
