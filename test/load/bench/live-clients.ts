import { Agent, request } from 'node:http';
import { WebSocket } from 'ws';
import type { SubscribeMessage, SubscriberMessage } from './live.js';

// Runs subscribers in a separate process, so that measurements of the service exclude them. The parent process sends the subscriptions to open and gets a message when all subscribers have received the change.

const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
const sendMessage = (message: SubscriberMessage) => process.send?.(message);

/** Times at which the subscribers received the expected change. */
let arrivalTimes: number[] = [];
let wanted = 0;
let title = '';
/** Delays of events, in milliseconds. Only for events with a title that consists of `Sent` and the time of the change. */
let delays: number[] = [];

function handleEvent(text: string): void {
  for (const [, sentAt] of text.matchAll(/Sent (\d+)/g)) delays.push(Date.now() - Number(sentAt));
  if (!title || !text.includes(title)) return;
  arrivalTimes.push(Date.now());
  if (arrivalTimes.length < wanted) return;
  title = '';
  sendMessage({ kind: 'heard', at: arrivalTimes });
}

function overEvents({ url, query }: SubscribeMessage, headers: Record<string, string>, number: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const clientRequest = request(
      `${url}/graphql`,
      { method: 'POST', agent, headers: { ...headers, 'content-type': 'application/json', accept: 'text/event-stream' } },
      (response) => {
        if (response.statusCode !== 200) reject(new Error(`a subscription returned ${response.statusCode}`));
        response.setEncoding('utf8').on('data', handleEvent);
        resolve();
      },
    );
    clientRequest.on('error', reject).end(JSON.stringify({ query: query.replace('$n', String(number % 50)) }));
  });
}

function overSocket({ url, query }: SubscribeMessage, headers: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
      headers,
      perMessageDeflate: false,
    });
    socket.once('open', () => socket.send('{"type":"connection_init"}')).once('error', reject);
    socket.on('message', (data) => {
      const text = String(data);
      if (!text.includes('connection_ack')) return handleEvent(text);
      socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query } }));
      resolve();
    });
  });
}

process.on('message', async (message: SubscribeMessage | { expect: string } | 'report') => {
  if (message === 'report') {
    sendMessage({ kind: 'delays', delays });
    delays = [];
    return;
  }
  if ('expect' in message) {
    arrivalTimes = [];
    title = message.expect;
    return sendMessage({ kind: 'ready' });
  }
  wanted = message.headers.length;
  const waiting = [...message.headers];
  const work = async () => {
    for (let headers = waiting.pop(); headers; headers = waiting.pop())
      await (message.transport === 'sse' ? overEvents(message, headers, waiting.length) : overSocket(message, headers));
  };
  await Promise.all(Array.from({ length: 16 }, work));
  sendMessage({ kind: 'ready' });
});
