import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createClient } from 'graphql-ws';
import { expect, vi } from 'vitest';
import { WebSocket } from 'ws';
import { subscriptionCounts } from '../../../src/graphql/subscriptions/connections.js';
import type { TestApp, Tokens } from '../servers/app.js';
import type { OpenSubscription, ReceivedEvent } from './event-stream.js';

const addressOf = (app: Pick<TestApp, 'origin'>): string => `${app.origin.replace('http', 'ws')}/graphql`;

/**
 * Subscribes over a separate WebSocket with tokens in `connectionParams`, as browsers do. Resolves when the app has opened the
 * subscription. The app must run in this process.
 */
export async function subscribeBySocket(
  app: Pick<TestApp, 'origin'>,
  { platform, user }: Tokens,
  query: string,
  variables: Record<string, unknown> = {},
): Promise<OpenSubscription & { client: ReturnType<typeof createClient> }> {
  const before = subscriptionCounts.open.websocket;
  const events: ReceivedEvent[] = [];
  const waiters: (() => void)[] = [];
  let onOpen = () => {};
  const open = new Promise<void>((resolve) => {
    onOpen = resolve;
  });
  const client = createClient({
    url: addressOf(app),
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    connectionParams: { ...(platform ? { 'PB-API-TOKEN': platform } : {}), ...(user ? { 'pb-user-token': user } : {}) },
    on: { connected: () => setTimeout(onOpen, 5) },
  });
  let close = () => {};
  let failed: unknown = null;
  const end = new Promise<void>((resolve, reject) => {
    close = client.subscribe(
      { query, variables },
      {
        next: (event) => {
          events.push(event as ReceivedEvent);
          for (const checkWaiter of waiters) checkWaiter();
        },
        error: reject,
        complete: resolve,
      },
    );
  });
  end.catch((error: unknown) => {
    failed = error;
    onOpen();
    for (const checkWaiter of waiters) checkWaiter();
  });
  await open;
  // The protocol does not report when a subscription is open, so this polls the counter of the app.
  await vi.waitFor(() => expect(failed || subscriptionCounts.open.websocket > before).toBeTruthy(), {
    timeout: 15_000,
    interval: 5,
  });
  return {
    client,
    events,
    end,
    close: () => close(),
    until: (many) =>
      new Promise((resolve, reject) => {
        const checkWaiter = () => (events.length >= many ? resolve(events) : failed && reject(failed));
        waiters.push(checkWaiter);
        checkWaiter();
      }),
  };
}

/** A WebSocket over which a test sends its own protocol messages. Collects the received messages and the close code. */
export interface RawSocket {
  readonly socket: WebSocket;
  readonly messages: { id?: string; type: string; payload?: unknown }[];
  send(...messages: (object | string)[]): void;
  /** Waits until at least `many` messages have been received in total, and returns all of them. */
  until(many: number): Promise<RawSocket['messages']>;
  readonly closed: Promise<{ code: number; reason: string }>;
}

export async function openSocket(
  app: Pick<TestApp, 'origin'>,
  headers: Record<string, string> = {},
  protocols: string | string[] = 'graphql-transport-ws',
): Promise<RawSocket> {
  const socket = new WebSocket(addressOf(app), protocols, { headers });
  const messages: RawSocket['messages'] = [];
  const waiters: (() => void)[] = [];
  socket.on('message', (data) => {
    messages.push(JSON.parse(String(data)));
    for (const checkWaiter of waiters) checkWaiter();
  });
  const closed = once(socket, 'close').then(([code, reason]) => ({ code: Number(code), reason: String(reason) }));
  await once(socket, 'open');
  return {
    socket,
    messages,
    closed,
    send: (...outgoing) => {
      for (const message of outgoing) socket.send(typeof message === 'string' ? message : JSON.stringify(message));
    },
    until: (many) =>
      new Promise((resolve) => {
        const checkWaiter = () => messages.length >= many && resolve(messages);
        waiters.push(checkWaiter);
        checkWaiter();
      }),
  };
}

/** Sends raw bytes. Returns everything that the server sends before it closes the connection. */
export async function exchange(app: Pick<TestApp, 'origin'>, ...parts: (string | Buffer)[]): Promise<string> {
  const raw = rawConnection(app);
  let text = '';
  raw.on('data', (chunk) => {
    text += chunk.toString('latin1');
  });
  raw.on('error', () => undefined);
  for (const part of parts) raw.write(part);
  await once(raw, 'close');
  return text;
}

export const rawConnection = ({ origin }: Pick<TestApp, 'origin'>): Socket => connect(Number(new URL(origin).port), '127.0.0.1');

/** Returns the upgrade request of a WebSocket. `lines` overrides header lines. Null removes a line. */
export const handshake = (lines: Record<string, string | null> = {}, first = 'GET /graphql HTTP/1.1'): string => {
  const headers: Record<string, string | null> = {
    Host: 'localhost',
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Protocol': 'graphql-transport-ws',
    ...lines,
  };
  const headerLines = Object.entries(headers).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}\r\n`]));
  return `${first}\r\n${headerLines.join('')}\r\n`;
};
