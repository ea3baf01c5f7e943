import { isUtf8 } from 'node:buffer';
import { isJson } from '../comparison/json-text.js';
import { createRouteFinder } from '../comparison/route-finder.js';
import type { HarPair } from './har-file.js';
import { Pseudonyms } from './pseudonyms.js';
import { decodeComponent, redactJson, redactQueryString } from './redact-body.js';
import { headerSensitivity, type SensitiveKind, sensitivityOf } from './sensitive-names.js';

/** A body in a recording. */
export interface RedactedBody {
  readonly text?: string;
  /** Encoding of the text. Undefined for plain text. */
  readonly encoding?: 'base64';
  /** Reason why the body is not recorded. */
  readonly leftOut?: string;
}

/** Replaces personal and secret values in requests and responses with pseudonyms. */
export interface Redactor {
  /** Returns the route of a request, to be passed to `body`. Null if the request matches no route. */
  route(method: string, url: string): string | null;
  url(url: string, method: string): string;
  headers(pairs: readonly HarPair[]): HarPair[];
  body(body: Buffer, mimeType: string, route: string | null): RedactedBody;
  /** Redacts plain text. */
  text(text: string): string;
}

/** Matches path segments that precede a secret, for paths without a route. */
const secretPrefixes = /^(?:validate_email|validate_url|token|email|user-email-lookup|reset|verify)$/i;

/** Creates the redactor for one recording, with its own pseudonyms. */
export function createRedactor(): Redactor {
  const pseudonyms = new Pseudonyms();
  const routeOf = createRouteFinder();

  function segment(text: string, kind: SensitiveKind | null): string {
    const original = decodeComponent(text);
    const value = kind ? pseudonyms.pseudonymOf(original, kind) : pseudonyms.redactText(original);
    return value === original ? text : encodeURIComponent(value);
  }

  function pathOf(path: string, method: string): string {
    const { name, params } = routeOf(method, path);
    const kinds = new Map(
      Object.entries(params).flatMap(([param, value]): [string, SensitiveKind | null][] =>
        value ? [[value, sensitivityOf(param, name)]] : [],
      ),
    );
    const parts = path.split('/');
    return parts
      .map((part, index) => {
        const isSecret = name === null && secretPrefixes.test(parts[index - 1] ?? '');
        return segment(part, kinds.get(decodeComponent(part)) ?? (isSecret && part ? 'secret' : null));
      })
      .join('/');
  }

  function urlOf(url: string, method: string): string {
    const { origin, address } = /^(?<origin>https?:\/\/[^/?#]*)?(?<address>.*)$/s.exec(url)?.groups ?? {};
    const [path = '', ...query] = (address ?? '').split('?');
    const name = routeOf(method, path).name;
    const redactedQuery = query.length ? `?${redactQueryString(query.join('?'), name, pseudonyms)}` : '';
    return `${origin ?? ''}${pathOf(path, method)}${redactedQuery}`;
  }

  function header({ name, value }: HarPair): HarPair {
    const kind = headerSensitivity(name);
    if (/^(?:location|referer|origin|link)$/i.test(name)) return { name, value: urlOf(value, 'GET') };
    if (!kind || value === '') return { name, value: pseudonyms.redactText(value) };
    const [scheme] = /^(?:Bearer|Basic)\s+/i.exec(value) ?? [''];
    return { name, value: scheme + pseudonyms.pseudonymOf(value.slice(scheme.length), kind) };
  }

  return {
    route: (method, url) => routeOf(method, url).name,
    url: urlOf,
    headers: (pairs) => pairs.map(header),
    text: (text) => pseudonyms.redactText(text),
    body(body, mimeType, route) {
      if (body.length === 0) return {};
      const type = mimeType.toLowerCase();
      const text = isUtf8(body) ? body.toString() : null;
      if (text !== null && isJson(text)) return { text: redactJson(text, route, pseudonyms) };
      // Invalid JSON cannot be redacted, because the ends of its values are unknown.
      if (/json/.test(type) || (text !== null && /^\s*[{[]\s*"/.test(text))) return { leftOut: 'not valid JSON' };
      if (text !== null && /urlencoded/.test(type)) return { text: redactQueryString(text, route, pseudonyms) };
      if (/^multipart\//.test(type)) return { leftOut: 'multipart form' };
      if (text !== null) return { text: pseudonyms.redactText(text) };
      // Text that is not UTF-8 cannot be redacted.
      if (type === '' || /^text\/|urlencoded|xml|graphql|javascript|charset/.test(type)) return { leftOut: 'not valid UTF-8' };
      return { text: body.toString('base64'), encoding: 'base64' };
    },
  };
}
