import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { pino } from 'pino';
import { SMTPServer } from 'smtp-server';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { createMessaging, type Messaging, type MessagingConfig } from '../../src/messaging/index.js';
import type { Mail, Message, Text, Transaction } from '../../src/messaging/ports.js';
import { portOf } from '../../src/port.js';
import { emptyDatabase } from '../support/database.js';

export const quick = { pollSeconds: 0.5, retry: { limit: 2, delaySeconds: 1, maxDelaySeconds: 1 } };

export const hello: Mail = { kind: 'mail', to: 'ana@players.test', subject: 'Hello', text: 'https://courtside.test/r/secret\n' };
export const ping: Text = { kind: 'text', to: '+15125550100', body: '123456 is your code' };

const closers: (() => Promise<unknown>)[] = [];
/** Closes what a test opened when it ends, the last first. */
export const closing = <T>(value: T, close: () => Promise<unknown>): T => {
  closers.push(close);
  return value;
};

/** The database of the tests of a file. */
export const database = { url: '' };

/** Everything that was logged, in all tests of the file. */
export const logged: string[] = [];
export const log = pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) });

/** Gives the tests of a file a database and a log of their own, and closes what each of them opened. */
export function openMessaging(): void {
  let drop: () => Promise<unknown>;
  beforeAll(async () => {
    const fresh = await emptyDatabase();
    database.url = fresh.url;
    drop = fresh.drop;
    logged.length = 0;
  });
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });
  afterAll(() => drop());
}

export async function messaging(config: Partial<MessagingConfig> = {}): Promise<Messaging> {
  const defaults = { smtpUrl: null, mailFrom: 'Courtside <no-reply@courtside.test>', sms: null, catchUnsent: false };
  const service = await createMessaging({ config: { ...defaults, ...quick, ...config }, databaseUrl: database.url, log });
  await service.start();
  return closing(service, service.stop);
}

/** Runs the work in a transaction of its own, as a business change does. */
export async function transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
  const client = new pg.Client(database.url);
  await client.connect();
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } finally {
    await client.end();
  }
}

export const enqueue = (service: Messaging, ...messages: Message[]): Promise<void> =>
  transaction((tx) => service.outbox.enqueueAll(messages, tx));

export interface Received {
  to: string[];
  raw: string;
}

export interface MailServer {
  url: string;
  /** What was accepted, in order. */
  accepted: Received[];
  /** How many messages were offered. */
  offered: number;
}

/** A real SMTP server; `verdict` returns null to accept a message, or the refusal: `451 try later`. */
export async function mailServer(
  verdict: (offer: number, mail: Received) => string | null | Promise<string | null> = () => null,
): Promise<MailServer> {
  const state: MailServer = { url: '', accepted: [], offered: 0 };
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData: async (stream, session, done) => {
      const mail = { to: session.envelope.rcptTo.map(({ address }) => address), raw: await text(stream) };
      const refusal = await verdict(++state.offered, mail);
      if (refusal) return done(Object.assign(new Error(refusal.slice(4)), { responseCode: Number(refusal.slice(0, 3)) }));
      state.accepted.push(mail);
      done();
    },
  });
  server.on('error', () => {});
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  state.url = `smtp://127.0.0.1:${portOf(server.server)}`;
  return closing(state, () => new Promise<void>((closed) => server.close(closed)));
}

export interface Posted {
  headers: IncomingHttpHeaders;
  body: string;
}

/** A real HTTP receiver of text messages; `status` decides the answer to each request. */
export async function receiver(status: (request: Posted) => number = () => 204): Promise<{ url: string; posted: Posted[] }> {
  const posted: Posted[] = [];
  const server: Server = createServer(async (request, response) => {
    const arrived = { headers: request.headers, body: await text(request) };
    posted.push(arrived);
    response.writeHead(status(arrived)).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return closing(
    { url: `http://127.0.0.1:${portOf(server)}/texts`, posted },
    () => new Promise<void>((closed) => server.close(() => closed())),
  );
}

/** The value of a header of a mail, as it went over the wire. */
export const headerOf = (mail: Received | undefined, name: string): string | undefined =>
  mail?.raw.match(new RegExp(`^${name}: (.*)$`, 'im'))?.[1]?.trim();
