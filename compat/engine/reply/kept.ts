import { createCache, describeCache, type Graph, tagOf } from '../../../src/gateway/run.js';
import type { Data } from '../bind/json.js';
import type { LegacyRequest } from '../request/reader.js';
import type { Answer } from './replies.js';

/** Maximum size of the cached responses of a route, in bytes. */
const largest = 16_000_000;

const remembered = {
  name: 'answers of lookups at `/v1`, by their arguments',
  limit: '16 MB a path',
  validity: 'reference data changes, which is looked for every 0.5 s',
};
// Registered at load time, before the first response is cached.
describeCache(remembered);

/** The encoded bytes of a response. */
export async function bytesOf({ status, body, pieces, bytes, text }: Answer): Promise<Answer> {
  if (bytes) return { status, bytes };
  if (text !== undefined) return { status, bytes: Buffer.from(text) };
  if (!pieces) return body === undefined ? { status } : { status, bytes: Buffer.from(JSON.stringify(body)) };
  const texts: string[] = [];
  for await (const piece of pieces) texts.push(piece);
  return { status, bytes: Buffer.from(texts.join('')) };
}

/** The encoded bytes of a response, with its ETag. */
export async function tagged(answer: Answer): Promise<Answer> {
  const { status, bytes } = await bytesOf(answer);
  if (!bytes || status !== 200) return answer;
  return { status, bytes, etag: tagOf(bytes) };
}

/** Minimum length from which encoding a body once is cheaper than reading it as text twice. */
const long = 16_384;

/** The same for a response that is not cached. A streamed response has no ETag, because its headers are sent before its content is known. */
export function taggedOnce(answer: Answer): Answer {
  const { status, body, pieces, bytes, etag } = answer;
  if (status !== 200 || pieces || bytes || body === undefined || etag !== undefined) return answer;
  const text = JSON.stringify(body);
  if (text.length < long) return { status, text, etag: tagOf(text), isUnkept: true };
  const whole = Buffer.from(text);
  return { status, bytes: whole, etag: tagOf(whole), isUnkept: true };
}

/**
 * Caches responses by arguments, for all callers, until the version of their data changes. Concurrent requests share one execution. Errors and
 * missing records are not cached.
 */
export function kept(
  version: Graph['cacheVersion'],
  variables: (request: LegacyRequest) => Data,
  answer: (request: LegacyRequest) => Promise<Answer | null>,
): (request: LegacyRequest) => Promise<Answer | null> {
  const made = () =>
    createCache<string, Answer, LegacyRequest>(remembered, {
      maxSize: largest,
      sizeCalculation: ({ bytes }, key) => (bytes?.length ?? 0) + key.length + 1,
      fetchMethod: async (_key, _stale, { context }) => {
        const found = await answer(context);
        return found ? tagged(found) : undefined;
      },
    });
  let answers = made();
  let current = '';
  return async (request) => {
    const key = JSON.stringify(variables(request));
    const known = version();
    const now = typeof known === 'string' ? known : await known;
    // A running execution with an older version is only for the requests that already wait for it.
    if (now !== current) [current, answers] = [now, made()];
    return answers.get(key) ?? (await answers.fetch(key, { context: request })) ?? null;
  };
}
