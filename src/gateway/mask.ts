import { GraphQLError, type GraphQLErrorExtensions } from 'graphql';
import type { Logger } from 'pino';
import { codeOf, type Details, isCode, problem, statuses } from '../kernel/errors.js';
import { withoutSecrets } from './without-secrets.js';

/** The error that was thrown, under the ones that executors wrap around it. */
export function rootOf(error: unknown): unknown {
  let root = error;
  while (root instanceof GraphQLError && root.originalError && !codeOf(root)) root = root.originalError;
  return root;
}

/** An error as it may leave: thrown on purpose or about the request itself, it goes out; everything else is logged and masked. */
export function mask(error: unknown, log: Logger): GraphQLError {
  const root = rootOf(error);
  const code = codeOf(root);
  const where = error instanceof GraphQLError ? error : null;
  if (code && root instanceof GraphQLError) {
    const { field, expected, retryAfter } = root.extensions as Details;
    const details = Object.fromEntries(
      Object.entries({ field, expected, retryAfter }).filter(([, value]) => value !== undefined),
    );
    if (code === 'UNAVAILABLE') log.warn({ cause: root.cause instanceof Error ? root.cause.message : undefined }, root.message);
    return located(problem(code, root.message, details), where);
  }
  // The request itself was wrong: its syntax, its shape, or the type of a variable or an argument.
  if (where && (!where.path || (root === where && where.message.startsWith('Argument ')))) {
    const { http } = where.extensions;
    const extensions = { code: codeOfRequest(where.extensions), ...(http ? { http } : {}) };
    return located(new GraphQLError(withoutSecrets(where.message), { extensions }), where);
  }
  log.error({ err: root instanceof Error ? { message: root.message, stack: root.stack } : String(root) }, 'unexpected error');
  return located(problem('INTERNAL', 'internal error'), where);
}

/** The servers have codes of their own for what is wrong with a request; of these, clients have to know persisted queries only. */
function codeOfRequest({ code, http }: GraphQLErrorExtensions): unknown {
  if (isCode(code) || String(code).startsWith('PERSISTED_QUERY_')) return code;
  const { status } = (http ?? {}) as { status?: number };
  return status === statuses.METHOD_NOT_ALLOWED ? 'METHOD_NOT_ALLOWED' : 'BAD_INPUT';
}

const located = (error: GraphQLError, where: GraphQLError | null): GraphQLError =>
  new GraphQLError(error.message, {
    ...(where?.nodes ? { nodes: where.nodes } : {}),
    ...(where?.path ? { path: where.path } : {}),
    extensions: { ...error.extensions },
  });
