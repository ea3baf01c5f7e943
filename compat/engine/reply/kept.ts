import { bounded, type Graph, remember, tagOf } from '../../../src/gateway/run.js';
import type { Data } from '../bind/json.js';
import type { LegacyRequest } from '../request/reader.js';
import type { Answer } from './replies.js';

/** Most bytes that the kept answers of one route may take. */
const largest = 16_000_000;

const remembered = {
  what: 'answers of lookups at `/v1`, by their arguments',
  most: '16 MB a path',
  until: 'reference data changes, which is looked for every 0.5 s',
};
// Before the first of them is kept, too.
remember(remembered);

/** An answer as the bytes that leave. */
export async function bytesOf({ status, body, pieces, bytes, text }: Answer): Promise<Answer> {
  if (bytes) return { status, bytes };
  if (text !== undefined) return { status, bytes: Buffer.from(text) };
  if (!pieces) return body === undefined ? { status } : { status, bytes: Buffer.from(JSON.stringify(body)) };
  const texts: string[] = [];
  for await (const piece of pieces) texts.push(piece);
  return { status, bytes: Buffer.from(texts.join('')) };
}

/** An answer as the bytes that leave, with what they are known by. */
export async function tagged(answer: Answer): Promise<Answer> {
  const { status, bytes } = await bytesOf(answer);
  if (!bytes || status !== 200) return answer;
  return { status, bytes, etag: tagOf(bytes) };
}

/** From here on, a body is cheaper to copy into bytes once than to be read as text twice. */
const long = 16_384;

/** The same for an answer that is made for one request; one that leaves in pieces is known by nothing, since its tag would leave before it. */
export function taggedOnce(answer: Answer): Answer {
  const { status, body, pieces, bytes, etag } = answer;
  if (status !== 200 || pieces || bytes || body === undefined || etag !== undefined) return answer;
  const text = JSON.stringify(body);
  if (text.length < long) return { status, text, etag: tagOf(text), isUnkept: true };
  const whole = Buffer.from(text);
  return { status, bytes: whole, etag: tagOf(whole), isUnkept: true };
}

/**
 * Gives an answer again to the same arguments, whoever asks, until what it was made of has another version; requests that meet while it is
 * made wait for the one answer. Nothing that fails, or that is not there, is kept.
 */
export function kept(
  version: Graph['cacheVersion'],
  variables: (request: LegacyRequest) => Data,
  answer: (request: LegacyRequest) => Promise<Answer | null>,
): (request: LegacyRequest) => Promise<Answer | null> {
  const made = () =>
    bounded<string, Answer, LegacyRequest>(remembered, {
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
    // What is being made of another version goes to those who have asked for it, and to nobody else.
    if (now !== current) [current, answers] = [now, made()];
    return answers.get(key) ?? (await answers.fetch(key, { context: request })) ?? null;
  };
}
