import { LRUCache } from 'lru-cache';
import type { Data } from '../bind/json.js';
import type { LegacyRequest } from '../request/reader.js';
import type { Answer } from './replies.js';

/** Most bytes that the kept answers of one route may take. */
const largest = 16_000_000;

/** An answer as the bytes that leave. */
export async function bytesOf({ status, body, pieces, bytes }: Answer): Promise<Answer> {
  if (bytes) return { status, bytes };
  if (!pieces) return body === undefined ? { status } : { status, bytes: Buffer.from(JSON.stringify(body)) };
  const texts: string[] = [];
  for await (const piece of pieces) texts.push(piece);
  return { status, bytes: Buffer.from(texts.join('')) };
}

/**
 * Gives an answer that was made a moment ago again, to the same arguments and whoever asks; requests that meet while it is made wait
 * for the one answer. Nothing that fails, or that is not there, is kept. Every process keeps its own, so that one of them may show
 * for `seconds` what another has replaced.
 */
export function kept(
  seconds: number,
  variables: (request: LegacyRequest) => Data,
  answer: (request: LegacyRequest) => Promise<Answer | null>,
): (request: LegacyRequest) => Promise<Answer | null> {
  const answers = new LRUCache<string, Answer, LegacyRequest>({
    ttl: seconds * 1000,
    maxSize: largest,
    sizeCalculation: ({ bytes }, key) => (bytes?.length ?? 0) + key.length + 1,
    fetchMethod: async (_key, _stale, { context }) => {
      const made = await answer(context);
      return made ? bytesOf(made) : undefined;
    },
  });
  return async (request) => (await answers.fetch(JSON.stringify(variables(request)), { context: request })) ?? null;
}
