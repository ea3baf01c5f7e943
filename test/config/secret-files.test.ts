import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test, vi } from 'vitest';
import { environmentWith, loadConfig, setTraceHeaders, variables } from '../../src/config/index.js';
import { problemsOf } from '../support/fixtures/configuration.js';

const directory = mkdtempSync(join(inject('scratch'), 'secrets-'));

function fileWith(content: string): string {
  const path = join(mkdtempSync(join(directory, 'file-')), 'secret');
  writeFileSync(path, content);
  return path;
}

/** A value for each variable that can contain a secret. */
const values: Record<string, string> = {
  DATABASE_URL: 'postgresql://u:p@db/courtside',
  DATABASE_REPLICA_URLS: 'postgresql://u:p@one/courtside,postgresql://u:p@two/courtside',
  DATABASE_LISTEN_URL: 'postgresql://u:p@direct/courtside',
  WEBHOOK_KEY: 'first-key,second-key',
  SHADOW_UPSTREAM: 'https://user:password@old.example/',
  IMPORT_TOKEN: 'old-platform-token',
  BOOTSTRAP_PLATFORM_TOKEN: 'platform-token',
  BOOTSTRAP_ADMIN_PASSWORD: 'admin-password',
  SMTP_URL: 'smtp://u:p@mail.example',
  SMS_WEBHOOK_URL: 'https://sms.example/secret-path',
  SMS_WEBHOOK_SECRET: 'sms-secret',
  ROUTER_SECRET: 'first-secret,second-secret',
  OTEL_EXPORTER_OTLP_HEADERS: 'api-key=secret-word',
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'api-key=other-word',
};
const others = { BOOTSTRAP_ADMIN_EMAIL: 'root@play.example', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' };

test('every variable that can contain a secret can be read from a file', () => {
  expect(variables.filter(({ isSecret }) => isSecret).map(({ name }) => name)).toEqual(Object.keys(values));
});

test('values in files equal values in variables, with or without a trailing newline', () => {
  const inFiles = (ending: string) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [`${name}_FILE`, fileWith(value + ending)]));
  const expected = loadConfig({ ...others, ...values });
  expect({
    withoutNewline: loadConfig({ ...others, ...inFiles('') }),
    newline: loadConfig({ ...others, ...inFiles('\n') }),
    windows: loadConfig({ ...others, ...inFiles('\r\n') }),
  }).toEqual({ withoutNewline: expected, newline: expected, windows: expected });
});

describe('rejects', () => {
  const problemsOfFile = (path: string) => problemsOf({ SMTP_URL_FILE: path });

  test('a variable and its file together', () =>
    expect(problemsOf({ SMTP_URL: 'smtp://a', SMTP_URL_FILE: fileWith('smtp://b') })).toEqual([
      'SMTP_URL and SMTP_URL_FILE are both set: set only one of them.',
    ]));

  test('missing, unreadable, empty and multi-line files, with the variable and the path', () => {
    const missing = join(directory, 'missing');
    const folder = join(directory, 'folder');
    mkdirSync(folder);
    const [empty, blank, lines] = [fileWith(''), fileWith('\n'), fileWith('smtp://a\nsmtp://b\n')];
    expect({
      missing: problemsOfFile(missing),
      folder: problemsOfFile(folder),
      empty: problemsOfFile(empty),
      blank: problemsOfFile(blank),
      lines: problemsOfFile(lines),
    }).toEqual({
      missing: [
        `SMTP_URL_FILE names the file ${missing}, which cannot be read (it does not exist): correct the path or the permissions.`,
      ],
      folder: [
        `SMTP_URL_FILE names the file ${folder}, which cannot be read (it is a directory): correct the path or the permissions.`,
      ],
      empty: [`SMTP_URL_FILE names the file ${empty}, which is empty: write the value into the file.`],
      blank: [`SMTP_URL_FILE names the file ${blank}, which is empty: write the value into the file.`],
      lines: [`SMTP_URL_FILE names the file ${lines}, which has several lines: write the value on one line.`],
    });
  });

  test('an invalid value in a file, without repeating the value', () =>
    expect(problemsOfFile(fileWith('secret-word'))).toEqual(['SMTP_URL must be a URL that starts with smtp:// or smtps://.']));

  test('weak secrets in files in production', () =>
    expect(
      problemsOf({ NODE_ENV: 'production', DATABASE_URL: 'postgres://u:p@db/courtside', ROUTER_SECRET_FILE: fileWith('a') }),
    ).toEqual([expect.stringContaining('ROUTER_SECRET must have at least 16 characters')]));

  test('a secret with an unreadable file only once', () => {
    const path = join(directory, 'missing');
    const required = { BOOTSTRAP_ADMIN_PASSWORD_FILE: path, ...others, DATABASE_URL_FILE: path, NODE_ENV: 'production' };
    expect(problemsOf(required).map((problem) => problem.split(' ')[0])).toEqual([
      'DATABASE_URL_FILE',
      'BOOTSTRAP_ADMIN_PASSWORD_FILE',
    ]);
  });
});

test('a child process gets a variable instead of its file', () => {
  process.env.DATABASE_URL_FILE = '/run/secrets/database-url';
  const environment = environmentWith({ DATABASE_URL: 'postgresql://u:p@db/other' });
  delete process.env.DATABASE_URL_FILE;
  expect(environment).toMatchObject({ DATABASE_URL: 'postgresql://u:p@db/other', DATABASE_URL_FILE: undefined });
});

describe('OTEL_EXPORTER_OTLP_HEADERS', () => {
  test.each(['api-key=secret', 'Authorization=Basic dXNlcg==, x.y = 1,', 'Authorization=Bearer%20secret'])(
    'accepts %j',
    (value) => expect(problemsOf({ OTEL_EXPORTER_OTLP_HEADERS: value })).toEqual([]),
  );

  test.each(['Authorization: Bearer secret', 'api-key', 'api-key=', 'a=1,=2', 'a=100%'])('rejects %j', (value) =>
    expect(problemsOf({ OTEL_EXPORTER_OTLP_HEADERS: value })).toEqual([
      'OTEL_EXPORTER_OTLP_HEADERS must be comma-separated headers such as api-key=secret, with special characters percent-encoded.',
    ]),
  );

  test('are set in the environment for the exporters, instead of the file', () => {
    vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS_FILE', fileWith('api-key=secret-word\n'));
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', 'http://localhost:4318');
    vi.stubEnv('OTEL_EXPORTER_OTLP_TRACES_HEADERS_FILE', fileWith('api-key=other-word\n'));
    const { traces } = loadConfig();
    setTraceHeaders(traces?.headers ?? '');
    setTraceHeaders(traces?.tracesHeaders ?? '', 'OTEL_EXPORTER_OTLP_TRACES_HEADERS');
    const { OTEL_EXPORTER_OTLP_HEADERS: headers, OTEL_EXPORTER_OTLP_TRACES_HEADERS: tracesHeaders } = process.env;
    const headersOfSecondLoad = loadConfig().traces?.headers;
    delete process.env.OTEL_EXPORTER_OTLP_HEADERS;
    delete process.env.OTEL_EXPORTER_OTLP_TRACES_HEADERS;
    vi.unstubAllEnvs();
    expect({ headers, tracesHeaders, headersOfSecondLoad }).toEqual({
      headers: 'api-key=secret-word',
      tracesHeaders: 'api-key=other-word',
      headersOfSecondLoad: 'api-key=secret-word',
    });
  });
});
