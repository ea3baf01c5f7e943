import { createCache, describeCache, entityTagOf, type Graph } from '../../../src/graphql/run.js';
import type { Data } from '../bind/json.js';
import type { LegacyRequest } from '../request/reader.js';
import type { LegacyResponse } from './replies.js';

/** Maximum size of the cached responses of one route, in bytes. */
const maxCacheBytes = 16_000_000;

const cacheDescription = {
  name: 'responses of `/v1` lookups, keyed by arguments',
  limit: '16 MB per path',
  validity: 'reference data changes, checked every 0.5 s',
};
// Registers the description when the module loads, because a cache may not be created until the first request to its route.
describeCache(cacheDescription);

/** Returns a response with its body as bytes. Waits for all chunks of a streamed response. */
export async function encodeResponse({ status, body, chunks, bytes, text }: LegacyResponse): Promise<LegacyResponse> {
  if (bytes) return { status, bytes };
  if (text !== undefined) return { status, bytes: Buffer.from(text) };
  if (!chunks) return body === undefined ? { status } : { status, bytes: Buffer.from(JSON.stringify(body)) };
  const texts: string[] = [];
  for await (const chunk of chunks) texts.push(chunk);
  return { status, bytes: Buffer.from(texts.join('')) };
}

/** Returns a response with its body as bytes, and with an ETag if the status is 200. */
export async function encodeWithTag(response: LegacyResponse): Promise<LegacyResponse> {
  const { status, bytes } = await encodeResponse(response);
  if (!bytes || status !== 200) return response;
  return { status, bytes, etag: entityTagOf(bytes) };
}

/**
 * Minimum length, in characters, of bodies that are converted to bytes once, for both the ETag and the response. Sending shorter bodies as
 * text is faster.
 */
const minEncodedLength = 16_384;

/**
 * Adds an ETag for one caller to an uncached response. A streamed response gets no ETag, because its headers are sent before its body is
 * complete.
 */
export function withTag(response: LegacyResponse): LegacyResponse {
  const { status, body, chunks, bytes, etag } = response;
  if (status !== 200 || chunks || bytes || body === undefined || etag !== undefined) return response;
  const text = JSON.stringify(body);
  if (text.length < minEncodedLength) return { status, text, etag: entityTagOf(text), isForOneCaller: true };
  const buffer = Buffer.from(text);
  return { status, bytes: buffer, etag: entityTagOf(buffer), isForOneCaller: true };
}

/**
 * Returns a function that caches responses, keyed by variables, until the version of the data changes. All callers share the responses.
 * Concurrent requests with the same variables share one execution. Errors and null are not cached.
 */
export function cacheResponses(
  readVersion: Graph['cacheVersion'],
  readVariables: (request: LegacyRequest) => Data,
  execute: (request: LegacyRequest) => Promise<LegacyResponse | null>,
): (request: LegacyRequest) => Promise<LegacyResponse | null> {
  const createRouteCache = () =>
    createCache<string, LegacyResponse, LegacyRequest>(cacheDescription, {
      maxSize: maxCacheBytes,
      sizeCalculation: ({ bytes }, key) => (bytes?.length ?? 0) + key.length + 1,
      fetchMethod: async (_key, _stale, { context }) => {
        const result = await execute(context);
        return result ? encodeWithTag(result) : undefined;
      },
    });
  let cache = createRouteCache();
  let cachedVersion = '';
  return async (request) => {
    const key = JSON.stringify(readVariables(request));
    const pendingVersion = readVersion();
    const latestVersion = typeof pendingVersion === 'string' ? pendingVersion : await pendingVersion;
    // An execution that started with an older version writes to the discarded cache. Only requests that already wait for it receive its
    // result.
    if (latestVersion !== cachedVersion) [cachedVersion, cache] = [latestVersion, createRouteCache()];
    return cache.get(key) ?? (await cache.fetch(key, { context: request })) ?? null;
  };
}
