import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { compareJson } from './compare-json.js';
import { type Difference, Differences } from './differences.js';
import { jsonTextOf } from './json-tree.js';

/** An answer of one of two servers. */
export interface GivenAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Uncompressed. */
  readonly body: Buffer;
  /** Of the server, which stands in the addresses that it tells. */
  readonly origin: string;
}

/** An answer, or why there was none. */
export type Outcome = GivenAnswer | { readonly failure: string };

/** Those of which clients make something. `Link`, `ETag`, `Date`, `Vary` and numbers of requests are each server's own. */
export const comparedHeaders = [
  'content-type',
  'content-disposition',
  'location',
  'cache-control',
  'retry-after',
  'allow',
  'www-authenticate',
] as const;

/** In errors: when it was, and which request. Their values never agree; what they are does. */
const ofTheRequest = new Set(['Timestamp', 'RequestId']);

type ComparedHeader = (typeof comparedHeaders)[number];

/** Says no more than to ask each time, as those do who have no such header. */
const asksEachTime = /\b(?:no-store|no-cache|private|must-revalidate|max-age=0)\b/gi;

/** A header as clients read it: lists in any order, letters of types in any case, addresses without the server's own. */
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

/** All in which the new answer is not what the old one is. Answers of different statuses are not compared further. */
export function differencesOf(old: Outcome, now: Outcome): Difference[] {
  const found = new Differences();
  if ('failure' in old || 'failure' in now) {
    // Also where neither answers: that proves nothing.
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
