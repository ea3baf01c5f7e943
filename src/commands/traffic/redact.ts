import { isUtf8 } from 'node:buffer';
import { oldRoutes } from '../../comparison/old-routes.js';
import type { HarPair } from './har.js';
import { Pseudonyms } from './pseudonyms.js';
import { isJson, plain, redactJson, redactQuery } from './redact-body.js';
import { headerSensitivity, type Sensitive, sensitivityOf } from './sensitive-names.js';

/** A body as a file holds it. */
export interface WrittenBody {
  readonly text?: string;
  readonly encoding?: 'base64';
  /** Why it is left out. */
  readonly leftOut?: string;
}

/** Takes out of requests and answers what must not be written down, before anything is. */
export interface Redaction {
  /** The route of a request, for what follows. */
  route(method: string, url: string): string | null;
  url(url: string, method: string): string;
  headers(pairs: readonly HarPair[]): HarPair[];
  body(body: Buffer, mimeType: string, route: string | null): WrittenBody;
  /** A text for people. */
  text(text: string): string;
}

/** Names of path values that are secret stand in paths that no route knows, too: what follows one of these is one. */
const before = /^(?:validate_email|validate_url|token|email|user-email-lookup|reset|verify)$/i;

/** One of a recording: its pseudonyms are those of one file. */
export function redaction(): Redaction {
  const pseudonyms = new Pseudonyms();
  const routeOf = oldRoutes();

  function segment(text: string, kind: Sensitive | null): string {
    const given = plain(text);
    const value = kind ? pseudonyms.of(given, kind) : pseudonyms.within(given);
    return value === given ? text : encodeURIComponent(value);
  }

  function pathOf(path: string, method: string): string {
    const { name, params } = routeOf(method, path);
    const kinds = new Map(
      Object.entries(params).flatMap(([param, value]): [string, Sensitive | null][] =>
        value ? [[value, sensitivityOf(param, name)]] : [],
      ),
    );
    const parts = path.split('/');
    return parts
      .map((part, index) => {
        const follows = name === null && before.test(parts[index - 1] ?? '');
        return segment(part, kinds.get(plain(part)) ?? (follows && part ? 'secret' : null));
      })
      .join('/');
  }

  function urlOf(url: string, method: string): string {
    const { origin, address } = /^(?<origin>https?:\/\/[^/?#]*)?(?<address>.*)$/s.exec(url)?.groups ?? {};
    const [path = '', ...query] = (address ?? '').split('?');
    const name = routeOf(method, path).name;
    const asked = query.length ? `?${redactQuery(query.join('?'), name, pseudonyms)}` : '';
    return `${origin ?? ''}${pathOf(path, method)}${asked}`;
  }

  function header({ name, value }: HarPair): HarPair {
    const kind = headerSensitivity(name);
    if (/^(?:location|referer|origin|link)$/i.test(name)) return { name, value: urlOf(value, 'GET') };
    if (!kind || value === '') return { name, value: pseudonyms.within(value) };
    const [scheme] = /^(?:Bearer|Basic)\s+/i.exec(value) ?? [''];
    return { name, value: scheme + pseudonyms.of(value.slice(scheme.length), kind) };
  }

  return {
    route: (method, url) => routeOf(method, url).name,
    url: urlOf,
    headers: (pairs) => pairs.map(header),
    text: (text) => pseudonyms.within(text),
    body(body, mimeType, route) {
      if (body.length === 0) return {};
      const type = mimeType.toLowerCase();
      const written = isUtf8(body) ? body.toString() : null;
      if (written !== null && isJson(written)) return { text: redactJson(written, route, pseudonyms) };
      // Where its values begin and end is not known.
      if (/json/.test(type) || (written !== null && /^\s*[{[]\s*"/.test(written))) return { leftOut: 'it is no valid JSON' };
      if (written !== null && /urlencoded/.test(type)) return { text: redactQuery(written, route, pseudonyms) };
      if (/^multipart\//.test(type)) return { leftOut: 'it is a form of several parts' };
      if (written !== null) return { text: pseudonyms.within(written) };
      // In another encoding it is text all the same, in which nothing would be found.
      if (type === '' || /^text\/|urlencoded|xml|graphql|javascript|charset/.test(type))
        return { leftOut: 'it is no valid UTF-8' };
      return { text: body.toString('base64'), encoding: 'base64' };
    },
  };
}
