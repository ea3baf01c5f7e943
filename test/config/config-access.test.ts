import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/index.js';
import { problemsOf } from '../support/fixtures/configuration.js';

describe('TRUST_PROXY', () => {
  const rule = 'must be a number of proxies from 0 to 10, or their comma-separated addresses or networks, such as 10.0.0.0/8.';

  test.each<[Record<string, string>, number | string[]]>([
    [{ TRUST_PROXY: '2' }, 2],
    [{ TRUSTED_PROXIES: '2' }, 2],
    [{ TRUST_PROXY: '::1,192.0.2.0/24' }, ['::1', '192.0.2.0/24']],
    [{ TRUST_PROXY: '1', TRUSTED_PROXIES: '1' }, 1],
  ])('%j is parsed as %j', (env, trustProxy) => {
    expect(loadConfig(env).trustProxy).toEqual(trustProxy);
  });

  test.each(['11', 'true', '*', '10.0.0.0/33', 'proxy.example', ',', '-1'])('rejects %j', (value) => {
    expect(problemsOf({ TRUST_PROXY: value })).toEqual([`TRUST_PROXY ${rule}`]);
  });

  test('rejects the former name with another value', () => {
    expect(problemsOf({ TRUST_PROXY: '1', TRUSTED_PROXIES: '2' })).toEqual([
      'TRUSTED_PROXIES is the former name of TRUST_PROXY: set only one of them.',
    ]);
  });

  test('an invalid value under the former name is reported under that name', () => {
    expect(problemsOf({ TRUSTED_PROXIES: 'all' })).toEqual([`TRUSTED_PROXIES ${rule}`]);
  });
});

describe('CORS_ORIGINS', () => {
  const problem =
    'CORS_ORIGINS must be *, none, or comma-separated origins, such as https://www.example.com or http://localhost:*.';

  test.each<[string, string | string[]]>([
    ['*', '*'],
    ['none', []],
    ['https://a.example', ['https://a.example']],
  ])('%j is parsed as %j', (value, corsOrigins) => {
    expect(loadConfig({ CORS_ORIGINS: value }).corsOrigins).toEqual(corsOrigins);
  });

  test.each(['https://a.example/', '*.example', 'https://a.example,*', 'null', 'all', ','])('rejects %j', (value) => {
    expect(problemsOf({ CORS_ORIGINS: value })).toEqual([problem]);
  });
});

test('RATE_LIMITS rejects unknown names, malformed quotas and duplicates', () => {
  const names =
    'account, user, webhook, address, key, platform, requests, account.passwords, account.messages, user.messages, user.recipient, user.codes, user.partners, webhook.codes, address.passwords, address.messages, address.contact, key.lookups, key.attempts, platform.passwords, platform.lookups, platform.contact, requests.platform';
  const malformed = (name: string) =>
    `RATE_LIMITS must set ${name} to a count and a time, such as ${name}=100/15m. Maximum: 1000000/7d.`;
  expect({
    unknownName: problemsOf({ RATE_LIMITS: 'adress=100/15m,account=10/15m' }),
    malformedQuotas: problemsOf({ RATE_LIMITS: 'address=100,account=0/1m,key=5/8d,account.messages=five/1m' }),
    duplicate: problemsOf({ RATE_LIMITS: 'key=5/1m,key=6/1m' }),
  }).toEqual({
    unknownName: [`RATE_LIMITS has the unknown limit "adress". Valid limits: ${names}.`],
    malformedQuotas: ['address', 'account', 'key', 'account.messages'].map(malformed),
    duplicate: ['RATE_LIMITS must not set key more than once.'],
  });
});
