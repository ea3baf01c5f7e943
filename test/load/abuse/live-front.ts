import { graphOfModules } from '../../../src/graphql/graph.js';
import { tokens } from './attacked.js';
import type { RequestKind } from './campaign.js';
import { commonProblem, isPublicErrorCode, jsonOf, leakIn, type ProblemText } from './checks.js';
import type { Draw } from './draw.js';
import { operationFor } from './graphql-operations.js';
import { hostileTexts, jsonText } from './hostile-values.js';
import { frameOf, type LiveRequest, sendLive } from './live-wire.js';
import type { Pools } from './pools.js';
import type { ReceivedResponse } from './wire.js';

interface LiveCase {
  readonly sent: LiveRequest;
}

const callers: readonly [string, string][][] = [
  [['PB-API-TOKEN', tokens.platform]],
  [['PB-USER-TOKEN', tokens.admin]],
  [['PB-USER-TOKEN', tokens.user]],
  [['PB-API-TOKEN', tokens.key]],
  [],
];

const init = (payload?: unknown) => ({ type: 'connection_init', payload });

/** Permitted close codes of the WebSocket protocol and of the subscription protocol. */
const codes = [1000, 1001, 1002, 1003, 1005, 1007, 1009, 1013, 4400, 4401, 4403, 4406, 4408, 4409, 4429];
const types = ['connection_ack', 'next', 'error', 'complete', 'ping', 'pong'];

/** Changes that make the messages of a socket, or their bytes, invalid. */
const breaks: ((draw: Draw, messages: unknown[], pieces: Buffer[]) => void)[] = [
  (draw, messages) => messages.splice(draw.upTo(messages.length), 0, init()),
  (draw, messages) => messages.splice(draw.upTo(messages.length - 1), 1),
  (draw, messages) => messages.push(draw.pick(messages)),
  (draw, messages) =>
    messages.push({ id: draw.pick(hostileTexts), type: draw.pick(['subscribe', 'complete', 'next', 'start', 'ping']) }),
  (draw, messages) => messages.push({ type: 'ping', payload: draw.pick(hostileTexts) }),
  (draw, messages) =>
    messages.unshift(init({ 'pb-user-token': draw.pick(hostileTexts), authorization: draw.pick(['', 'Bearer x', 7]) })),
  (draw, messages) =>
    messages.push(draw.pick([null, [], 7, 'text', {}, { type: null }, { type: 'subscribe', id: '', payload: 1 }])),
  (_draw, messages) =>
    messages.push({ id: 'deep', type: 'ping', payload: JSON.parse(`{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`) }),
  (draw, _, pieces) => pieces.push(frameOf(Buffer.from('{"type"'), { head: draw.upTo(255) })),
  (draw, _, pieces) => pieces.push(frameOf(Buffer.from('{}'), { isMasked: false, length: draw.upTo(200) })),
  (draw, _, pieces) => pieces.push(frameOf(Buffer.from('x'), { length: draw.pick([300_000, 2 ** 31, 0, 127]) })),
  (_draw, _, pieces) => pieces.push(frameOf(Buffer.from([0xc3, 0x28]))),
  (draw, _, pieces) => pieces.push(Buffer.from(Array.from({ length: draw.upTo(40) }, () => draw.upTo(255)))),
  (_draw, _, pieces) => pieces.push(frameOf(Buffer.alloc(0), { head: 0x01 }), frameOf(Buffer.alloc(0), { head: 0x81 })),
  (_draw, _, pieces) => pieces.push(...Array.from({ length: 50 }, () => frameOf(Buffer.alloc(100), { head: 0x89 }))),
];

const handshake: readonly [string, string][] = [
  ['Connection', 'Upgrade'],
  ['Upgrade', 'websocket'],
  ['Sec-WebSocket-Version', '13'],
  ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
  ['Sec-WebSocket-Protocol', 'graphql-transport-ws'],
];

/** Returns the handshake headers with one header omitted, duplicated or replaced. */
function brokenHandshake(draw: Draw): readonly [string, string][] {
  const lineIndex = draw.upTo(handshake.length - 1);
  const [name] = handshake[lineIndex] as [string, string];
  const other = (value: string): [string, string] => [name, value];
  const values = ['', 'x', '13, 13', 'h2c', 'graphql-ws', ',,', 'a'.repeat(9_000), 'websocket'];
  return draw.chance(0.3)
    ? handshake.toSpliced(lineIndex, 1)
    : handshake.toSpliced(lineIndex, draw.upTo(1), other(draw.pick(values)));
}

function overSocket(draw: Draw, operation: object, isWhole: boolean): LiveRequest {
  const messages: unknown[] = [init(), { id: '1', type: 'subscribe', payload: operation }, { type: 'ping' }];
  const after: Buffer[] = [];
  if (!isWhole) for (let remaining = 1 + draw.upTo(2); remaining > 0; remaining--) draw.pick(breaks)(draw, messages, after);
  const pieces = [...messages.map((message) => frameOf(Buffer.from(jsonText(message ?? null)))), ...after];
  const lines = !isWhole && draw.chance(0.3) ? brokenHandshake(draw) : handshake;
  return { method: 'GET', path: '/graphql', headers: [...lines, ...draw.pick(callers)], pieces };
}

const overEvents = (draw: Draw, operation: object): LiveRequest => ({
  method: 'POST',
  path: '/graphql',
  headers: [
    ['Content-Type', 'application/json'],
    ['Accept', draw.pick(['text/event-stream', 'text/event-stream, application/json', '*/*', 'text/event-stream;q=0'])],
    ...draw.pick(callers),
  ],
  body: jsonText(operation),
  pieces: [],
});

/** Returns the problem with a line that a socket received, or null. */
function wrongLine(line: string): ProblemText {
  const closed = /^closed (\d+)$/.exec(line)?.[1];
  if (closed !== undefined) return codes.includes(Number(closed)) ? null : `the socket was closed with the code ${closed}`;
  if (line.startsWith('broken ')) return `the service sent an invalid frame: ${line}`;
  const { type, payload } = (jsonOf(line) ?? {}) as { type?: string; payload?: { extensions?: { code?: unknown } }[] };
  if (!types.includes(String(type))) return `a message has the unexpected type ${type}: ${line.slice(0, 200)}`;
  const isInvalid =
    type === 'error'
      ? payload?.find(({ extensions }) => extensions?.code === 'INTERNAL' || !isPublicErrorCode(extensions?.code))
      : null;
  return isInvalid ? `an error with an internal or unknown code: ${line.slice(0, 300)}` : null;
}

function check(_: LiveCase, response: ReceivedResponse): ProblemText {
  const problem = commonProblem(response, [101, 200, 406, 426]) ?? leakIn(response.text);
  if (problem) return problem;
  if (response.status !== 101) return /"code":"INTERNAL"/.test(response.text) ? `INTERNAL: ${response.text.slice(0, 300)}` : null;
  return response.text.split('\n').filter(Boolean).map(wrongLine).find(Boolean) ?? null;
}

/**
 * Returns the generator of subscriptions over server-sent events and WebSockets. It covers all root fields in turn, with valid and invalid
 * messages and frames.
 */
export function liveFront(pools: Pools) {
  const schema = graphOfModules();
  const roots = Object.values(schema.getSubscriptionType()?.getFields() ?? {});
  let openedSockets = 0;
  const front: RequestKind<LiveCase> = {
    name: 'live',
    make(draw, number) {
      const root = roots[number % roots.length] as (typeof roots)[number];
      const { query, variables } = operationFor(draw, schema, pools, 'subscription', root);
      const isWhole = Math.floor(number / roots.length) % 2 === 0;
      const operation = { query: isWhole || draw.chance(0.7) ? query : draw.pick(hostileTexts), variables };
      return { sent: number % 3 ? overSocket(draw, operation, isWhole) : overEvents(draw, operation) };
    },
    send: (origin, sent) => sendLive(origin, sent as LiveRequest),
    check,
    onResponse(_, { status, headers }) {
      if (status === 101 || String(headers['content-type']).startsWith('text/event-stream')) openedSockets += 1;
    },
  };
  return {
    ...front,
    isRefused: () => false,
    refused: () => [],
    figures: () => `subscriptions (${openedSockets} connections opened)`,
  };
}
