import type { Draw } from './draw.js';
import { hostileTexts, hostileValue, rawNumbers } from './hostile-values.js';

/** Parts of a `/graphql` request. */
export interface GraphqlDraft {
  method: string;
  headers: [name: string, value: string][];
  /** The body, or the query parameters of a GET request. */
  body: Record<string, unknown>;
  /** Text to send instead of `body`. */
  text?: string;
}

type Break = (draw: Draw, draft: GraphqlDraft) => void;

const queryOf = ({ body }: GraphqlDraft): string => String(body.query);
const variablesOf = ({ body }: GraphqlDraft) => body.variables as Record<string, unknown>;

/** Returns a random object nested in a value, or the value itself. Null if the value is not an object. */
function someObject(draw: Draw, value: unknown): Record<string, unknown> | null {
  if (typeof value !== 'object' || value === null) return null;
  const inner = Object.values(value).filter((item) => typeof item === 'object' && item !== null);
  const next = inner.length && draw.chance(0.6) ? someObject(draw, draw.pick(inner)) : null;
  return next ?? (value as Record<string, unknown>);
}

const pieces = [
  '{',
  '}',
  '(',
  ')',
  '[',
  ']',
  '"',
  '"""',
  '$',
  '@',
  '...',
  '!',
  ':',
  '|',
  '&',
  '#',
  '\\u{110000}',
  '\\uD83D',
  '\0',
  '\u202e',
  '€',
  '1e999',
  '-',
  'null',
  'fragment',
  'on',
  'query',
  'subscription { x }',
  '@include',
  '@skip(if: 1)',
  '@x(y: {z: [1]})',
  '__schema { types { name } }',
  '__type(name: "User") { fields { name } }',
];
const documents = [
  '',
  ' ',
  '{',
  '{ }',
  'query',
  '# nothing',
  '{ a }',
  'query A { __typename } query B { __typename }',
  'fragment F on Query { ...F } { ...F }',
  'fragment F on Query { ...G } fragment G on Query { ...F } { ...F }',
  '{ ...Missing }',
  'subscription { __typename }',
  'type T { a: Int }',
  'query ($a: Nothing) { __typename }',
  'query ($a: Int = "x") { tournaments(first: $a) { totalCount } }',
  'query ($a: Int, $a: Int) { __typename }',
  '{ tournaments(first: 1, first: 2) { totalCount } }',
  '{ tournaments(filter: {id: {eq: "\\u0000"}}) { totalCount } }',
  '{ tournaments(filter: {title: {eq: "\\uD800"}}) { totalCount } }',
  '{ tournaments(first: 99999999999999999999) { totalCount } }',
  '{ tournaments(after: "x") { totalCount } }',
  '{ node(id: "\\u0000") { nodeId } }',
  `{ ${'a:__typename '.repeat(500)} }`,
  `{ ${Array.from({ length: 200 }, (_, at) => `a${at}:__typename`).join(' ')} }`,
  `${'{ node(id: "x") '.repeat(60)}{ nodeId }${' }'.repeat(60)}`,
  `{ __typename ${'@include(if: true) '.repeat(80)} }`,
  `{ tournaments(filter: ${'{not: '.repeat(200)}{}${'}'.repeat(200)}) { totalCount } }`,
  `{ tournaments(filter: {or: [${'{},'.repeat(1_000)}]}) { totalCount } }`,
  `{ ${'{'.repeat(20_000)}`,
  `query(${Array.from({ length: 1_500 }, (_, at) => `$a${at}:Int`).join()}){__typename}`,
  '{ __schema { types { fields { type { ofType { ofType { ofType { name } } } } } } } }',
];
const texts = [
  '',
  '[]',
  '[{"query":"{__typename}"}]',
  'null',
  '"x"',
  '{',
  '{"query":1}',
  '{"query":["{__typename}"]}',
  '{"query":"{__typename}","variables":[]}',
  '{"query":"{__typename}","variables":"{}"}',
  '{"query":"{__typename}","extensions":[]}',
  '{"query":"{__typename}","operationName":1}',
  '{"query":"{__typename}","id":"x"}',
  '{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"x"}}}',
  '{"query":"{__typename}","extensions":{"persistedQuery":{"version":9,"sha256Hash":"x"}}}',
  `{"query":"{__typename}","variables":${'{"a":'.repeat(3_000)}1${'}'.repeat(3_000)}}`,
  `{"query":"{__typename}","query":"{x}"}`,
];

const headers: [string, string][] = [
  ['content-type', 'text/plain'],
  ['content-type', 'application/graphql'],
  ['content-type', 'application/x-www-form-urlencoded'],
  ['content-type', 'multipart/form-data; boundary=x'],
  ['content-type', 'application/json; charset=utf-16'],
  ['content-encoding', 'gzip'],
  ['content-encoding', 'zstd'],
  ['accept', 'text/html'],
  ['accept', 'text/event-stream'],
  ['accept', 'image/png'],
  ['accept', 'multipart/mixed'],
  ['accept', ',;q='],
  ['Idempotency-Key', ''],
  ['Idempotency-Key', 'x'.repeat(256)],
  ['Idempotency-Key', 'abuse'],
  ['Origin', 'https://evil.example'],
  ['Origin', 'null'],
  ['consistency-token', 'x'],
  ['PB-API-TOKEN', 'garbage'],
  ['PB-USER-TOKEN', 'garbage'],
  ['Authorization', 'Bearer '],
  ['Authorization', 'Basic eDp5'],
  ['traceparent', '00-zz'],
];

const breaks: readonly Break[] = [
  (draw, draft) => {
    const variables = variablesOf(draft);
    const names = Object.keys(variables);
    if (names.length) variables[draw.pick(names)] = draw.of(hostileValue);
  },
  (draw, draft) => {
    const target = someObject(draw, variablesOf(draft));
    const names = Object.keys(target ?? {});
    if (target && names.length) target[draw.pick(names)] = draw.chance(0.2) ? draw.pick(rawNumbers) : draw.of(hostileValue);
  },
  (draw, draft) => {
    const target = someObject(draw, variablesOf(draft));
    if (target) target[draw.pick(['x', 'id', '__proto__', ''])] = draw.of(hostileValue);
  },
  (draw, draft) => {
    const variables = variablesOf(draft);
    for (const name of Object.keys(variables)) if (draw.chance(0.5)) delete variables[name];
  },
  // Replaces a literal of the document with another literal.
  (draw, draft) => {
    const wanted = draw.upTo(5);
    let index = 0;
    const other = () =>
      draw.pick([
        JSON.stringify(draw.pick(hostileTexts)),
        '1e400',
        '-1',
        '99999999999',
        'null',
        'true',
        'NOTHING',
        '{}',
        '[]',
        '{a: [1]}',
        '$missing',
        '""',
      ]);
    draft.body.query = queryOf(draft).replace(/(?<=: )(?:"[^"]*"|[\d.]+|[A-Z_]{2,})/g, (literal) =>
      index++ === wanted ? other() : literal,
    );
  },
  (draw, draft) => {
    const query = queryOf(draft);
    const position = draw.upTo(query.length);
    draft.body.query =
      query.slice(0, position) + draw.pick(pieces) + query.slice(draw.chance(0.5) ? position : position + draw.upTo(10));
  },
  (draw, draft) => {
    const wanted = draw.upTo(12);
    let index = 0;
    draft.body.query = queryOf(draft).replace(/\b[a-z]\w+/g, (name) =>
      index++ === wanted ? draw.pick(['nope', 'id', '__typename', 'nodes']) : name,
    );
  },
  (draw, draft) => {
    draft.body.query = draw.pick(documents);
  },
  (draw, draft) => {
    draft.text = draw.pick(texts);
  },
  (draw, draft) => {
    draft.headers.push(draw.pick(headers));
  },
  (draw, draft) => {
    draft.method = draw.pick(['GET', 'GET', 'HEAD', 'PUT', 'OPTIONS', 'DELETE']);
  },
  (draw, draft) => {
    draft.body[draw.pick(['operationName', 'extensions', 'variables', 'query', 'id', 'documentId', 'x'])] = draw.of(hostileValue);
  },
];

/** Makes a request invalid in one or several places. */
export function breakOperation(draw: Draw, draft: GraphqlDraft): void {
  for (let remaining = draw.pick([1, 1, 1, 2, 3]); remaining > 0; remaining--) {
    // A part that an earlier change has replaced cannot be changed again.
    if (typeof draft.body.query !== 'string' || typeof draft.body.variables !== 'object' || !draft.body.variables) return;
    draw.pick(breaks)(draw, draft);
  }
}
