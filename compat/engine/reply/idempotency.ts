import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type Caller,
  type Claim,
  type IdempotentResponses,
  isRetryable,
  replayedHeader,
  requestIdOf,
  retryHeader,
} from '../../../src/graphql/run.js';
import { errorResponseOf } from './error-response.js';
import type { Answer } from './replies.js';
import { faultAnswer } from './respond.js';
import { encodeAnswer } from './response-cache.js';

/**
 * Runs a write with an `Idempotency-Key` once, and repeats its response for later requests with the same key. Errors are repeated, too, except
 * temporary errors after which nothing was changed. Without the header, the write always runs.
 */
export function answerIdempotently(
  answers: IdempotentResponses | undefined,
  request: IncomingMessage,
  response: ServerResponse,
  caller: Caller,
  execute: (fence?: Claim['fence']) => Promise<Answer>,
): Promise<Answer> {
  if (!answers || request.method === 'GET' || request.method === 'HEAD') return execute();
  const key = request.headers[retryHeader.toLowerCase()];
  return typeof key !== 'string' ? execute() : answerWithKey(key, answers, request, response, caller, execute);
}

async function answerWithKey(
  key: string,
  answers: IdempotentResponses,
  request: IncomingMessage,
  response: ServerResponse,
  caller: Caller,
  execute: (fence?: Claim['fence']) => Promise<Answer>,
): Promise<Answer> {
  const { body: requestBody } = request as { body?: unknown };
  const claim = await answers.claim(key, caller, [
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
    const answer = await execute(claim.fence)
      .then(encodeAnswer)
      .catch((error: unknown) => {
        const errorResponse = errorResponseOf(error);
        if (isRetryable(errorResponse.status)) throw error;
        return encodeAnswer(faultAnswer(errorResponse, requestIdOf(response)));
      });
    if (isRetryable(answer.status)) await claim.release();
    else await claim.save({ status: answer.status, type: answer.bytes ? 'json' : '', body: answer.bytes ?? Buffer.of() });
    return answer;
  } catch (error) {
    await claim.release();
    throw error;
  }
}
