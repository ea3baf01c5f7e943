import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config/index.js';
import { problemsOf } from '../support/fixtures/configuration.js';

const production = { NODE_ENV: 'production', DATABASE_URL: 'postgres://u:p@db/courtside' };

test.each(['production', 'Production', 'PRODUCTION', 'prod', 'Prod'])('NODE_ENV=%s means production', (value) =>
  expect(loadConfig({ ...production, NODE_ENV: value }).isProduction).toBe(true),
);

test('a start in production sets NODE_ENV to the spelling that libraries recognize', () => {
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = 'Prod';
  process.env.DATABASE_URL = production.DATABASE_URL;
  try {
    loadConfig();
    expect(process.env.NODE_ENV).toBe('production');
  } finally {
    process.env.NODE_ENV = NODE_ENV;
    delete process.env.DATABASE_URL;
  }
});

test.each(['production ', 'live', 'staging'])('rejects NODE_ENV=%s', (value) =>
  expect(problemsOf({ NODE_ENV: value })).toEqual(['NODE_ENV must be one of: development, test, production.']),
);

test('in production, in any spelling, requires a database, rejects demo data and still reports other problems', () => {
  const problems = [
    'DATABASE_URL must be set in production, where the embedded database is not available: set it to a URL such as postgresql://user:password@host:5432/database.',
    'DEMO must not be true in production, because the tokens of the demo data are public: unset it.',
  ];
  expect({
    production: problemsOf({ NODE_ENV: 'production', DEMO: 'true' }),
    prod: problemsOf({ NODE_ENV: 'PROD', DEMO: 'true', PORT: 'many' }),
    development: problemsOf({ DEMO: 'true' }),
    withoutDemo: problemsOf({ ...production, DEMO: 'false' }),
  }).toEqual({
    production: problems,
    prod: ['PORT must be a whole number from 0 to 65535.', ...problems],
    development: [],
    withoutDemo: [],
  });
});

test('rejects cheap password hashing and short minimum durations only in production', () => {
  const weak = { PASSWORD_HASH_MEMORY: '7167', ACCOUNT_MIN_DURATION: '249' };
  const sufficient = { PASSWORD_HASH_MEMORY: '7168', ACCOUNT_MIN_DURATION: '250' };
  expect({
    production: problemsOf({ ...production, ...weak }),
    sufficient: problemsOf({ ...production, ...sufficient }),
    development: problemsOf(weak),
  }).toEqual({
    production: [
      'PASSWORD_HASH_MEMORY must be at least 7168 in production.',
      'ACCOUNT_MIN_DURATION must be at least 250 in production.',
    ],
    sufficient: [],
    development: [],
  });
});

const remedy = 'set a random value, such as the output of "openssl rand -hex 24".';
const shortProblem = (subject: string) => `${subject} must have at least 16 characters in production: ${remedy}`;
const placeholderProblem = (subject: string) =>
  `${subject} must not be a repeated pattern or a placeholder such as "changeme" in production: ${remedy}`;
const strong = '4b7a1c9e0d2f8a63';

test('rejects short secrets in production, including each key of a list', () => {
  const secrets = {
    BOOTSTRAP_PLATFORM_TOKEN: 'a-short-token',
    ROUTER_SECRET: `${strong},a`,
    WEBHOOK_KEY: `short,${strong}`,
    SMS_WEBHOOK_URL: 'https://sms.example',
    SMS_WEBHOOK_SECRET: 'x',
  };
  expect({ production: problemsOf({ ...production, ...secrets }), development: problemsOf(secrets) }).toEqual({
    production: [
      shortProblem('BOOTSTRAP_PLATFORM_TOKEN'),
      shortProblem('SMS_WEBHOOK_SECRET'),
      shortProblem('Each secret in ROUTER_SECRET'),
      shortProblem('Each secret in WEBHOOK_KEY'),
    ],
    development: [],
  });
});

test.each([
  'aaaaaaaaaaaaaaaaaaaaaaaa',
  'abababababababab',
  '1111111111111112',
  'changemechangeme',
  'CHANGE_ME_PLEASE',
  'changeme-12345678',
  'your-secret-here-1',
  'router-secret-1234',
  'passwordpassword',
])('rejects the placeholder %s in production', (secret) =>
  expect({
    token: problemsOf({ ...production, BOOTSTRAP_PLATFORM_TOKEN: secret }),
    list: problemsOf({ ...production, ROUTER_SECRET: `${strong},${secret}` }),
  }).toEqual({
    token: [placeholderProblem('BOOTSTRAP_PLATFORM_TOKEN')],
    list: [placeholderProblem('Each secret in ROUTER_SECRET')],
  }),
);

test.each([strong, '0123456789012a45', 'Z2VuZXJhdGVkIGJ5IG9wZW5zc2w=', 'correct horse battery staple'])(
  'accepts the secret %s in production',
  (secret) => expect(problemsOf({ ...production, ROUTER_SECRET: secret, WEBHOOK_KEY: secret })).toEqual([]),
);

test('in production, weak webhook keys may follow a strong one, because stored secrets are encrypted under them', () => {
  const problem =
    'WEBHOOK_KEY must start with a random key of at least 16 characters in production: put the output of "openssl rand -hex 24" and a comma before the current value, which is then used only to decrypt.';
  expect({
    weak: problemsOf({ ...production, WEBHOOK_KEY: 'short' }),
    placeholders: problemsOf({ ...production, WEBHOOK_KEY: 'changemechangeme,short' }),
    strongFirst: problemsOf({ ...production, WEBHOOK_KEY: `${strong},short,changemechangeme` }),
  }).toEqual({ weak: [problem], placeholders: [problem], strongFirst: [] });
});

test('rejects a bootstrap admin password that is too short for a user', () => {
  const admin = { BOOTSTRAP_ADMIN_EMAIL: 'root@play.example', BOOTSTRAP_ADMIN_PASSWORD: '1' };
  expect(problemsOf({ ...production, ...admin })).toEqual([
    'BOOTSTRAP_ADMIN_PASSWORD must have 8 to 200 characters, and be hard to guess: choose another password.',
  ]);
});
