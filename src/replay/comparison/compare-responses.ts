import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { compareJson } from './compare-json.js';
import { type Difference, Differences } from './differences.js';
import { parseJsonText } from './json-text.js';

/** A response of one of the servers. */
export interface ComparedResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Decompressed body. */
  readonly body: Buffer;
  /** Origin of the server. URLs in its responses can contain it. */
  readonly origin: string;
}

/** A response, or the reason why there is no response. */
export type Outcome = ComparedResponse | { readonly failure: string };

/** Headers to compare. Other headers, such as `ETag`, `Date` and `Vary`, can differ between servers with the same behavior. */
export const comparedHeaders = [
  'content-type',
  'content-disposition',
  'location',
  'cache-control',
  'retry-after',
  'allow',
  'www-authenticate',
] as const;

/** Properties of an error that contain the time and the request ID, which always differ. Only their types are compared. */
const requestProperties = new Set(['Timestamp', 'RequestId']);

type ComparedHeader = (typeof comparedHeaders)[number];

/** Cache directives that are not compared. Like a missing header, they make clients revalidate the response each time. */
const revalidationDirectives = /\b(?:no-store|no-cache|private|must-revalidate|max-age=0)\b/gi;

/** Returns a normalized header: lists are sorted, media types are in lower case, and URLs lack the origin of the server. */
function headerOf({ headers, origin }: ComparedResponse, name: ComparedHeader): string {
  const text = String(headers[name] ?? '').trim();
  if (name === 'location') return text.startsWith(`${origin}/`) ? text.slice(origin.length) : text;
  if (name === 'allow' || name === 'cache-control')
    return (name === 'allow' ? text : text.replace(revalidationDirectives, ''))
      .toLowerCase()
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean)
      .sort()
      .join(', ');
  return name === 'content-type' ? text.toLowerCase().replace(/\s*;\s*/g, '; ') : text;
}

const shorten = (body: Buffer) => (isUtf8(body) ? body.toString('utf8', 0, 200) : `${body.length} bytes`);

function compareBodies(oldResponse: ComparedResponse, newResponse: ComparedResponse, differences: Differences): void {
  if (oldResponse.body.equals(newResponse.body)) return;
  const [oldValue, newValue] = [oldResponse, newResponse].map(({ body }) => parseJsonText(body.toString()));
  if (!oldValue || !newValue) {
    differences.add('body', '', shorten(oldResponse.body), shorten(newResponse.body));
    return;
  }
  const jsonDifferences = new Differences();
  compareJson(oldValue.root, newValue.root, '', jsonDifferences);
  const describeSpacing = (isSpaced: boolean) => (isSpaced ? 'spaces between parts' : 'no spaces between parts');
  if (oldValue.isSpaced !== newValue.isSpaced || jsonDifferences.size === 0)
    differences.add('whitespace', '', describeSpacing(oldValue.isSpaced), describeSpacing(newValue.isSpaced));
  for (const difference of jsonDifferences.all())
    if (oldResponse.status < 400 || difference.kind !== 'value' || !requestProperties.has(difference.path))
      differences.add(difference.kind, difference.path, difference.old, difference.new);
}

const describeOutcome = (outcome: Outcome) => ('failure' in outcome ? outcome.failure : String(outcome.status));

/** Returns the differences between an old and a new response. If the statuses differ, only the statuses are compared. */
export function differencesOf(oldOutcome: Outcome, newOutcome: Outcome): Difference[] {
  const differences = new Differences();
  if ('failure' in oldOutcome || 'failure' in newOutcome) {
    // Two missing responses are also a difference, because they do not show that the servers return the same response.
    differences.add('no answer', '', describeOutcome(oldOutcome), describeOutcome(newOutcome));
  } else if (oldOutcome.status !== newOutcome.status) {
    differences.add('status', '', describeOutcome(oldOutcome), describeOutcome(newOutcome));
  } else {
    for (const name of comparedHeaders) {
      const [oldValue, newValue] = [headerOf(oldOutcome, name), headerOf(newOutcome, name)];
      if (oldValue !== newValue) differences.add('header', name, oldValue, newValue);
    }
    compareBodies(oldOutcome, newOutcome, differences);
  }
  return differences.all();
}
