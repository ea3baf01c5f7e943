import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type Caller,
  type IdempotentResponses,
  idempotencyKeyHeader,
  isRetryable,
  type KeyClaim,
  replayedHeader,
  requestIdOf,
} from '../../../src/graphql/run.js';
import { httpErrorOf } from './error-response.js';
import type { LegacyResponse } from './replies.js';
import { errorResponse } from './respond.js';
import { encodeResponse } from './response-cache.js';

/**
 * Runs a write with an `Idempotency-Key` once. Later requests with the same key receive the stored response. Temporary errors, which leave
 * all data unchanged, are not stored. Without the header, the write always runs.
 */
export async function runIdempotently(
  storedResponses: IdempotentResponses | undefined,
  request: IncomingMessage,
  response: ServerResponse,
  caller: Caller,
  execute: (fence?: KeyClaim['fence']) => Promise<LegacyResponse>,
): Promise<LegacyResponse> {
  const key = request.headers[idempotencyKeyHeader.toLowerCase()];
  if (!storedResponses || typeof key !== 'string' || request.method === 'GET' || request.method === 'HEAD') return execute();
  const { body: requestBody } = request as { body?: unknown };
  const claim = await storedResponses.claim(key, caller, [
    request.method ?? '',
    request.url ?? '',
    Buffer.isBuffer(requestBody) ? requestBody : '',
  ]);
  if (!('save' in claim)) {
    response.setHeader(...replayedHeader);
    const { status, type, body } = claim;
    return type ? { status, bytes: body } : { status };
  }
  try {
    const legacyResponse = await execute(claim.fence)
      .then(encodeResponse)
      .catch((error: unknown) => {
        const httpError = httpErrorOf(error);
        if (isRetryable(httpError.status)) throw error;
        return encodeResponse(errorResponse(httpError, requestIdOf(response)));
      });
    if (isRetryable(legacyResponse.status)) await claim.release();
    else
      await claim.save({
        status: legacyResponse.status,
        type: legacyResponse.bytes ? 'json' : '',
        body: legacyResponse.bytes ?? Buffer.of(),
      });
    return legacyResponse;
  } catch (error) {
    await claim.release();
    throw error;
  }
}
