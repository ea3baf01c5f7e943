import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type Caller,
  type Claim,
  type IdempotentResponses,
  isRetryable,
  replayedHeader,
  requestIdOf,
  retryHeader,
} from '../../../src/gateway/run.js';
import { faultOf } from './faults.js';
import { bytesOf } from './kept.js';
import type { Answer } from './replies.js';
import { faultAnswer } from './respond.js';

/**
 * Runs a write with an `Idempotency-Key` once, and repeats its response for later requests with the same key. Errors are repeated, too, except
 * temporary errors after which nothing was changed. Without the header, the write always runs.
 */
export function answerOnce(
  answers: IdempotentResponses | undefined,
  request: IncomingMessage,
  response: ServerResponse,
  caller: Caller,
  work: (fence?: Claim['fence']) => Promise<Answer>,
): Promise<Answer> {
  if (!answers || request.method === 'GET' || request.method === 'HEAD') return work();
  const key = request.headers[retryHeader.toLowerCase()];
  return typeof key !== 'string' ? work() : underKey(key, answers, request, response, caller, work);
}

async function underKey(
  key: string,
  answers: IdempotentResponses,
  request: IncomingMessage,
  response: ServerResponse,
  caller: Caller,
  work: (fence?: Claim['fence']) => Promise<Answer>,
): Promise<Answer> {
  const { body: sent } = request as { body?: unknown };
  const begun = await answers.claim(key, caller, [request.method ?? '', request.url ?? '', Buffer.isBuffer(sent) ? sent : '']);
  if (!('save' in begun)) {
    response.setHeader(...replayedHeader);
    const { status, type, body } = begun;
    return type ? { status, bytes: body } : { status };
  }
  try {
    const answer = await work(begun.fence)
      .then(bytesOf)
      .catch((error: unknown) => {
        const fault = faultOf(error);
        if (isRetryable(fault.status)) throw error;
        return bytesOf(faultAnswer(fault, requestIdOf(response)));
      });
    if (isRetryable(answer.status)) await begun.release();
    else await begun.save({ status: answer.status, type: answer.bytes ? 'json' : '', body: answer.bytes ?? Buffer.of() });
    return answer;
  } catch (error) {
    await begun.release();
    throw error;
  }
}
