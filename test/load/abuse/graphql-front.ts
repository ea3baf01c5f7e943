import { type GraphQLField, type GraphQLSchema, parse, validate } from 'graphql';
import { graphOfModules } from '../../../src/graphql/graph.js';
import { tokens } from './attacked.js';
import type { RequestKind } from './campaign.js';
import { commonProblem, isPublicErrorCode, jsonOf, leakIn, type ProblemText, tooLongStatus } from './checks.js';
import type { Draw } from './draw.js';
import { breakOperation, type GraphqlDraft } from './graphql-breaking.js';
import { operationFor } from './graphql-operations.js';
import { jsonText } from './hostile-values.js';
import type { Pools } from './pools.js';
import type { RefusedRequest } from './refused.js';
import type { ReceivedResponse, RequestToSend } from './wire.js';

interface GraphqlCase {
  readonly number: number;
  readonly root: string;
  /** Whether the document is valid GraphQL. Its values may still violate business rules. */
  readonly isWhole: boolean;
  readonly isMutation: boolean;
  readonly sent: RequestToSend;
}

interface Body {
  readonly data?: Record<string, unknown> | null;
  readonly errors?: readonly { message?: unknown; extensions?: { code?: unknown } }[];
}

const callers: readonly [string, string][][] = [
  [['PB-API-TOKEN', tokens.platform]],
  [['PB-USER-TOKEN', tokens.admin]],
  [['PB-USER-TOKEN', tokens.user]],
  [
    ['PB-API-TOKEN', tokens.platform],
    ['PB-USER-TOKEN', tokens.admin],
  ],
  [['PB-API-TOKEN', tokens.key]],
  [],
];

function assembled({ method, headers, body, text }: GraphqlDraft): RequestToSend {
  if (method !== 'GET' && method !== 'HEAD') return { method, path: '/graphql', headers, body: text ?? jsonText(body) };
  const fields = Object.entries(body).map(
    ([name, value]) => [name, typeof value === 'string' ? value : jsonText(value)] as const,
  );
  return { method, path: `/graphql?${new URLSearchParams(fields.map(([name, value]) => [name, value]))}`, headers };
}

/** Returns the JSON of a response, including a response that is sent in parts as `multipart/mixed` or as server-sent events. */
const partOf = ({ headers, text }: ReceivedResponse): string =>
  /^(?:multipart|text\/event-stream)/.test(String(headers['content-type'])) ? (/\{.*\}/s.exec(text)?.[0] ?? '') : text;

function wrongErrors({ data, errors }: Body, status: number): ProblemText {
  if (data === undefined && !errors?.length) return 'a response with neither data nor errors';
  for (const { message, extensions } of errors ?? []) {
    if (typeof message !== 'string' || !message) return 'an error without a message';
    if (extensions?.code === 'INTERNAL') return `INTERNAL: ${message}`;
    if (!isPublicErrorCode(extensions?.code)) return `the error code ${extensions?.code} is not documented: ${message}`;
  }
  return status >= 400 && !errors?.length ? `${status} without errors` : null;
}

function check({ sent }: GraphqlCase, response: ReceivedResponse): ProblemText {
  const problem = commonProblem(response, [200, 204, 406]);
  if (problem) return problem;
  if (sent.method === 'HEAD' || sent.method === 'OPTIONS') return null;
  // GraphiQL and its examples are returned only to clients that accept HTML.
  if (String(response.headers['content-type']).startsWith('text/html')) return null;
  if (response.status === tooLongStatus) return null;
  // A client that accepts none of the available media types gets 406.
  if (response.status === 406) return response.text ? `406 with a body: ${response.text}` : null;
  const body = jsonOf(partOf(response));
  if (typeof body !== 'object' || body === null) return `${response.status} without a JSON body: ${response.text.slice(0, 200)}`;
  const leak = leakIn(response.text);
  if (leak) return leak;
  return wrongErrors(body as Body, response.status);
}

/** Whether the request had no effect: the operation was not executed, or every root field was refused. */
function isRefused({ status, text }: ReceivedResponse): boolean {
  const { data, errors } = (jsonOf(text) ?? {}) as Body;
  return status < 500 && Boolean(errors?.length) && Object.values(data ?? {}).every((value) => value === null);
}

function caseFor(
  draw: Draw,
  number: number,
  schema: GraphQLSchema,
  roots: readonly [Sort, GraphQLField<unknown, unknown>][],
  pools: Pools,
): GraphqlCase {
  const [kind, root] = roots[number % roots.length] as (typeof roots)[number];
  const isWhole = Math.floor(number / roots.length) % 2 === 0;
  const { query, variables } = operationFor(draw, schema, pools, kind, root);
  const headers: [string, string][] = [
    ['content-type', 'application/json'],
    ...draw.pick(callers.slice(0, draw.chance(0.2) ? 6 : 2)),
  ];
  const draft: GraphqlDraft = { method: 'POST', headers, body: { query, variables } };
  if (!isWhole) breakOperation(draw, draft);
  return { number, root: root.name, isWhole, isMutation: kind === 'mutation', sent: assembled(draft) };
}

type Sort = 'query' | 'mutation';

/** Checks a rejected valid operation. Limits may reject it, but GraphQL validation may not. */
function wrongRefusal(schema: GraphQLSchema, { isWhole, sent }: GraphqlCase, { status }: ReceivedResponse): ProblemText {
  if (!isWhole || status !== 400) return null;
  const { query } = JSON.parse(String(sent.body));
  const [error] = validate(schema, parse(query));
  return error ? `the generator produced an invalid operation: ${error.message}` : null;
}

/** Returns the generator of `/graphql` requests. It covers all root fields in turn, with valid and invalid requests. */
export function graphqlFront(pools: Pools) {
  const schema = graphOfModules();
  const rootsOf = (kind: Sort): [Sort, GraphQLField<unknown, unknown>][] =>
    Object.values((kind === 'query' ? schema.getQueryType() : schema.getMutationType())?.getFields() ?? {}).map((field) => [
      kind,
      field,
    ]);
  const roots = [...rootsOf('query'), ...rootsOf('mutation')];
  const answered = new Set<string>();
  const refused: RefusedRequest[] = [];
  const front: RequestKind<GraphqlCase> = {
    name: 'graphql',
    make: (draw, number) => caseFor(draw, number, schema, roots, pools),
    check: (testCase, response) => check(testCase, response) ?? wrongRefusal(schema, testCase, response),
    onResponse({ number, root, isWhole, isMutation, sent }, response) {
      const { data } = (jsonOf(response.text) ?? {}) as Body;
      if (isWhole && Object.values(data ?? {}).some((value) => value !== null)) answered.add(root);
      if (isMutation && sent.method === 'POST' && isRefused(response)) refused.push({ case: `graphql:${number}`, sent });
    },
  };
  return {
    ...front,
    isRefused,
    refused: () => refused,
    figures: () => `operations of /graphql (${answered.size} of ${roots.length} root fields also returned data)`,
  };
}
