import { type ExecutionResult, GraphQLError, getOperationAST } from 'graphql';
import type { Plugin, YogaInitialContext } from 'graphql-yoga';
import type { Context } from '../../kernel/declare/context.js';
import { codeOf, isCode, statuses } from '../../kernel/declare/errors.js';
import { consistencyHeader, type ReadYourWrites } from '../read-your-writes/index.js';
import type { StoredResponse } from './request-cipher.js';
import { type IdempotentResponses, idempotencyKeyHeader, isRetryable, type KeyClaim, replayedHeader } from './responses.js';

/** Whether a mutation changed nothing and can be retried. False if at least one of its fields was executed. */
function canRetry({ data, errors = [] }: ExecutionResult): boolean {
  const failedFields = new Set(errors.flatMap(({ path }) => (path?.length === 1 ? path : [])));
  const isDone =
    errors.some(({ path }) => path && path.length > 1) || Object.keys(data ?? {}).some((name) => !failedFields.has(name));
  return !isDone && errors.some(({ extensions: { code } }) => isCode(code) && isRetryable(statuses[code]));
}

/** State of a request with an Idempotency-Key: a claim on the key, the stored response, or an error about the key. */
type ReplayState =
  | { claim: KeyClaim; canRetry?: boolean }
  | { storedResponse: StoredResponse; consistencyToken: string | null }
  | { refusal: GraphQLError };

/**
 * Returns the response to send: the stored response, an error about the key, or the new response. Saves a new response, or releases the key
 * if the request had no effect.
 */
async function responseFor(state: ReplayState, response: Response): Promise<[body: BodyInit, init: ResponseInit]> {
  const type = response.headers.get('content-type') ?? '';
  if ('storedResponse' in state) {
    const { storedResponse, consistencyToken } = state;
    const { status, body, type } = storedResponse;
    const headers = new Headers({ 'content-type': type, [replayedHeader[0]]: replayedHeader[1] });
    if (consistencyToken !== null) headers.set(consistencyHeader, consistencyToken);
    return [new Uint8Array(body), { status, headers }];
  }
  if ('refusal' in state) {
    const { code, retryAfter } = state.refusal.extensions;
    // The response type can be an event stream, but the body is JSON.
    const jsonType = type.includes('json') ? type : 'application/json; charset=utf-8';
    const headers = { 'content-type': jsonType, ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }) };
    return [JSON.stringify({ errors: [state.refusal] }), { status: statuses[isCode(code) ? code : 'BAD_INPUT'], headers }];
  }
  const { status } = response;
  // The body is sent as a whole, so the original headers for its length and transfer do not apply.
  const headers = [...response.headers].filter(([name]) => !/^(transfer-encoding|content-length)$/i.test(name));
  const text = await response.text();
  if (state.canRetry ?? isRetryable(status)) await state.claim.release();
  else await state.claim.save({ status, type, body: Buffer.from(text) });
  return [text, { status, headers }];
}

/**
 * Yoga plugin for mutations with an Idempotency-Key. Saves the response to the first request, even if the client has disconnected, and
 * sends it again for repeated requests.
 */
export function idempotencyPlugin(responses: IdempotentResponses, consistency: ReadYourWrites): Plugin<Context> {
  const states = new WeakMap<Request, ReplayState>();

  async function claimKey(key: string, { caller, params, sql }: Context & YogaInitialContext): Promise<ReplayState> {
    const request = ['/graphql', params.query ?? '', params.operationName ?? '', JSON.stringify(params.variables ?? {})];
    try {
      const claim = await responses.claim(key, caller, request);
      if (!('save' in claim)) {
        // The client may not have received the token of the first response. A new token covers the same write.
        sql.usePrimary();
        return { storedResponse: claim, consistencyToken: await consistency.currentToken(sql) };
      }
      sql.fence = claim.fence;
      return { claim };
    } catch (error) {
      if (error instanceof GraphQLError && codeOf(error)) return { refusal: error };
      throw error;
    }
  }

  return {
    onExecute({ args, setResultAndStopExecution }) {
      const context = args.contextValue as Context & YogaInitialContext;
      const key = context.client.header(idempotencyKeyHeader);
      if (key === undefined || context.caller.rejected) return undefined;
      if (getOperationAST(args.document, args.operationName)?.operation !== 'mutation') return undefined;
      return claimKey(key, context).then((state) => {
        states.set(context.request, state);
        if (!('claim' in state)) setResultAndStopExecution({ data: null });
      });
    },
    onResultProcess({ request, result }) {
      const state = states.get(request);
      if (state && 'claim' in state && ('data' in result || 'errors' in result)) state.canRetry = canRetry(result);
    },
    // Avoids a promise for requests without a key, which are the most common.
    onResponse: ({ request, response, setResponse, fetchAPI: { Response } }) => {
      const state = states.get(request);
      return state && responseFor(state, response).then(([body, init]) => setResponse(new Response(body, init)));
    },
  };
}
