import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { portOf } from '../../../src/process/port.js';

/** A request that a test server received. */
export interface RecordedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A real HTTP server that records the requests that it receives. */
export interface RealServer {
  origin: string;
  requests: RecordedRequest[];
  close(): void;
}

/** Starts the server on a free port. */
export async function startServer(listener: RequestListener): Promise<RealServer> {
  const requests: RecordedRequest[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    requests.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers, body });
    listener(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { origin: `http://127.0.0.1:${portOf(server)}`, requests, close };
}

type HarRequest = { method?: string; path: string; headers?: Record<string, string>; body?: string; status?: number };

/** Returns the text of a HAR file that contains the given requests. */
export const harOf = (...requests: HarRequest[]): string =>
  JSON.stringify({
    log: {
      version: '1.2',
      creator: { name: 'test', version: '1' },
      entries: requests.map(({ method = 'GET', path, headers = {}, body, status }) => ({
        startedDateTime: '2026-08-01T00:00:00Z',
        request: {
          method,
          url: `https://old.example${path}`,
          headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
          ...(body === undefined ? {} : { postData: { mimeType: 'application/json', text: body } }),
        },
        ...(status === undefined ? {} : { response: { status } }),
      })),
    },
  });
