import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { pino } from 'pino';
import { SMTPServer } from 'smtp-server';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { createMessaging, type Messaging, type MessagingConfig } from '../../src/messaging/index.js';
import type { Mail, Message, Text, Transaction } from '../../src/messaging/ports.js';
import { portOf } from '../../src/process/port.js';
import { emptyDatabase } from '../support/servers/test-database.js';

/** Intervals and retries that are short enough for tests. */
export const quickRetries = { pollSeconds: 0.5, retry: { limit: 2, delaySeconds: 1, maxDelaySeconds: 1 } };

export const helloMail: Mail = {
  kind: 'mail',
  to: 'ana@players.test',
  subject: 'Hello',
  text: 'https://courtside.test/r/secret\n',
};
export const codeText: Text = { kind: 'text', to: '+15125550100', body: '123456 is your code' };

const closers: (() => Promise<unknown>)[] = [];
/** Registers a resource that is closed when the test ends. Resources are closed in reverse order. Returns the resource. */
export const closeAfterTest = <T>(value: T, close: () => Promise<unknown>): T => {
  closers.push(close);
  return value;
};

/** The database of the test file. */
export const database = { url: '' };

/** Log lines of all tests in the file. */
export const logLines: string[] = [];
export const log = pino({ level: 'debug' }, { write: (line: string) => void logLines.push(line) });

/** Sets up a database and a log per test file, and closes the resources of each test. */
export function useMessaging(): void {
  let drop: () => Promise<unknown>;
  beforeAll(async () => {
    const created = await emptyDatabase();
    database.url = created.url;
    drop = created.drop;
    logLines.length = 0;
  });
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });
  afterAll(() => drop());
}

export async function startMessaging(config: Partial<MessagingConfig> = {}): Promise<Messaging> {
  const defaults = { smtpUrl: null, mailFrom: 'Courtside <no-reply@courtside.test>', sms: null, catchUnsent: false };
  const service = await createMessaging({ config: { ...defaults, ...quickRetries, ...config }, databaseUrl: database.url, log });
  await service.start();
  return closeAfterTest(service, service.stop);
}

/** Runs a function in a transaction, as a mutation does. */
export async function inTransaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
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
  inTransaction(async (tx) => void (await service.outbox.enqueueAll(messages, tx, 'counted')));

export interface ReceivedEmail {
  to: string[];
  raw: string;
}

export interface MailServer {
  url: string;
  /** Accepted emails, in order. */
  accepted: ReceivedEmail[];
  /** Number of emails received, including refused ones. */
  offered: number;
}

/** Starts an SMTP server. `verdict` returns null to accept an email, or an SMTP error such as `451 try later`. */
export async function startMailServer(
  verdict: (offer: number, mail: ReceivedEmail) => string | null | Promise<string | null> = () => null,
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
  return closeAfterTest(state, () => new Promise<void>((closed) => server.close(closed)));
}

export interface TextRequest {
  headers: IncomingHttpHeaders;
  body: string;
}

/** Starts an HTTP server that receives text messages. `statusOf` returns the status of each response. */
export async function startTextReceiver(
  statusOf: (request: TextRequest) => number = () => 204,
): Promise<{ url: string; posted: TextRequest[] }> {
  const posted: TextRequest[] = [];
  const server: Server = createServer(async (request, response) => {
    const message = { headers: request.headers, body: await text(request) };
    posted.push(message);
    response.writeHead(statusOf(message)).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return closeAfterTest(
    { url: `http://127.0.0.1:${portOf(server)}/texts`, posted },
    () => new Promise<void>((closed) => server.close(() => closed())),
  );
}

/** Returns the value of a header in the raw text of an email. */
export const headerOf = (mail: ReceivedEmail | undefined, name: string): string | undefined =>
  mail?.raw.match(new RegExp(`^${name}: (.*)$`, 'im'))?.[1]?.trim();
