import { type ExecutionResult, GraphQLError, getOperationAST } from 'graphql';
import type { Plugin, YogaInitialContext } from 'graphql-yoga';
import type { Context } from '../../kernel/declare/context.js';
import { codeOf, isCode, statuses } from '../../kernel/declare/errors.js';
import { type First, type FirstAnswers, isWorthRetrying, replayed, retryHeader } from './first-answers.js';
import type { FirstAnswer } from './seal.js';

/** Whether a mutation did nothing, and may do something when it is tried again. What did a part of its work has to be kept. */
function isForNothing({ data, errors = [] }: ExecutionResult): boolean {
  const failed = new Set(errors.flatMap(({ path }) => (path?.length === 1 ? path : [])));
  const isDone = errors.some(({ path }) => path && path.length > 1) || Object.keys(data ?? {}).some((name) => !failed.has(name));
  return !isDone && errors.some(({ extensions: { code } }) => isCode(code) && isWorthRetrying(statuses[code]));
}

/** What became of a request with a key before its operation was run. */
type Begun = { first: First; isForNothing?: boolean } | { again: FirstAnswer } | { refusal: GraphQLError };

/** What leaves: the answer that was given before, what is wrong with the key, or the answer of now, once it is known whether it is kept. */
async function answerOf(state: Begun, response: Response): Promise<[body: BodyInit, init: ResponseInit]> {
  const type = response.headers.get('content-type') ?? '';
  if ('again' in state) {
    const { status, body, type } = state.again;
    return [new Uint8Array(body), { status, headers: { 'content-type': type, [replayed[0]]: replayed[1] } }];
  }
  if ('refusal' in state) {
    const { code, retryAfter } = state.refusal.extensions;
    const headers = { 'content-type': type, ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }) };
    return [JSON.stringify({ errors: [state.refusal] }), { status: statuses[isCode(code) ? code : 'BAD_INPUT'], headers }];
  }
  const { status } = response;
  // Its length is known now, and what is sent in chunks has none.
  const headers = [...response.headers].filter(([name]) => !/^(transfer-encoding|content-length)$/i.test(name));
  const text = await response.text();
  if (state.isForNothing ?? isWorthRetrying(status)) await state.first.forget();
  else await state.first.keep({ status, type, body: Buffer.from(text) });
  return [text, { status, headers }];
}

/** Gives mutations with an Idempotency-Key their first answer again. Their answer is kept as it leaves, whether the client is still there or not. */
export function replay(answers: FirstAnswers): Plugin<Context> {
  const begun = new WeakMap<Request, Begun>();

  async function begin(key: string, { caller, params, sql }: Context & YogaInitialContext): Promise<Begun> {
    const request = ['/graphql', params.query ?? '', params.operationName ?? '', JSON.stringify(params.variables ?? {})];
    try {
      const answer = await answers.begin(key, caller, request);
      if (!('keep' in answer)) return { again: answer };
      sql.fence = answer.fence;
      return { first: answer };
    } catch (error) {
      if (error instanceof GraphQLError && codeOf(error)) return { refusal: error };
      throw error;
    }
  }

  return {
    onExecute({ args, setResultAndStopExecution }) {
      const context = args.contextValue as Context & YogaInitialContext;
      const key = context.client.header(retryHeader);
      if (key === undefined || context.caller.rejected) return undefined;
      if (getOperationAST(args.document, args.operationName)?.operation !== 'mutation') return undefined;
      return begin(key, context).then((state) => {
        begun.set(context.request, state);
        if (!('first' in state)) setResultAndStopExecution({ data: null });
      });
    },
    onResultProcess({ request, result }) {
      const state = begun.get(request);
      if (state && 'first' in state && ('data' in result || 'errors' in result)) state.isForNothing = isForNothing(result);
    },
    // No promise for requests without a key, which are nearly all.
    onResponse: ({ request, response, setResponse, fetchAPI: { Response } }) => {
      const state = begun.get(request);
      return state && answerOf(state, response).then(([body, init]) => setResponse(new Response(body, init)));
    },
  };
}
