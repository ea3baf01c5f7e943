import { GraphQLError, getOperationAST } from 'graphql';
import type { Plugin, YogaInitialContext } from 'graphql-yoga';
import type { Context } from '../../kernel/declare/context.js';
import { codeOf, isCode, statuses } from '../../kernel/declare/errors.js';
import { type First, type FirstAnswers, isWorthRetrying, replayed, retryHeader } from './first-answers.js';
import type { FirstAnswer } from './seal.js';

interface Answered {
  data?: Record<string, unknown> | null;
  errors?: { path?: unknown[]; extensions?: { code?: unknown } }[];
}

/** Whether a mutation did nothing, and may do something when it is tried again. What did a part of its work has to be kept. */
function isForNothing({ data, errors = [] }: Answered): boolean {
  const failed = new Set(errors.flatMap(({ path }) => (path?.length === 1 ? path : [])));
  const isDone = errors.some(({ path }) => path && path.length > 1) || Object.keys(data ?? {}).some((name) => !failed.has(name));
  return !isDone && errors.some(({ extensions }) => isCode(extensions?.code) && isWorthRetrying(statuses[extensions.code]));
}

/** What became of a request with a key before its operation was run. */
type Begun = { first: First } | { again: FirstAnswer } | { refusal: GraphQLError };

/** Gives mutations with an Idempotency-Key their first answer again. Their answer is kept as it leaves, whether the client is still there or not. */
export function replay(answers: FirstAnswers): Plugin<Context> {
  const begun = new WeakMap<Request, Begun>();

  async function begin(key: string, { caller, params }: Context & YogaInitialContext): Promise<Begun> {
    const request = ['/graphql', params.query ?? '', params.operationName ?? '', JSON.stringify(params.variables ?? {})];
    try {
      const answer = await answers.begin(key, caller, request);
      return 'keep' in answer ? { first: answer } : { again: answer };
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
    async onResponse({ request, response, setResponse, fetchAPI }) {
      const state = begun.get(request);
      if (!state) return;
      const type = response.headers.get('content-type') ?? '';
      if ('again' in state) {
        const { status, body, type } = state.again;
        const headers = { 'content-type': type, [replayed[0]]: replayed[1] };
        setResponse(new fetchAPI.Response(new Uint8Array(body), { status, headers }));
      } else if ('refusal' in state) {
        const { code, retryAfter } = state.refusal.extensions;
        const headers = { 'content-type': type, ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }) };
        const status = isCode(code) ? statuses[code] : statuses.BAD_INPUT;
        setResponse(new fetchAPI.Response(JSON.stringify({ errors: [state.refusal] }), { status, headers }));
      } else {
        const { status, headers } = response;
        const text = await response.text();
        if (isForNothing(JSON.parse(text))) await state.first.forget();
        else await state.first.keep({ status, type, body: Buffer.from(text) });
        setResponse(new fetchAPI.Response(text, { status, headers }));
      }
    },
  };
}
