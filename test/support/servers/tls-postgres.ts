import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { disposableSettings, startEmbedded } from '../../../src/database/embedded.js';
import { resolveHome } from '../../../src/database/embedded-home.js';
import { missingPrograms } from '../prerequisites.js';
import { scratchDirectory } from './service-process.js';

/** Reason for skipping tests that need a TLS certificate. Null if openssl is installed. */
export const missingOpenssl = missingPrograms('openssl');

/** A PostgreSQL server that accepts 57 connections, with and without TLS, and applies access rules to its users. */
export interface TlsPostgres {
  /** File with the self-signed certificate of the server, for the host `db.example`. */
  readonly certificate: string;
  /** Returns a connection string for TCP. Default: the superuser and its database. */
  urlOf(parts?: { user?: string; password?: string; database?: string; search?: string }): string;
  /** Runs statements as the superuser. */
  run(database: string, ...statements: string[]): Promise<void>;
  stop(): Promise<void>;
}

/** Rules of `pg_hba.conf`: `tls_only` must use TLS. Other users have access only as members of the role `known`. */
const rules = `
local all all scram-sha-256
hostssl all tls_only 127.0.0.1/32 scram-sha-256
host all courtside,+known 127.0.0.1/32 scram-sha-256
`;

export async function startTlsPostgres(): Promise<TlsPostgres> {
  const directory = await scratchDirectory();
  const home = await resolveHome(directory);
  const fileOf = (name: string) => join(home.directory, name);
  const [certificate, key, rulesFile] = [fileOf('server.crt'), fileOf('server.key'), fileOf('rules.conf')];
  const subject = ['-subj', '/CN=db.example', '-addext', 'subjectAltName=DNS:db.example'];
  const keyOptions = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', key];
  execFileSync('openssl', ['req', '-x509', '-days', '2', ...subject, ...keyOptions, '-out', certificate], { stdio: 'ignore' });
  writeFileSync(rulesFile, rules);
  const { uid, gid } = home.account;
  for (const file of [certificate, key, rulesFile]) {
    if (uid !== undefined && gid !== undefined) chownSync(file, uid, gid);
    // PostgreSQL rejects a key that other users can read.
    chmodSync(file, file === key ? 0o600 : 0o644);
  }
  const server = await startEmbedded(directory, {
    settings: {
      ...disposableSettings,
      ssl: 'on',
      ssl_cert_file: certificate,
      ssl_key_file: key,
      hba_file: rulesFile,
      max_connections: '60',
    },
  });
  const { password: superuserPassword } = new URL(server.url);
  const urlOf: TlsPostgres['urlOf'] = ({ user = 'courtside', password, database = 'courtside', search = '' } = {}) =>
    Object.assign(new URL(server.url), {
      username: user,
      password: password ?? (user === 'courtside' ? superuserPassword : 'secret-word'),
      pathname: database,
      search,
    }).href;
  return {
    certificate,
    urlOf,
    async run(database, ...statements) {
      const client = new Client({ connectionString: urlOf({ database }) });
      await client.connect();
      for (const statement of statements) await client.query(statement);
      await client.end();
    },
    stop: server.stop,
  };
}
