import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenSubscription, subscribe } from '../support/clients/event-stream.js';
import { openSocket } from '../support/clients/websocket.js';
import { startApp, type TestApp } from '../support/servers/app.js';
import { type Database, freshDatabase } from '../support/servers/test-database.js';

const role = `background_${process.pid}`;
const output: string[] = [];
let database: Database;
let admin: Client;
let app: TestApp;
let subscriber: OpenSubscription;
beforeAll(async () => {
  database = await freshDatabase();
  admin = new Client({ connectionString: database.url });
  await admin.connect();
  await admin.query(`create role ${role} login superuser password 'x'`);
  const url = Object.assign(new URL(database.url), { username: role, password: 'x' }).href;
  app = await startApp({}, { ...database, url }, undefined, true, output);
  // The change log is read only while there are subscribers.
  subscriber = await subscribe(app, app.platform, 'subscription { changes { kind } }');
});
afterAll(async () => {
  await admin.query(`alter role ${role} superuser connection limit -1`);
  subscriber.close();
  await app.close();
  await admin.query(`drop owned by ${role}; drop role ${role}`).finally(() => admin.end());
});

/** Refuses new connections of the service, and closes the others while a request with an idempotency key is running. */
async function refuseConnections(): Promise<void> {
  const lock = new Client({ connectionString: database.url });
  await lock.connect();
  await lock.query('begin; lock table tournament');
  const query = 'mutation { upsertTournament(input: { id: "cup" }) { id } }';
  const answer = app.rest('POST', '/graphql', app.platform, { query }, { 'idempotency-key': 'interrupted' });
  const waitingStatements = async () =>
    (await admin.query(`select from pg_stat_activity where usename = $1 and wait_event_type = 'Lock'`, [role])).rowCount;
  await expect.poll(waitingStatements).toBe(1);
  await admin.query(`alter role ${role} nosuperuser connection limit 0`);
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [role]);
  await answer;
  await lock.end();
}

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly cause?: string;
  readonly code?: string;
}

/** Connections that were closed can report several causes, but never none. */
const anyCause = expect.not.stringContaining('undefined');

test('background work that fails because the role has no connection left logs the cause and the code', async () => {
  await refuseConnections();
  const failures = () =>
    Object.fromEntries(
      output
        .map((line): Line => JSON.parse(line))
        .filter(({ level }) => level >= 40)
        .map(({ msg, cause, code }) => [msg, `${cause} ${code}`]),
    );
  await expect.poll(failures, { timeout: 15_000 }).toEqual({
    'request unavailable': anyCause,
    'message queue error': anyCause,
    'the response of an idempotent request cannot be saved, will be retried': anyCause,
    'the change log cannot be read, will be retried': 'too many connections 53300',
    'usage counts cannot be written, retrying': anyCause,
    'webhook processing failed, will be retried': anyCause,
  });
});

test('a socket that is closed because its token cannot be checked has a log line', async () => {
  const { send, closed } = await openSocket(app, { 'PB-API-TOKEN': 'a token that is not cached' });
  send({ type: 'connection_init' });
  const { code } = await closed;
  const lines = output.map((line) => JSON.parse(line)).filter(({ msg, method }) => msg === 'request unavailable' && !method);
  expect({ code, lines }).toMatchObject({
    code: 1013,
    lines: [{ level: 40, requestId: expect.any(Number), route: '/graphql', reason: 'database', cause: 'too many connections' }],
  });
});
