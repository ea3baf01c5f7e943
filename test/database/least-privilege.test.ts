import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { runMigrate } from '../../src/commands/migrate.js';
import { Session } from '../../src/kernel/session.js';
import { modules } from '../../src/modules/index.js';
import { startWebhookReceiver } from '../modules/live/webhooks/receiver.js';
import { subscribe } from '../support/clients/event-stream.js';
import { lastValue } from '../support/clients/mailbox.js';
import { startApp, type TestApp } from '../support/servers/app.js';

// The service runs as a role that can only read and write rows, on a database that another role owns and has migrated.

const name = `courtside_${randomBytes(6).toString('hex')}`;

/** Runs a SQL script for psql with its variables, and with unique names for the database and the roles. */
async function runScript(file: string, variables: Record<string, string>): Promise<void> {
  const script = (await readFile(file, 'utf8'))
    .replaceAll(/\bcourtside(?=\b|_)/g, name)
    .replaceAll(/:'(\w+)'/g, (_, variable) => `'${variables[variable]}'`);
  const [atServer = '', inDatabase = ''] = script.split(`\\connect ${name}\n`);
  for (const [database, statements] of Object.entries({ postgres: atServer, [name]: inDatabase })) {
    const client = new Client({ connectionString: urlOf({ database }) });
    await client.connect();
    // "create database" must be sent separately.
    for (const statement of statements.replaceAll(/--.*$/gm, '').split(';')) await client.query(statement);
    await client.end();
  }
}

function urlOf({ user, database = name }: { user?: 'owner' | 'service'; database?: string }): string {
  const url = new URL(inject('postgres'));
  url.pathname = database;
  if (user) Object.assign(url, { username: `${name}_${user}`, password: `${user}-secret` });
  return url.href;
}

const output: string[] = [];
let app: TestApp;
beforeAll(async () => {
  await runScript('docs/deploy/roles.sql', { owner_password: 'owner-secret', service_password: 'service-secret' });
  vi.stubEnv('DATABASE_URL', urlOf({ user: 'owner' }));
  await runMigrate(['--grants', `${name}_service`], (line) => output.push(line));
  vi.unstubAllEnvs();
  const drop = async () => {
    const client = new Client({ connectionString: urlOf({ database: 'postgres' }) });
    await client.connect();
    for (const statement of [`drop database ${name} with (force)`, `drop role ${name}_owner`, `drop role ${name}_service`])
      await client.query(statement);
    await client.end();
  };
  app = await startApp({ WEBHOOK_NETWORKS: '127.0.0.0/8' }, { url: urlOf({ user: 'service' }), drop });
}, 60_000);
afterAll(() => app?.close());

test('the owner migrates the database, and the service has no right to change tables, the history or audit entries', async () => {
  const codes: Record<string, string> = {};
  for (const statement of [
    'create table another (id int)',
    'create table jobs.another (id int)',
    'create temporary table another (id int)',
    'create schema another',
    'alter table tournament add another int',
    'create index on tournament (title)',
    'truncate tournament',
    'drop table tournament',
    "insert into mikro_orm_migrations (name) values ('another')",
    "insert into executed_migration (name, oldest_release) values ('another', '0.1.0')",
    "update audit_entry set action = 'CHANGED'",
  ])
    codes[statement] = await app.sql.rows(statement).then(
      () => 'ran',
      (error: { code?: string; cause?: { code?: string } }) => error.code ?? '',
    );
  expect({
    last: output.at(-1),
    codes: [...new Set(Object.values(codes))],
    user: await app.sql.rows('select current_user as name'),
  }).toEqual({
    last: 'The database is ready for this release.',
    codes: ['42501'],
    user: [{ name: `${name}_service` }],
  });
});

test('users register by email, sign in and upload changes, which are audited', async () => {
  const input = { email: 'ana@example.com', password: 'correct horse' };
  await app.graphql('mutation ($input: RegisterInput!) { register(input: $input) { isMailSent } }', { input });
  const value = await lastValue(app, 'ana@example.com');
  await app.graphql('mutation ($value: String!) { verifyEmail(value: $value) { id } }', { value }, {});
  const { login } = await app.graphql('mutation ($input: LoginInput!) { login(input: $input) { user { id } } }', { input });
  const admin = await app.person({ isSuperAdmin: true });
  await app.graphql(`mutation { grantRole(userId: "${login.user.id}", roleId: "3") { id } }`, {}, admin);
  const { auditEntries } = await app.graphql(
    `{ auditEntries(filter: { recordKey: { eq: "${login.user.id}" }, source: { eq: REQUEST } }) { nodes { action fields } } }`,
    {},
    admin,
  );
  expect(auditEntries.nodes).toContainEqual({ action: 'CHANGED', fields: ['roleIds'] });
});

test('upserts reach subscribers, webhooks, the search and the usage counts', async () => {
  const webhooks = await startWebhookReceiver();
  await app.graphql('mutation ($url: String!) { createWebhook(url: $url, events: ["tournament.*"]) { secret } }', {
    url: webhooks.url,
  });
  const stream = await subscribe(app, app.platform, 'subscription { teams(tournamentId: "open") { kind id } }');
  const payload = { TournamentID: 'open', Title: 'Austin Open' };
  const { status } = await app.rest('POST', '/v1/tournaments/tourney_flat_data', app.platform, { payload });
  await app.graphql(`mutation {
    upsertTournament(input: { id: "open", location: { latitude: 30.27, longitude: -97.74 } }) { id }
    upsertTeam(input: { id: "t1", tournamentId: "open" }) { id }
  }`);
  const events = await stream.until(1);
  stream.close();
  await expect.poll(() => webhooks.deliveries.length).toBeGreaterThan(0);
  await webhooks.close();
  const lists = await app.graphql(`{
    found: tournaments(filter: { search: "autsin" }) { totalCount }
    near: tournaments(filter: { near: { latitude: 30.3, longitude: -97.7, distance: 50 } }) { totalCount }
  }`);
  await app.resources.services.usage?.flush();
  const [usage] = await app.sql.rows("select calls::int as calls from route_usage where route like 'POST %/tourney_flat_data'");
  expect({ status, event: events[0]?.data, lists, usage }).toEqual({
    status: 200,
    event: { teams: { kind: 'CREATED', id: 't1' } },
    lists: { found: { totalCount: 1 }, near: { totalCount: 1 } },
    usage: { calls: 1 },
  });
});

test('all daily jobs run', async () => {
  const { pools, services } = app.resources;
  const results = await Promise.all(
    modules.flatMap(({ dailyJobs = [] }) =>
      dailyJobs.map(async ({ name, run }) =>
        run(new Session(pools, 'write'), services).then(
          () => `${name}: finished`,
          (error: Error) => `${name}: ${error.message}`,
        ),
      ),
    ),
  );
  expect(results.filter((result) => !result.endsWith(': finished'))).toEqual([]);
  expect(results.length).toBeGreaterThan(3);
});
