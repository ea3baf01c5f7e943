import { Agent, request } from 'node:http';
import { WebSocket } from 'ws';
import type { LiveAsk, LiveTold } from './live.js';

// Runs subscribers in a separate process, so that measurements of the service exclude them. The parent process sends the subscriptions to open and gets a message when all subscribers have received the change.

const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
const tell = (told: LiveTold) => process.send?.(told);

/** Times when each subscriber received the expected change. */
let heard: number[] = [];
let wanted = 0;
let title = '';

function hear(text: string): void {
  if (!title || !text.includes(title)) return;
  heard.push(Date.now());
  if (heard.length < wanted) return;
  title = '';
  tell({ kind: 'heard', at: heard });
}

function overEvents({ url, query }: LiveAsk, headers: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${url}/graphql`,
      { method: 'POST', agent, headers: { ...headers, 'content-type': 'application/json', accept: 'text/event-stream' } },
      (response) => {
        if (response.statusCode !== 200) reject(new Error(`a subscription is answered with ${response.statusCode}`));
        response.setEncoding('utf8').on('data', hear);
        resolve();
      },
    );
    sent.on('error', reject).end(JSON.stringify({ query }));
  });
}

function overSocket({ url, query }: LiveAsk, headers: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
      headers,
      perMessageDeflate: false,
    });
    socket.once('open', () => socket.send('{"type":"connection_init"}')).once('error', reject);
    socket.on('message', (data) => {
      const text = String(data);
      if (!text.includes('connection_ack')) return hear(text);
      socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query } }));
      resolve();
    });
  });
}

process.on('message', async (ask: LiveAsk | { expect: string }) => {
  if ('expect' in ask) {
    heard = [];
    title = ask.expect;
    return tell({ kind: 'ready' });
  }
  wanted = ask.headers.length;
  const waiting = [...ask.headers];
  const work = async () => {
    for (let headers = waiting.pop(); headers; headers = waiting.pop())
      await (ask.transport === 'sse' ? overEvents(ask, headers) : overSocket(ask, headers));
  };
  await Promise.all(Array.from({ length: 16 }, work));
  tell({ kind: 'ready' });
});
