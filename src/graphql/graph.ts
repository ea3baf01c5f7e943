import type { GraphQLSchema } from 'graphql';
import { type Code, statuses } from '../kernel/declare/errors.js';
import { codeDescriptions } from '../kernel/declare/scalars/codes.js';
import { conditionsPerRelation, maxConditions, maxNestedRelations } from '../kernel/read/conditions/filter.js';
import { defaultFirst, maxFirst } from '../kernel/read/paging/page-args.js';
import { buildGraph } from '../kernel/serve/schema.js';
import { modules } from '../modules/index.js';
import { maxValues } from './coercion/json-values.js';
import { maxComplexity } from './limits/complexity.js';
import {
  maxAliases,
  maxBodyBytes,
  maxCharacters,
  maxDepth,
  maxDirectives,
  maxIntrospectionDepth,
  maxOperations,
  maxSameKeyPairs,
  maxSchemaSelections,
  maxSelections,
  maxTokens,
} from './limits/request-limits.js';
import { assumedItems, mutationCost } from './limits/weights.js';

let graph: GraphQLSchema | undefined;

/** Returns the executable schema of all modules. It is built once per process. */
export function graphOfModules(): GraphQLSchema {
  graph ??= withDescriptions(buildGraph(modules));
  return graph;
}

/**
 * Builds the schema of some modules, for a process that serves only their subgraphs. type-graphql caches fields globally, so a
 * process can build either this schema or the full one.
 */
export const buildPartialGraph = (names: readonly string[]): GraphQLSchema => withDescriptions(buildGraph(modules, names));

function withDescriptions(schema: GraphQLSchema): GraphQLSchema {
  schema.description = schemaDescription;
  for (const [type, text] of [
    // Composition drops the description of a schema, so it is repeated on `Query`.
    [schema.getQueryType(), `All queries.\n\n${schemaDescription}`],
    [
      schema.getMutationType(),
      'All mutations. The fields of an operation run in order, and an error does not undo the previous fields. See the description of the schema or of `Query` for headers, errors and limits.',
    ],
    [
      schema.getSubscriptionType(),
      'All subscriptions, over server-sent events or WebSocket. An operation has one field. To resume after an event, pass its cursor to a new subscription. Every committed change is sent, and the changes to a record are sent in order. After a reconnect, a change may be sent twice, with the same cursor.',
    ],
  ] as const)
    if (type) type.description = text;
  return schema;
}

const isCode = (key: string): key is Code => Object.hasOwn(statuses, key);

const errors = Object.keys(statuses)
  .filter(isCode)
  .map((code) => `| \`${code}\` | ${statuses[code]} | ${codeDescriptions[code]} |`);

/** Description of the schema: rules that apply to all operations. */
export const schemaDescription: string = `
Tournaments, leagues, clubs, games, rankings, news and officials of Courtside.

## Headers

- \`PB-API-TOKEN\`: the token of a platform, or a publishable key (\`pk_…\`) of its pages and apps.
- \`PB-USER-TOKEN\`: the token of a signed-in user, which \`login\` returns.
- \`Authorization: Bearer …\`: a user token or a publishable key. Contradictory headers cause BAD_INPUT.
- \`Idempotency-Key\`: a unique string for one mutation, of 1 to 255 printable ASCII characters. A retry with the same key within a day returns the first response.

If a field is restricted, its description ends with the permitted callers: "For: …".

## Responses and errors

Executed operations return 200. A refused field is null, and its error contains the \`path\` of the field. Other fields are not affected. Operations that cannot be executed, because of the document, the variables or a limit, return the status of their error code and no \`data\`. Each error has an \`extensions.code\`:

| code | status | meaning |
|---|---|---|
${errors.join('\n')}

Persisted queries have further codes: \`PERSISTED_QUERY_NOT_FOUND\` (send the document), \`PERSISTED_QUERY_MISMATCH\` and \`PERSISTED_QUERY_ONLY\`.

## Inputs

IDs and names of reference data, such as currencies, countries, states, time zones, tiers and formats, must exist. Otherwise, the error is BAD_INPUT. Other IDs can be set before their records exist.

## Limits

An operation that exceeds a limit is refused with BAD_INPUT:

- Characters: ${maxCharacters} in a document. Pass long texts as variables.
- Operations: ${maxOperations} in a document.
- Depth: ${maxDepth} levels. A fragment counts as one level. Selections of \`__schema\` have a separate limit of ${maxIntrospectionDepth} levels, without fragments. A document can select \`__schema\` at most ${maxSchemaSelections} times.
- Aliases: ${maxAliases} in an operation, including those of \`__typename\`.
- Directives: ${maxDirectives} in an operation.
- Selections: ${maxSelections} in a document. The selections of a fragment count each time it is spread.
- Repetitions: ${maxSameKeyPairs} pairs of fields with the same response key in the same selection.
- Tokens: ${maxTokens} in a document.
- Cost: ${maxComplexity}. A field costs 1 plus the cost of its selections, a mutation ${mutationCost}, and each input object in arguments 1. A list with \`first\` or \`last\` costs 1 plus the cost of that many items (default: ${defaultFirst}). Any other list costs as much as ${assumedItems} items. Fields of a connection, such as \`pageInfo\`, and \`__typename\` cost nothing. \`extensions.cost\` of each response contains the \`cost\` of the operation and the \`limit\`, even if the operation is refused because of its cost.
- Filters: ${maxConditions} conditions. A relation counts as ${conditionsPerRelation}.
- Body: ${maxBodyBytes} bytes, otherwise TOO_LARGE. A body of more than 65536 bytes can contain ${maxValues} values.

In production, callers without a token or key cannot use introspection (UNAUTHENTICATED), and their error messages reveal no names of fields, arguments or enum values.

## Filters and orders

- All conditions of a \`filter\` must match. \`and\`, \`or\` and \`not\` combine filters.
- The fields of a filter correspond to the fields of the items. \`locationCity\` is \`location { city }\`.
- A relation takes conditions on its record. For a list of records, \`some\` requires at least one match, and \`none\` requires no match. \`{}\` matches every record. A filter follows at most ${maxNestedRelations} relations. Records that the caller cannot see never match.
- \`orderBy\` takes fields of the items, the most important first. Equal items are ordered by ID.

## Paging

Lists are connections with \`nodes\` or \`edges\`, \`totalCount\` and \`pageInfo\`. \`first\` with \`after\` reads forward from a cursor, and \`last\` with \`before\` reads backward. Both are 0 to ${maxFirst} and cannot be combined. Cursors are opaque and valid for the same list in the same order. Pages neither skip nor repeat items when records are created or deleted, except those of \`search\` and \`rankings\`, whose cursors are positions. \`offset\` skips items from the start.
`.trim();
