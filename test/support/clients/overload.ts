import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A raw HTTP request that a hostile client sends, and whether the client reads the response. */
export interface HostileRequest {
  readonly request: string;
  readonly reads: boolean;
}

const requestText = (head: string, headers: string, body = '', length = body.length): string =>
  `${head} HTTP/1.1\r\nHost: localhost\r\n${headers}content-type: application/json\r\ncontent-length: ${length}\r\n\r\n${body}`;

/** Returns the requests of hostile clients. They are about as large or as expensive as the service permits. */
export function hostileRequests(token: string): HostileRequest[] {
  const headers = `PB-API-TOKEN: ${token}\r\n`;
  const graphql = (query: string) => requestText('POST /graphql', headers, JSON.stringify({ query }));
  const values = (count: number) => `[${'{},'.repeat(count)}{}]`;
  const megabyte = 2 ** 20;
  const player = '{ id firstName lastName slug city }';
  const teams = `teams(first: 100) { nodes { id rating seed ranking playerOne ${player} playerTwo ${player} } }`;
  const nested = graphql(`{ tournaments(first: 90) { nodes { id title ${teams} } } }`);
  const aliased = Array.from(
    { length: 55 },
    (_, index) => `a${index}: tournaments(first: 40) { nodes { id title slug: title } }`,
  );
  const list = `GET /v1/data/teams?retrieve_all=true HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`;
  return [
    {
      request: requestText('POST /graphql', headers, `{"query":"{__typename}","variables":{"x":${values(149_000)}}}`),
      reads: true,
    },
    {
      request: requestText('POST /graphql', headers, `{"query":"{__typename}","variables":{"x":${values(340_000)}}}`),
      reads: true,
    },
    { request: requestText('PUT /v1/attendee_event_record', headers, `{"payload":{"x":${values(149_000)}}}`), reads: true },
    { request: requestText('POST /graphql', headers, `{"query":"{__typename}","variables":${'['.repeat(90_000)}`), reads: true },
    { request: requestText('POST /graphql', headers, 'x'.repeat(megabyte - 600), megabyte), reads: false },
    { request: nested, reads: true },
    { request: nested, reads: false },
    { request: graphql(`{ ${aliased.join(' ')} }`), reads: true },
    { request: list, reads: false },
  ];
}

/**
 * Sends requests over `connections` parallel connections for `seconds`. Opens a new connection for each request when the previous one has
 * finished.
 */
export async function attack(
  port: number,
  requests: readonly HostileRequest[],
  connections: number,
  seconds: number,
): Promise<void> {
  const end = Date.now() + seconds * 1000;
  await Promise.all(
    Array.from({ length: connections }, async (_, index) => {
      const { request, reads } = requests[index % requests.length] as HostileRequest;
      while (Date.now() < end) await exchange(connect(port, '127.0.0.1'), request, reads, end);
    }),
  );
}

async function exchange(socket: Socket, request: string, reads: boolean, end: number): Promise<void> {
  const closed = once(socket, 'close').catch(() => undefined);
  socket.on('error', () => undefined).write(request);
  if (reads)
    socket.on('data', (chunk) => /[}\]]\s*$|\n0\r\n\r\n$/.test(chunk.subarray(-8).toString('latin1')) && socket.destroy());
  await Promise.race([closed, sleep(Math.max(end - Date.now(), 0), undefined, { ref: false })]);
  socket.destroy();
}
