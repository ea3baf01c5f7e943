import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { portOf } from '../../../src/process/port.js';

/**
 * Fault injected into a subgraph: it closes connections, does not respond, is unreachable behind its proxy (502), or returns an error
 * (500).
 */
export type Fault = 'gone' | 'hangs' | 'unreachable' | 'stumbles';

/** A proxy between gateways and subgraphs that can inject faults. */
export interface SubgraphProxies {
  urlOf(module: string): string;
  /** Current faults of the subgraphs, keyed by module. Tests set this property. */
  faults: Readonly<Record<string, Fault>>;
  /** Returns the number of requests to a subgraph that are still open. */
  open(module: string): number;
  stop(): void;
}

const internal = 'at /srv/app/src/index.ts:12 (http://10.0.0.7:4000)';

const faulty: Record<Fault, (request: IncomingMessage, response: ServerResponse) => void> = {
  gone: ({ socket }) => socket.destroy(),
  hangs: () => undefined,
  unreachable: (_, response) => response.writeHead(502, { 'content-type': 'text/html' }).end(`<h1>502</h1> ${internal}`),
  stumbles: (_, response) =>
    response
      .writeHead(500, { 'content-type': 'application/json' })
      .end(JSON.stringify({ errors: [{ message: `boom ${internal}`, extensions: { stacktrace: [internal] } }] })),
};

function forward(incoming: IncomingMessage, response: ServerResponse, url: string): void {
  const { method, headers } = incoming;
  const onward = request(url, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.on('error', () => response.destroy()).pipe(response);
  });
  onward.on('error', () => incoming.socket.destroy());
  response.on('close', () => onward.destroy());
  incoming.pipe(onward);
}

/** Starts a proxy for the subgraphs. `addressOf` returns the URL of the subgraph of a module. */
export async function startSubgraphProxy(addressOf: (module: string) => string): Promise<SubgraphProxies> {
  const open = new Map<string, number>();
  const server = createServer((incoming, response) => {
    const module = incoming.url?.slice(1) ?? '';
    open.set(module, (open.get(module) ?? 0) + 1);
    response.on('close', () => open.set(module, (open.get(module) ?? 0) - 1));
    const fault = lines.faults[module];
    if (fault) faulty[fault](incoming, response);
    else forward(incoming, response, addressOf(module));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const lines: SubgraphProxies = {
    urlOf: (module) => `http://127.0.0.1:${portOf(server)}/${module}`,
    faults: {},
    open: (module) => open.get(module) ?? 0,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  return lines;
}
