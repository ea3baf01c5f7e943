import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { compareJson } from './compare-json.js';
import { type Difference, Differences } from './differences.js';
import { jsonTextOf } from './json-tree.js';

/** A response of one of the servers. */
export interface GivenAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Uncompressed. */
  readonly body: Buffer;
  /** Origin of the server, which occurs in URLs of its responses. */
  readonly origin: string;
}

/** A response, or the reason for a missing one. */
export type Outcome = GivenAnswer | { readonly failure: string };

/** Headers that clients use. `Link`, `ETag`, `Date`, `Vary` and request IDs differ between servers. */
export const comparedHeaders = [
  'content-type',
  'content-disposition',
  'location',
  'cache-control',
  'retry-after',
  'allow',
  'www-authenticate',
] as const;

/** Error properties with values that always differ: the time and the request ID. Only their types are compared. */
const ofTheRequest = new Set(['Timestamp', 'RequestId']);

type ComparedHeader = (typeof comparedHeaders)[number];

/** Cache directives that have the same effect as no header: the client must ask each time. */
const asksEachTime = /\b(?:no-store|no-cache|private|must-revalidate|max-age=0)\b/gi;

/** Normalizes a header: sorts lists, lowercases media types, and removes the origin of the server from URLs. */
function headerOf({ headers, origin }: GivenAnswer, name: ComparedHeader): string {
  const text = String(headers[name] ?? '').trim();
  if (name === 'location') return text.startsWith(`${origin}/`) ? text.slice(origin.length) : text;
  if (name === 'allow' || name === 'cache-control')
    return (name === 'allow' ? text : text.replace(asksEachTime, ''))
      .toLowerCase()
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean)
      .sort()
      .join(', ');
  return name === 'content-type' ? text.toLowerCase().replace(/\s*;\s*/g, '; ') : text;
}

const briefly = (body: Buffer) => (isUtf8(body) ? body.toString('utf8', 0, 200) : `${body.length} bytes`);

function compareBodies(old: GivenAnswer, now: GivenAnswer, found: Differences): void {
  if (old.body.equals(now.body)) return;
  const [before, after] = [old, now].map(({ body }) => jsonTextOf(body.toString()));
  if (!before || !after) {
    found.add('body', '', briefly(old.body), briefly(now.body));
    return;
  }
  const inJson = new Differences();
  compareJson(before.root, after.root, '', inJson);
  const spaced = (is: boolean) => (is ? 'spaces between parts' : 'no spaces between parts');
  if (before.isSpaced !== after.isSpaced || inJson.size === 0)
    found.add('whitespace', '', spaced(before.isSpaced), spaced(after.isSpaced));
  for (const each of inJson.all())
    if (old.status < 400 || each.kind !== 'value' || !ofTheRequest.has(each.path))
      found.add(each.kind, each.path, each.old, each.new);
}

const told = (outcome: Outcome) => ('failure' in outcome ? outcome.failure : String(outcome.status));

/** Differences between an old and a new response. Responses with different statuses are not compared further. */
export function differencesOf(old: Outcome, now: Outcome): Difference[] {
  const found = new Differences();
  if ('failure' in old || 'failure' in now) {
    // Also a difference if neither server responds, because that proves nothing.
    found.add('no answer', '', told(old), told(now));
  } else if (old.status !== now.status) {
    found.add('status', '', told(old), told(now));
  } else {
    for (const name of comparedHeaders) {
      const [before, after] = [headerOf(old, name), headerOf(now, name)];
      if (before !== after) found.add('header', name, before, after);
    }
    compareBodies(old, now, found);
  }
  return found.all();
}
