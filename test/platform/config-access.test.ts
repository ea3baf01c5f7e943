import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config.js';

const problemsOf = (env: Record<string, string>): string[] => {
  try {
    loadConfig(env);
    return [];
  } catch (error) {
    return String(error instanceof Error ? error.message : error).split('\n');
  }
};

test('proxies are told by how many there are, or where, under the name of now or the former one', () => {
  const wrong =
    'must be a number of proxies from 0 to 10, or their addresses or networks with commas between them, such as 10.0.0.0/8.';
  const given = [
    { TRUST_PROXY: '2' },
    { TRUSTED_PROXIES: '2' },
    { TRUST_PROXY: '::1,192.0.2.0/24' },
    { TRUST_PROXY: '1', TRUSTED_PROXIES: '1' },
  ];
  expect([
    given.map((env) => loadConfig(env).trustProxy),
    ['11', 'true', '*', '10.0.0.0/33', 'proxy.example', ',', '-1'].map((text) => problemsOf({ TRUST_PROXY: text })),
    problemsOf({ TRUST_PROXY: '1', TRUSTED_PROXIES: '2' }),
    problemsOf({ TRUSTED_PROXIES: 'all' }),
  ]).toEqual([
    [2, 2, ['::1', '192.0.2.0/24'], 1],
    Array(7).fill([`TRUST_PROXY ${wrong}`]),
    ['TRUSTED_PROXIES is the former name of TRUST_PROXY: set only one of them.'],
    [`TRUSTED_PROXIES ${wrong}`],
  ]);
});

test('origins of pages are all, none, or a list', () => {
  const wrong =
    'CORS_ORIGINS must be *, none, or origins with commas between them, such as https://www.example.com or http://localhost:*.';
  expect([
    ['*', 'none', 'https://a.example'].map((text) => loadConfig({ CORS_ORIGINS: text }).corsOrigins),
    ['https://a.example/', '*.example', 'https://a.example,*', 'null', 'all', ','].map((text) =>
      problemsOf({ CORS_ORIGINS: text }),
    ),
  ]).toEqual([['*', [], ['https://a.example']], Array(6).fill([wrong])]);
});

test('what is wrong with limits is named', () => {
  const names =
    'account, address, key, account.passwords, account.messages, address.passwords, address.messages, address.contact, key.lookups, key.attempts';
  const form = (name: string) =>
    `RATE_LIMITS must have for ${name} a count and a time, such as ${name}=100/15m: at most 1000000, and 7d.`;
  expect([
    problemsOf({ RATE_LIMITS: 'adress=100/15m,account=10/15m' }),
    problemsOf({ RATE_LIMITS: 'address=100,account=0/1m,key=5/8d,account.messages=five/1m' }),
    problemsOf({ RATE_LIMITS: 'key=5/1m,key=6/1m' }),
  ]).toEqual([
    [`RATE_LIMITS must name limits, and "adress" is none: there are ${names}.`],
    ['address', 'account', 'key', 'account.messages'].map(form),
    ['RATE_LIMITS must have key once.'],
  ]);
});
