import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net';

/** Configuration of the relay: the server to which it forwards connections, and the delay of each direction in milliseconds. */
export interface RelayOptions {
  readonly target: NetConnectOpts;
  readonly delay: number;
}

/** Counts of the relay since the previous report. */
export interface RelayReport {
  /** Number of times that a client sent data after the server had sent data. */
  readonly roundTrips: number;
  /** Time from sending data to the server until it responded, in microseconds for all round trips together. */
  readonly serverTime: number;
  /** CPU time of the relay in microseconds. */
  readonly cpu: number;
}

// Forwards connections to a server, and delays the data in both directions. Simulates a network between two machines. The parent process sends
// the options, receives the port, and then requests reports.
let counts = { roundTrips: 0, serverTime: 0 };
let cpuBefore = process.cpuUsage();

function report(): RelayReport {
  const { user, system } = process.cpuUsage(cpuBefore);
  cpuBefore = process.cpuUsage();
  const result = { ...counts, cpu: user + system };
  counts = { roundTrips: 0, serverTime: 0 };
  return result;
}

/** Sends data to a socket after the delay. Timers with the same delay fire in the order in which they were set, so the order of the data is kept. */
function sendDelayed(socket: Socket, data: Buffer, delay: number, whenSent: () => void = () => undefined): void {
  const send = () => {
    whenSent();
    socket.write(data);
  };
  if (delay === 0) send();
  else setTimeout(send, delay);
}

function relay(client: Socket, { target, delay }: RelayOptions): void {
  const server = connect(target).setNoDelay(true);
  client.setNoDelay(true);
  /** Time at which the request that the server processes was sent. Null if the server has responded. */
  let sentAt: number | null = null;
  client.on('data', (data) => {
    sendDelayed(server, data, delay, () => {
      if (sentAt !== null) return;
      sentAt = performance.now();
      counts.roundTrips += 1;
    });
  });
  server.on('data', (data) => {
    if (sentAt !== null) counts.serverTime += (performance.now() - sentAt) * 1000;
    sentAt = null;
    sendDelayed(client, data, delay);
  });
  for (const [one, other] of [
    [client, server],
    [server, client],
  ] as const)
    one.on('error', () => other.destroy()).on('close', () => other.destroy());
}

process.once('message', (options: RelayOptions) => {
  const server = createServer((client) => relay(client, options)).listen(0, '127.0.0.1', () => process.send?.(server.address()));
  process.on('message', () => process.send?.(report()));
});
