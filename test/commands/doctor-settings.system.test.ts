import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashOf } from '../../src/modules/accounts/tokens/secrets.js';
import { moduleNames } from '../../src/modules/module-names.js';
import { examineInstallation } from '../support/checks/doctor.js';
import { startApp, type TestApp } from '../support/servers/app.js';
import { scratchDirectory } from '../support/servers/service-process.js';

let app: TestApp;
let directory: string;
beforeAll(async () => {
  app = await startApp({}, undefined, undefined, false);
  directory = await scratchDirectory();
});
afterAll(() => app.close());

const examine = (environment: Record<string, string>) => examineInstallation(join(directory, 'data'), environment);

const withDatabase = (): Record<string, string> => ({ DATABASE_URL: app.databaseUrl });

test('invalid settings are reported without their values, and the other checks still run', async () => {
  const invalid = { PORT: 'many', ROUTER_SECRET: 'secret-word,secret-word' };
  const { problems, linesOf, lines } = await examine({ ...withDatabase(), ...invalid });
  expect(problems.length).toBeGreaterThanOrEqual(2);
  expect(problems.filter((line) => !line.includes('Settings') && !line.includes('Port'))).toEqual([]);
  expect(linesOf('Database')[0]?.slice(0, 1)).toBe('✓');
  expect(lines.join()).not.toContain('secret-word');
});

test('reports misspelled variables, weak secrets and unreadable secret files, and still checks the database', async () => {
  const environment = {
    ...withDatabase(),
    NODE_ENV: 'Production',
    DATBASE_POOL: '4',
    ROUTER_SECRET: 'secret-word',
    SMTP_URL_FILE: join(directory, 'missing'),
    PUBLIC_URL: 'http://play.example',
  };
  const { lines, linesOf } = await examine(environment);
  expect({ settings: linesOf('Settings'), database: linesOf('Database'), smtp: linesOf('SMTP') }).toEqual({
    settings: [
      expect.stringMatching(/^✗ Settings +SMTP_URL_FILE names the file .*missing, which cannot be read/),
      expect.stringMatching(
        /^✗ Settings +Each secret in ROUTER_SECRET must have at least 16 characters.*Fix: set a random value/,
      ),
      expect.stringMatching(
        /^✗ Settings +DATBASE_POOL is not a variable of Courtside: did you mean DATABASE_POOL. Fix: correct the name/,
      ),
    ],
    database: [expect.stringMatching(/^✓/)],
    smtp: [expect.stringMatching(/^✗ SMTP +SMTP_URL is not set/)],
  });
  expect(lines.join()).not.toContain('secret-word');
});

test('reports the valid values of a setting as part of the problem', async () => {
  const environment = { ...withDatabase(), ROUTER_SECRET: 'a-secret', SUBGRAPHS: 'foo', RATE_LIMITS: 'bar=1/1m' };
  const fix = '. Fix: correct the value. docs/configuration.md describes all settings.';
  const { linesOf } = await examine(environment);
  expect(linesOf('Settings')).toEqual([
    expect.stringMatching(
      /^✗ Settings +RATE_LIMITS has the unknown limit "bar". Valid limits: [^:]+. Fix: correct the value. docs/,
    ),
    `✗ Settings    SUBGRAPHS contains unknown modules: foo. Available modules: ${moduleNames.join(', ')}${fix}`,
  ]);
});

test('reports an unreadable manifest of trusted documents', async () => {
  const { linesOf } = await examine({ ...withDatabase(), TRUSTED_DOCUMENTS: join(directory, 'missing') });
  expect(linesOf('Settings')).toEqual([expect.stringMatching(/^✗ Settings +TRUSTED_DOCUMENTS.* cannot read the file: /)]);
});

test('in production, reports a bootstrap admin password that is easy to guess', async () => {
  const admin = { BOOTSTRAP_ADMIN_EMAIL: 'ana@play.example', BOOTSTRAP_ADMIN_PASSWORD: 'Courtside2026!' };
  const { linesOf, lines } = await examine({ ...withDatabase(), ...admin, NODE_ENV: 'production' });
  expect(linesOf('Settings')).toEqual([
    expect.stringMatching(
      /^✗ Settings +BOOTSTRAP_ADMIN_PASSWORD must have 8 to 200 characters, and be hard to guess. Fix: choose/,
    ),
  ]);
  expect(lines.join()).not.toContain('Courtside2026!');
});

test('reports missing settings that other settings or production require', async () => {
  const withPublicUrl = await examine({ PUBLIC_URL: 'https://play.example' });
  const inProduction = await examine({ ...withDatabase(), NODE_ENV: 'production' });
  const withoutDatabase = await examine({ NODE_ENV: 'production' });
  expect({
    withPublicUrl: withPublicUrl.problems,
    inProduction: inProduction.problems,
    withoutDatabase: withoutDatabase.problems,
  }).toEqual({
    withPublicUrl: [expect.stringContaining('set TRUST_PROXY')],
    inProduction: [expect.stringContaining('set PUBLIC_URL'), expect.stringContaining('set SMTP_URL')],
    withoutDatabase: [
      expect.stringMatching(/DATABASE_URL must be set in production.*Fix: set it to a URL/),
      expect.stringContaining('set SMTP_URL'),
    ],
  });
});

test('reports demo data in production', async () => {
  const demo = await startApp();
  await demo.sql.rows(`insert into platform (id, title, token_hash) values ('demo', 'Demo', $1)`, [
    hashOf('demo-platform-token'),
  ]);
  const production = { DATABASE_URL: demo.databaseUrl, NODE_ENV: 'prod', PUBLIC_URL: 'http://play.example' };
  const { problems } = await examine({ ...production, DEMO: 'true' });
  await demo.close();
  expect(problems).toEqual([
    expect.stringMatching(/^✗ Settings .*DEMO must not be true in production.*Fix: unset it/),
    expect.stringMatching(
      /^✗ Database .*contains demo data.*Fix: set DATABASE_URL to another database, or set NODE_ENV=development/,
    ),
    expect.stringContaining('set SMTP_URL'),
  ]);
});
