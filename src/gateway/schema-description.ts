import { meanings } from '../kernel/declare/error-meanings.js';
import { type Code, statuses } from '../kernel/declare/errors.js';
import { maxConditions, maxSteps, stepSize } from '../kernel/read/filter.js';
import { defaultFirst, maxFirst } from '../kernel/read/part.js';
import { maxComplexity } from './complexity.js';
import { maxValues } from './json-values.js';
import {
  maxAliases,
  maxBodyBytes,
  maxCharacters,
  maxDepth,
  maxDirectives,
  maxIntrospectionDepth,
  maxOperations,
  maxSameKeys,
  maxSchemas,
  maxSelections,
  maxTokens,
} from './limits.js';
import { assumedItems, mutationCost } from './weights.js';

const isCode = (key: string): key is Code => Object.hasOwn(statuses, key);

const errors = Object.keys(statuses)
  .filter(isCode)
  .map((code) => `| \`${code}\` | ${statuses[code]} | ${meanings[code]} |`);

/** What whoever reads the graph has to know beside its types: the description of the schema itself. */
export const schemaDescription: string = `
Tournaments, leagues, clubs, games, rankings, news and officials of Courtside.

## Headers

- \`PB-API-TOKEN\`: the token of a platform, or a publishable key (\`pk_…\`) of its pages and apps.
- \`PB-USER-TOKEN\`: the token of a signed-in user, which \`login\` gives.
- \`Authorization: Bearer …\`: a user token or a publishable key, as well. Headers that contradict each other are BAD_INPUT.
- \`Idempotency-Key\`: a text of your own for one mutation, of at most 255 printable characters. Sent again within a day, the request gets its first answer.

Who may call or read a field that is not for everybody stands at the end of its description: "For: …".

## Answers and errors

Whatever was executed is a 200. What is refused is null at its place, with an error that has the \`path\`; nothing beside it is lost. What cannot be executed at all, because of its document, its variables or a limit, has the status of its code and no \`data\`. Each error has an \`extensions.code\` of this table:

| code | status | meaning |
|---|---|---|
${errors.join('\n')}

Clients that send documents by their hashes know \`PERSISTED_QUERY_NOT_FOUND\` (send the text), \`PERSISTED_QUERY_MISMATCH\` and \`PERSISTED_QUERY_ONLY\` besides.

## Limits

What goes beyond one of these is BAD_INPUT and is not run:

- Characters: ${maxCharacters} in a document; long texts go into variables.
- Operations: ${maxOperations} in a document.
- Depth: ${maxDepth} levels, of which a fragment is one. What is selected of \`__schema\` does not count: it may have ${maxIntrospectionDepth} levels, without those of fragments. A document may ask for \`__schema\` ${maxSchemas} times.
- Aliases: ${maxAliases} in an operation, those of \`__typename\` among them.
- Directives: ${maxDirectives} in an operation.
- Selections: ${maxSelections} in a document, those of a fragment counted wherever it is spread.
- Repetitions: ${maxSameKeys} pairs of fields with the same key in the same place.
- Tokens: ${maxTokens} in a document.
- Cost: ${maxComplexity}. A field costs 1 and what is selected below it, a mutation ${mutationCost}, and each input object of its arguments 1. A list that takes \`first\` or \`last\` costs 1 and, as many times as it may have items (${defaultFirst} where neither is given), what an item costs; any other list costs as much as ${assumedItems} items. What a connection has, its \`pageInfo\` among that, costs nothing itself, nor does \`__typename\`. \`extensions.cost\` of each answer, also of one that is refused for it, has the \`cost\` of the operation and the \`limit\`.
- Filters: ${maxConditions} conditions; a step to another record counts as ${stepSize}.
- Body: ${maxBodyBytes} bytes, or TOO_LARGE; ${maxValues} values, counted where it has more than 65536 bytes.

Who sends no token and no key may be refused introspection (UNAUTHENTICATED), and is not told which name was meant where one is unknown.

## Filters and orders

- All conditions of a \`filter\` have to hold. \`and\`, \`or\` and \`not\` combine filters.
- Fields of a filter mean the fields of the items. \`locationCity\` is \`location { city }\`.
- A relation takes conditions on its record, and a list of records \`some\` or \`none\`: at least one meets all conditions, or none does. \`{}\` is met by every record. A filter follows at most ${maxSteps} relations. Records that the caller cannot see meet no condition.
- \`orderBy\` takes fields of the items, the most important first. Equal items are ordered by ID.

## Paging

Lists are connections: \`nodes\`, or \`edges\` with a \`cursor\` each, \`totalCount\` and \`pageInfo\`. \`first\` with \`after\` reads on from a cursor, \`last\` with \`before\` reads back from one; both may be 0 to ${maxFirst}, not together. A cursor is opaque, belongs to its list in its order, and skips or repeats nothing while records come and go. \`offset\` skips rows from the front.
`.trim();
