import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { loadConfig } from '../../src/config/index.js';
import { databaseProblem, isDatabaseError } from '../../src/database/checks/database-problem.js';
import { databaseClientOf } from '../../src/database/checks/database-server.js';
import { freePort } from '../../src/process/port.js';
import { StartProblem } from '../../src/process/start-problem.js';
import { openDatabase } from '../../src/server/lifecycle/open-database.js';
import { OpenResources } from '../../src/server/lifecycle/open-resources.js';
import { serve } from '../../src/server/lifecycle/serve.js';
import { requires } from '../support/prerequisites.js';
import { missingBalancer, type Program, startPgBouncer } from '../support/servers/load-balancer.js';
import { missingOpenssl, startTlsPostgres, type TlsPostgres } from '../support/servers/tls-postgres.js';

/** Starts the service in this process, or just checks its database. Returns the warnings, and the error message or null. */
async function start(url: string, variables: Record<string, string> = {}, onlyChecks = false) {
  const resources = new OpenResources();
  const warnings: string[] = [];
  try {
    // On a busy machine, a connection can take longer than the default of three seconds.
    const config = loadConfig({ DATABASE_URL: url, PORT: '0', LOG_LEVEL: 'silent', DATABASE_WAIT_TIMEOUT: '30', ...variables });
    await openDatabase(config, resources, (warning) => warnings.push(warning));
    if (!onlyChecks) await serve(config, resources, { databaseUrl: url, preparesDatabase: true, runsJobs: true });
    return { problem: null, warnings };
  } catch (error) {
    if (error instanceof StartProblem) return { problem: error.message, warnings };
    const isExplained = error instanceof Error && isDatabaseError(error);
    return {
      problem: isExplained ? databaseProblem(error, databaseClientOf(url, 'DATABASE_URL').server).message : error,
      warnings,
    };
  } finally {
    await resources.close();
  }
}

const check = (url: string, variables: Record<string, string> = {}) => start(url, variables, true);

describe('a database server with TLS and rules for users', requires(missingOpenssl), () => {
  let server: TlsPostgres;
  /** Host and port of the server. */
  let address: string;
  beforeAll(async () => {
    server = await startTlsPostgres();
    address = new URL(server.urlOf()).host;
    const users = ['tls_only', 'stranger', 'owner', 'visitor', 'lost', 'limited', 'readonly'];
    await server.run(
      'courtside',
      'create role known',
      ...users.map((user) => `create role ${user} login password 'secret-word'`),
      "create role no_login password 'secret-word'",
      'grant known to no_login, owner, visitor, lost, limited, readonly',
      'create database owned owner owner',
      'create database lost owner lost',
      'create database scattered owner owner',
      'create database taken',
      'create database migrated',
      'create database faulty',
      "create database latin template template0 encoding 'LATIN1' locale 'C'",
      'alter role lost set search_path = nowhere',
      'alter role limited connection limit 0',
      'alter role readonly set default_transaction_read_only = on',
    );
    await server.run(
      'scattered',
      'create extension earthdistance cascade; create extension hstore; create extension pg_trgm',
      'create schema extensions; create extension unaccent schema extensions',
    );
    await server.run('taken', 'create table tournament (id int)');
    await start(server.urlOf({ database: 'migrated' }));
  }, 60_000);
  afterAll(() => server.stop());

  const url = (user: string, database = 'courtside', search = '') => server.urlOf({ user, database, search });

  test.each<[string, () => string | Promise<string>, string]>([
    [
      'a port without a server',
      async () => `postgresql://ana:secret-word@127.0.0.1:${await freePort()}/x`,
      'PostgreSQL does not respond at 127.0.0.1:<port> (ECONNREFUSED): start it, or correct DATABASE_URL.',
    ],
    [
      'a missing socket',
      () => 'postgresql:///x?host=/nowhere',
      'PostgreSQL does not respond at /nowhere:5432 (ENOENT): start it, or correct DATABASE_URL.',
    ],
    [
      'an unknown host',
      () => 'postgresql://ana:secret-word@no-such-host.invalid/x',
      'The host no-such-host.invalid in DATABASE_URL is unknown (ENOTFOUND): correct DATABASE_URL.',
    ],
    [
      'a wrong password',
      () => server.urlOf({ password: 'secret-word' }),
      'PostgreSQL at <address> rejects the login of courtside (SQLSTATE 28P01): correct the user and the password in DATABASE_URL.',
    ],
    [
      'no password',
      () => server.urlOf({ password: '' }),
      'PostgreSQL at <address> requires a password for courtside: add the password to DATABASE_URL.',
    ],
    [
      'a user that may not log in',
      () => url('no_login'),
      'PostgreSQL at <address> rejects the login of no_login (SQLSTATE 28000): correct the user and the password in DATABASE_URL.',
    ],
    [
      'a user that requires TLS',
      () => url('tls_only'),
      'PostgreSQL at <address> does not accept connections of tls_only without TLS (SQLSTATE 28000): add sslmode=verify-full to DATABASE_URL, or a rule for the user to pg_hba.conf.',
    ],
    [
      'a missing database',
      () => server.urlOf({ database: 'nowhere' }),
      'The database nowhere does not exist at <address> (SQLSTATE 3D000): create it, or correct DATABASE_URL.',
    ],
    [
      'a server without TLS',
      () => Object.assign(new URL(inject('postgres')), { search: 'sslmode=verify-full' }).href,
      'PostgreSQL at 127.0.0.1:<port> does not support TLS, which sslmode in DATABASE_URL requires: set "ssl = on" on the server, or remove sslmode.',
    ],
    [
      'a certificate from an unknown authority',
      () => server.urlOf({ search: 'sslmode=verify-full' }),
      'The TLS certificate of PostgreSQL at <address> is not from a trusted authority (DEPTH_ZERO_SELF_SIGNED_CERT): add sslrootcert=<file> with the certificate of the authority to DATABASE_URL.',
    ],
    [
      'a certificate for another host',
      () => server.urlOf({ search: `sslmode=verify-full&sslrootcert=${server.certificate}` }),
      'The TLS certificate of PostgreSQL at <address> is valid only for other hosts (ERR_TLS_CERT_ALTNAME_INVALID): set DATABASE_URL to a host of the certificate, or issue a certificate for this host.',
    ],
    [
      'a missing certificate of the authority',
      () => server.urlOf({ search: 'sslmode=verify-full&sslrootcert=/nowhere.crt' }),
      'DATABASE_URL names the file /nowhere.crt, which cannot be read: correct the path or the permissions.',
    ],
    [
      'an unknown setting in the connection string',
      () => server.urlOf({ search: 'options=-c%20nonsense=1' }),
      'PostgreSQL at <address> rejects a setting of the connection (unrecognized configuration parameter "nonsense", SQLSTATE 42704): correct the query parameters of DATABASE_URL, and the settings of the user and the database.',
    ],
    [
      'an exhausted connection limit',
      () => url('limited'),
      'PostgreSQL at <address> accepts no more connections (too many connections for role "limited", SQLSTATE 53300): close other connections, reduce DATABASE_POOL of all services, or raise max_connections of the server or the limit of the user.',
    ],
    [
      'a read-only server',
      () => url('readonly'),
      'DATABASE_URL refers to a read-only server: set DATABASE_URL to the primary server, and DATABASE_REPLICA_URLS to its replicas.',
    ],
    [
      'a user that may not create tables',
      () => url('visitor'),
      'The user visitor lacks a permission in the database courtside (permission denied for schema public, SQLSTATE 42501): make the user the owner of the database and its tables, or grant the permission. If another user owns the tables, run "courtside migrate --grants visitor" as that user.',
    ],
    [
      'a user that may not create extensions',
      () => url('owner', 'owned'),
      'The user owner may not create the extensions of Courtside (SQLSTATE 42501): let a superuser run "create extension" for cube, earthdistance, hstore, pg_trgm and unaccent in the database owned once.',
    ],
    [
      'a user without access to the tables',
      () => url('visitor', 'migrated'),
      'The user visitor lacks a permission in the database migrated (permission denied for table mikro_orm_migrations, SQLSTATE 42501): make the user the owner of the database and its tables, or grant the permission. If another user owns the tables, run "courtside migrate --grants visitor" as that user.',
    ],
    [
      'a search_path without a schema',
      () => url('lost', 'lost'),
      'The search_path of lost contains no schema of the database lost in which the user may create tables (SQLSTATE 3F000): run alter role … set search_path = public, and grant create on schema public to the user.',
    ],
    [
      'a search_path without the schema of the extensions',
      () => url('owner', 'scattered'),
      'The database scattered lacks a part of Courtside (The migration <name> failed, text search dictionary "public.unaccent" does not exist, SQLSTATE 42704): set the search_path of owner to the schema with the tables and extensions, usually public, or use another database.',
    ],
    [
      'a database of another program',
      () => server.urlOf({ database: 'taken' }),
      'The database taken already contains tables of another program (The migration <name> failed, relation "tournament" already exists, SQLSTATE 42P07): set DATABASE_URL to an empty database.',
    ],
    [
      'a database without UTF8',
      () => server.urlOf({ database: 'latin' }),
      'The database latin cannot store all characters (The migration <name> failed, character with byte sequence 0xe2 0x80 0xa6 in encoding "UTF8" has no equivalent in encoding "LATIN1", SQLSTATE 22P05): create it again with the encoding UTF8.',
    ],
  ])('%s is reported in one line, with the remedy and without the password', async (_, urlOf, message) => {
    const { problem } = await start(await urlOf());
    const masked = String(problem)
      .replaceAll(address, '<address>')
      .replace(/127\.0\.0\.1:\d+/, '127.0.0.1:<port>')
      .replace(/migration \w+/, 'migration <name>');
    expect(masked).toBe(message);
  });

  test.each([
    ['53100', 'The disk of PostgreSQL at <address> is full (SQLSTATE 53100): free up space on the disk, then start again.'],
    [
      '53200',
      'PostgreSQL at <address> has an internal problem (reason, SQLSTATE 53200): check the memory, the disk and the log of the server.',
    ],
    [
      'XX001',
      'PostgreSQL at <address> has an internal problem (reason, SQLSTATE XX001): check the memory, the disk and the log of the server.',
    ],
    ['57P01', 'PostgreSQL at <address> is starting or shutting down (SQLSTATE 57P01): start again when it is running.'],
    [
      '40P01',
      'Another transaction in the database faulty blocks the start (reason, SQLSTATE 40P01): start again when it has finished.',
    ],
    [
      'P0001',
      'PostgreSQL at <address> reports an error (reason, SQLSTATE P0001): see the log of the server, or correct DATABASE_URL.',
    ],
  ])('the error %s of a statement is reported', async (code, message) => {
    await server.run(
      'faulty',
      `create function refuse() returns event_trigger language plpgsql as $$ begin raise 'reason' using errcode = '${code}'; end $$`,
      'create event trigger refuse on ddl_command_start execute function refuse()',
    );
    const { problem } = await start(server.urlOf({ database: 'faulty' }));
    await server.run('faulty', 'drop event trigger refuse', 'drop function refuse');
    expect(
      String(problem)
        .replaceAll(address, '<address>')
        .replace(/The migration \w+ failed, /, ''),
    ).toBe(message);
  });

  test('refuses to open more connections than the server accepts, and warns if a second instance would', async () => {
    const migrated = server.urlOf({ database: 'migrated' });
    const [tooMany, many, few] = [
      await check(migrated, { DATABASE_POOL: '49' }),
      await check(migrated, { DATABASE_POOL: '48' }),
      await check(migrated),
    ];
    const needed = (total: number, pool: number) => `The service opens up to ${total} connections (${pools(pool)}), `;
    const pools = (pool: number) => `${pool} of DATABASE_POOL, 9 for background work`;
    const accepted = `PostgreSQL at ${address} accepts 57 (max_connections is 60, and 3 are reserved)`;
    expect({ tooMany, many, few }).toEqual({
      tooMany: {
        problem: `${needed(58, 49)}but ${accepted}: reduce DATABASE_POOL, or raise the limit.`,
        warnings: [],
      },
      many: {
        problem: null,
        warnings: [
          `${needed(57, 48)}and ${accepted}, so a second instance, for example during an upgrade, can exceed the limit: reduce DATABASE_POOL, or raise the limit.`,
        ],
      },
      few: { problem: null, warnings: [] },
    });
  });

  test('counts all workers, and applies the limits of the user and the database', async () => {
    await server.run('courtside', 'alter role owner connection limit 50', 'alter database migrated connection limit 40');
    const problemOf = async (user: string, database: string) => (await check(url(user, database), { WORKERS: '8' })).problem;
    const problems = [await problemOf('owner', 'owned'), await problemOf('visitor', 'migrated')];
    await server.run('courtside', 'alter role owner connection limit -1', 'alter database migrated connection limit -1');
    const total = 'The service opens up to 92 connections (48 of DATABASE_POOL, 44 for background work), ';
    const remedy = 'reduce DATABASE_POOL or WORKERS, or raise the limit.';
    expect(problems).toEqual([
      `${total}but PostgreSQL at ${address} accepts 50 (the connection limit of the user): ${remedy}`,
      `${total}but PostgreSQL at ${address} accepts 40 (the connection limit of the database): ${remedy}`,
    ]);
  });

  test('counts the search for the host that accepts writes, and warns about the limit of a replica', async () => {
    const { port } = new URL(server.urlOf());
    const severalHosts = server
      .urlOf({ database: 'migrated' })
      .replace(`127.0.0.1:${port}`, `127.0.0.1:${port},localhost:${port}`);
    const replica = server.urlOf({ database: 'migrated' });
    const [hosts, replicas] = [
      await check(severalHosts, { DATABASE_POOL: '48' }),
      await check(replica, { DATABASE_POOL: '28', DATABASE_REPLICA_URLS: replica }),
    ];
    await expect.poll(() => replicas.warnings.length).toBe(2);
    expect({ hosts: hosts.problem, replicas: replicas.warnings[1] }).toEqual({
      hosts: expect.stringContaining('The service opens up to 58 connections (48 of DATABASE_POOL, 10 for background work), but'),
      replicas: expect.stringContaining(
        'The service opens up to 29 connections (28 of DATABASE_POOL, 1 for background work), and',
      ),
    });
  });

  test('starts without its replicas and its server for LISTEN, and warns about them', async () => {
    const [port, listenPort] = [await freePort(), await freePort()];
    const { problem, warnings } = await start(server.urlOf({ database: 'migrated' }), {
      DATABASE_REPLICA_URLS: `postgresql://ana:secret-word@127.0.0.1:${port}/x`,
      DATABASE_LISTEN_URL: `postgresql://ana:secret-word@127.0.0.1:${listenPort}/x`,
    });
    expect({ problem, warnings }).toEqual({
      problem: null,
      warnings: [
        `PostgreSQL does not respond at 127.0.0.1:${port} (ECONNREFUSED): start it, or correct DATABASE_REPLICA_URLS. Until the replica responds, reads use other servers.`,
        `PostgreSQL does not respond at 127.0.0.1:${listenPort} (ECONNREFUSED): start it, or correct DATABASE_LISTEN_URL. Until the server responds, subscriptions and webhooks receive no changes.`,
      ],
    });
  });

  describe('behind PgBouncer', requires(missingBalancer), () => {
    let pooler: Program & { urls: string[] };
    beforeAll(async () => {
      pooler = await startPgBouncer([server.urlOf({ database: 'migrated' })]);
    });
    afterAll(() => pooler.stop());
    const pooledUrl = (change: (url: URL) => void) => {
      const url = new URL(pooler.urls[0] ?? '');
      change(url);
      return url.href;
    };

    test('starts with more connections than the server accepts, because the pooler shares them', async () => {
      const variables = { DATABASE_POOL: '100', DATABASE_PREPARED: 'off' };
      expect(
        await check(
          pooledUrl(() => undefined),
          variables,
        ),
      ).toEqual({ problem: null, warnings: [] });
    });

    test.each<[string, (url: URL) => void, string]>([
      [
        'an unknown database',
        (url) => (url.pathname = 'nowhere'),
        'The pooler at <pooler> refuses the connection (no such database, nowhere, SQLSTATE 08P01): check the databases, users and server connections in its configuration, or correct DATABASE_URL.',
      ],
      [
        'a wrong password',
        (url) => (url.password = 'secret-word'),
        'The pooler at <pooler> refuses the connection (SASL authentication failed, SQLSTATE 08P01): check the databases, users and server connections in its configuration, or correct DATABASE_URL.',
      ],
      [
        'an unsupported parameter',
        (url) => (url.search = 'options=-c%20work_mem=8MB'),
        'The pooler at <pooler> rejects a parameter of DATABASE_URL (unsupported startup parameter, options, SQLSTATE 08P01): remove the parameter from DATABASE_URL, or add it to ignore_startup_parameters of the pooler.',
      ],
    ])('%s is reported', async (_, change, message) => {
      const { problem } = await check(pooledUrl(change));
      expect(String(problem).replaceAll(`127.0.0.1:${pooler.port}`, '<pooler>')).toBe(message);
    });
  });
});
