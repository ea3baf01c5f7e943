import { jsonTokens } from '../../comparison/json-tokens.js';
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

/** Texts in a GraphQL document that stand behind such a name: `login(input: { password: "…" })`. */
const inDocument = (raw: string, route: string | null, pseudonyms: Pseudonyms): string => {
  const document: string = JSON.parse(raw);
  const without = document.replace(
    /(?<!\w)(\w+)(\s*:\s*)(?:"""(.*?)"""|"((?:[^"\\]|\\.)*)")/gs,
    (whole, name: string, colon: string, block: string | undefined, line: string | undefined) => {
      const kind = sensitivityOf(name, route);
      const value = block ?? line;
      return kind && value ? `${name}${colon}"${pseudonyms.of(value, kind)}"` : whole;
    },
  );
  return JSON.stringify(pseudonyms.within(without));
};

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
