import { createCache, describeCache, type Graph, tagOf } from '../../../src/graphql/run.js';
import type { Data } from '../bind/json.js';
import type { LegacyRequest } from '../request/reader.js';
import type { Answer } from './replies.js';

/** Maximum size of the cached responses of a route, in bytes. */
const maxCacheBytes = 16_000_000;

const cacheDescription = {
  name: 'responses of `/v1` lookups by arguments',
  limit: '16 MB per path',
  validity: 'reference data changes, checked every 0.5 s',
};
// Registered at load time, before the first response is cached.
describeCache(cacheDescription);

/** The encoded bytes of a response. */
export async function encodeAnswer({ status, body, chunks, bytes, text }: Answer): Promise<Answer> {
  if (bytes) return { status, bytes };
  if (text !== undefined) return { status, bytes: Buffer.from(text) };
  if (!chunks) return body === undefined ? { status } : { status, bytes: Buffer.from(JSON.stringify(body)) };
  const texts: string[] = [];
  for await (const chunk of chunks) texts.push(chunk);
  return { status, bytes: Buffer.from(texts.join('')) };
}

/** The encoded bytes of a response, with its ETag. */
export async function encodeWithTag(answer: Answer): Promise<Answer> {
  const { status, bytes } = await encodeAnswer(answer);
  if (!bytes || status !== 200) return answer;
  return { status, bytes, etag: tagOf(bytes) };
}

/** Minimum length from which encoding a body once is cheaper than reading it as text twice. */
const minEncodedLength = 16_384;

/** The same for a response that is not cached. A streamed response has no ETag, because its headers are sent before its content is known. */
export function withTag(answer: Answer): Answer {
  const { status, body, chunks, bytes, etag } = answer;
  if (status !== 200 || chunks || bytes || body === undefined || etag !== undefined) return answer;
  const text = JSON.stringify(body);
  if (text.length < minEncodedLength) return { status, text, etag: tagOf(text), isForOneCaller: true };
  const buffer = Buffer.from(text);
  return { status, bytes: buffer, etag: tagOf(buffer), isForOneCaller: true };
}

/**
 * Caches responses by arguments, for all callers, until the version of their data changes. Concurrent requests share one execution. Errors and
 * missing records are not cached.
 */
export function cacheAnswers(
  version: Graph['cacheVersion'],
  variables: (request: LegacyRequest) => Data,
  answer: (request: LegacyRequest) => Promise<Answer | null>,
): (request: LegacyRequest) => Promise<Answer | null> {
  const createRouteCache = () =>
    createCache<string, Answer, LegacyRequest>(cacheDescription, {
      maxSize: maxCacheBytes,
      sizeCalculation: ({ bytes }, key) => (bytes?.length ?? 0) + key.length + 1,
      fetchMethod: async (_key, _stale, { context }) => {
        const result = await answer(context);
        return result ? encodeWithTag(result) : undefined;
      },
    });
  let cache = createRouteCache();
  let cachedVersion = '';
  return async (request) => {
    const key = JSON.stringify(variables(request));
    const pendingVersion = version();
    const latestVersion = typeof pendingVersion === 'string' ? pendingVersion : await pendingVersion;
    // A running execution with an older version is only for the requests that already wait for it.
    if (latestVersion !== cachedVersion) [cachedVersion, cache] = [latestVersion, createRouteCache()];
    return cache.get(key) ?? (await cache.fetch(key, { context: request })) ?? null;
  };
}
