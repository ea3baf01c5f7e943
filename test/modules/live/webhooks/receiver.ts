import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { portOf } from '../../../../src/process/port.js';

export interface ReceivedDelivery {
  path: string;
  /** Value of the `webhook-id` header. It is the same for all attempts of a delivery. */
  id: string;
  headers: IncomingHttpHeaders;
  body: string;
  type: string;
  data: { record: string; id: string; changedFields: string[]; cursor?: string };
}

/** Response of a receiver: an HTTP status, or a function that writes the response. */
export type Verdict = number | ((response: ServerResponse) => void);

export interface Receiver {
  url: string;
  port: number;
  arrived: ReceivedDelivery[];
  /** Requests that got 200. */
  deliveries: ReceivedDelivery[];
  close(): Promise<void>;
}

/** Starts an HTTP server that records each delivery and responds with the result of `verdict`. */
export async function startWebhookReceiver(
  verdict: (arrived: ReceivedDelivery, nth: number) => Verdict | Promise<Verdict> = () => 200,
): Promise<Receiver> {
  const arrived: ReceivedDelivery[] = [];
  const deliveries: ReceivedDelivery[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => '');
    const { type = '', data = {} } = body ? JSON.parse(body) : {};
    const one = {
      path: request.url ?? '',
      id: String(request.headers['webhook-id']),
      headers: request.headers,
      body,
      type,
      data,
    };
    const answer = await verdict(one, arrived.push(one));
    if (answer === 200) deliveries.push(one);
    if (typeof answer === 'number') response.writeHead(answer).end(answer === 200 ? '' : 'not now');
    else answer(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    port,
    arrived,
    deliveries,
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Returns whether the Standard Webhooks library accepts the signature of a delivery. */
export function isSigned(secret: string, { body, headers }: ReceivedDelivery): boolean {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}
