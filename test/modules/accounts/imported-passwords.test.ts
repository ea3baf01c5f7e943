import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isOutdatedHash, passwordHashProblem } from '../../../src/modules/accounts/passwords/hashes/stored-hash.js';
import { blockedSessions } from '../../support/checks/blocked-sessions.js';
import { passwordHash } from '../../support/fixtures/passwords.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** Hashes of `correct horse`, written by other implementations. */
const hashes: Record<string, string> = {
  'argon2id from argon2-cffi': '$argon2id$v=19$m=64,t=2,p=2$11rrXct5r/W+N8YYo9Q65w$WVBMyj62Co1rJiDZ2UYT/kj6gL4p2uN/Ei8An+2ZTvw',
  'argon2i from argon2-cffi': '$argon2i$v=19$m=64,t=2,p=2$AWCMcS7lvPceI0RISamVkg$+lWt1U47CayqCOOdJ6+05H+8haTwBKaFDvx8EL2Msh0',
  'argon2d from argon2-cffi': '$argon2d$v=19$m=64,t=2,p=2$IMT437t3bk3pPYeQEqKUcg$FNUB2RYVCgsfB5Tw7afAYZSaElArH/yxl2Bg79NdxEs',
  'argon2 from Django':
    'argon2$argon2id$v=19$m=64,t=2,p=2$ZkljQ2hkT3R2Z0d0YktRYWJmZmhDbw$xW5/aimy2SK4Z4Vr+z8CWaPuBiLjpb0QD/LlX5Sy6ow',
  'bcrypt 2a from Python': '$2a$04$mHYppLFqmHrLRR4OHsi02.sOl3/pIJ0WXjCwZNL1OTA3NDP2wAbxy',
  'bcrypt 2b from Python': '$2b$04$QtVtFc7/0fFk5D/yFRdzsOzNlQhiwtjf4gv0jYWlLtDmxDdABwHWa',
  'bcrypt 2y from libxcrypt': '$2y$04$abcdefghijklmnopqrstuujydOTSfIH/d5oUHpsygqV5X9xJLQc6e',
  'bcrypt from Django': 'bcrypt$$2b$04$CDGgMTAcQs0hY4CuvviAOO1AHPFJYrZEQeC/T5FPaM.3TLePkADuy',
  'bcrypt of a SHA-256 hash, from Django': 'bcrypt_sha256$$2b$04$z9jLcUpD3an7xeMQ/rMp6eulRQaMbWPTx9KhHYhSgYVshRF2TUVH6',
  'PBKDF2 in the PHC format, from hashlib':
    '$pbkdf2-sha256$i=1000,l=32$AAECAwQFBgcICQoLDA0ODw$yRTMTwbMbo9G0VfjobWqerzuuxe7BETNTErBbKKumGQ',
  'PBKDF2 with SHA-1 from passlib': '$pbkdf2$1000$cW5Nydk7J4SQsrb2PgcA4A$4vFDl1PRk6bRrzfNAsWoF9qbrCg',
  'PBKDF2 with SHA-256 from passlib': '$pbkdf2-sha256$1000$yhnjPIdwbs2ZM8Y4J6SUEg$hbgTPMxcoEeH4J2YkFZdIHD1nh.9GiaRwEYD1pP7bcU',
  'PBKDF2 with SHA-512 from passlib':
    '$pbkdf2-sha512$1000$VOp9r7W21lpLiTHGGCMEQA$/SUIX0r.oQWA8VqN9ZPJi7y9.TBHA2tXvmmKBDYJMK0CKQtWSNPZjJ/fRjgKQLUuKTPnKxxCKpe5NffNHjxbuA',
  'PBKDF2 with SHA-256 from Django': 'pbkdf2_sha256$1000$salt1234$lU4Rq8e1+mzgTYGzPvbaLpmUlTcLN7vQWZ2EfLfzidM=',
  'PBKDF2 from Django 5': 'pbkdf2_sha256$1000$bSgAK3Qgd4sIb3gi1EYHqd$htsWd1KJ5zUm+xnU3MNce506Q+8Fh5DDvyA2cOSml9E=',
  'PBKDF2 with SHA-1 from Django': 'pbkdf2_sha1$1000$salt1234$KKxdne/X67cXs8sVgv52x+/EwEE=',
  'PBKDF2 from Werkzeug':
    'pbkdf2:sha512:1000$zOOgojoLihN1phKW$d2889abda24cb04ca9bdd8d5899860a51207a1c4f89f58966ff5639c5114669231dd8941590e971d805955f2f213734e8d2e5bfa6ceca43234769be06d959833',
  'scrypt in the PHC format, from passlib':
    '$scrypt$ln=4,r=8,p=1$K0WI0dq7d26tFWLsvRdijA$YDZhJpgeQUyYpptH2HxrL3m4uX2RDeivT7LNP+o3Sr4',
  'scrypt from Django':
    'scrypt$1024$salt1234$8$1$1SvAj9hSTN9tNs0qtfXRDiRQZjaO05HaOROIPg9B95dorsdo28AjaCclvhZZoN//1D6gg45qAh2wD9lSc2mI0w==',
  'scrypt from Werkzeug':
    'scrypt:1024:8:1$HkMzHA7wBPtj7cW5$968f772ac6b5879e8d9991d960bf32117a69c36c80ea84766d88c5573776f848360ccf457d1d637dfd1329fad6db6809bede3585b5096949d7791ca6bb1a5e4c',
};

const query = 'mutation ($input: LoginInput!) { login(input: $input) { token } }';
const login = (email: string, password = 'correct horse') => app.graphql(query, { input: { email, password } });
const incorrect = { errors: ['INVALID_CREDENTIALS: incorrect username or password'] };

/** Creates a verified user with a stored hash, and a session. */
async function createMember(email: string, hash: string) {
  const person = await app.person({ email });
  await app.sql.rows('update app_user set password_hash = $2 where id = $1', [person.id, hash]);
  return person;
}

const storedHash = async (id: string): Promise<string> =>
  (await app.sql.row<{ hash: string }>('select password_hash as hash from app_user where id = $1', [id]))?.hash ?? '';

/** Returns the audit entries of changes of a user. */
const auditEntries = (id: string) =>
  app.sql.rows(`select columns, source from audit_entry where record_key = $1 and action = 'CHANGED' order by created_at`, [id]);

test.each(Object.entries(hashes))('a sign-in with %s succeeds and stores a new argon2id hash', async (name, hash) => {
  const email = `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}@example.com`;
  const { id, user } = await createMember(email, hash);
  const wrong = await login(email, 'wrong horse');
  const afterWrong = await storedHash(id);
  const first = await login(email);
  const newHash = await storedHash(id);
  const second = await login(email);
  expect({
    wrong,
    isHashKept: afterWrong === hash,
    first: typeof first.login?.token,
    newHash: newHash.slice(0, 27),
    audit: (await auditEntries(id)).slice(1),
    second: typeof second.login?.token,
    isKeptThen: (await storedHash(id)) === newHash,
    wrongAgain: await login(email, 'wrong horse'),
    earlierSession: await app.graphql('{ viewer { id } }', {}, { user }),
    problem: passwordHashProblem(hash),
  }).toEqual({
    wrong: incorrect,
    isHashKept: true,
    first: 'string',
    newHash: '$argon2id$v=19$m=8,t=1,p=1$',
    audit: [{ columns: ['password_hash'], source: 'REQUEST' }],
    second: 'string',
    isKeptThen: true,
    wrongAgain: incorrect,
    earlierSession: { viewer: { id } },
    problem: null,
  });
});

const [salt, hash32] = ['AAECAwQFBgcICQoLDA0ODw', 'yRTMTwbMbo9G0VfjobWqerzuuxe7BETNTErBbKKumGQ'];
/** Hashes that the service does not accept, each with the expected format that the error message names. */
const refused: Record<string, [hash: string, problem: string]> = {
  'with an unknown format': ['5f4dcc3b5aa765d61d8327deb882cf99', 'an argon2, bcrypt, PBKDF2 or scrypt hash'],
  'that is empty': ['', 'an argon2, bcrypt, PBKDF2 or scrypt hash'],
  'of another bcrypt variant': ['$2x$04$QtVtFc7/0fFk5D/yFRdzsOzNlQhiwtjf4gv0jYWlLtDmxDdABwHWa', 'a bcrypt hash'],
  'of bcrypt with cost 15': ['$2b$15$QtVtFc7/0fFk5D/yFRdzsOzNlQhiwtjf4gv0jYWlLtDmxDdABwHWa', 'a bcrypt hash'],
  'of truncated bcrypt': ['$2b$04$QtVtFc7/0fFk5D/yFRdzsOzNlQhiwtjf4gv0', 'a bcrypt hash'],
  'of Django bcrypt with cost 15': [
    'bcrypt_sha256$$2b$15$QtVtFc7/0fFk5D/yFRdzsOzNlQhiwtjf4gv0jYWlLtDmxDdABwHWa',
    'a bcrypt hash',
  ],
  'of Django bcrypt with SHA-1': [
    'bcrypt_sha1$$2b$04$QtVtFc7/0fFk5D/yFRdzsOzNlQhiwtjf4gv0jYWlLtDmxDdABwHWa',
    'an argon2, bcrypt,',
  ],
  'of Django without a password': ['!mxvgmKhbu2oN7xU2xapVFBZ5VART4Ahe1N8w9mJK', 'an argon2, bcrypt, PBKDF2 or scrypt hash'],
  'of Django argon2 in version 16': [`argon2$argon2i$m=64,t=1,p=1$${salt}$${hash32}`, 'an argon2 hash'],
  'of argon2 with 2 GiB': [`$argon2id$v=19$m=2097152,t=1,p=1$${salt}$${hash32}`, 'an argon2 hash'],
  'of argon2 with 64 MiB and 64 passes': [`$argon2id$v=19$m=65536,t=64,p=1$${salt}$${hash32}`, 'an argon2 hash'],
  'of argon2 with too little memory': [`$argon2id$v=19$m=8,t=1,p=2$${salt}$${hash32}`, 'an argon2 hash'],
  'of argon2 without passes': [`$argon2id$v=19$m=64,t=0,p=1$${salt}$${hash32}`, 'an argon2 hash'],
  'of argon2 in version 16': [`$argon2id$v=16$m=64,t=1,p=1$${salt}$${hash32}`, 'an argon2 hash'],
  'of PBKDF2 with 2,000,001 iterations': [`pbkdf2_sha256$2000001$salt$${hash32}=`, 'a PBKDF2 hash'],
  'of PBKDF2 without iterations': [`pbkdf2_sha256$0$salt$${hash32}=`, 'a PBKDF2 hash'],
  'of PBKDF2 with MD5': [`pbkdf2_md5$1000$salt$${hash32}=`, 'a PBKDF2 hash'],
  'of PBKDF2 with a wrong length': [`$pbkdf2-sha256$i=1000,l=64$${salt}$${hash32}`, 'a PBKDF2 hash'],
  'of PBKDF2 with 4 bytes': ['pbkdf2_sha256$1000$salt$AAECAw==', 'a PBKDF2 hash'],
  'of scrypt with 256 MiB': [`$scrypt$ln=18,r=8,p=1$${salt}$${hash32}`, 'a scrypt hash'],
  'of scrypt with N = 1000': [`scrypt$1000$salt$8$1$${hash32}=`, 'a scrypt hash'],
  'of scrypt with p = 999': [`scrypt$16384$salt$8$999$${hash32}=`, 'a scrypt hash'],
  'of scrypt with r = 0': [`scrypt$16384$salt$0$1$${hash32}=`, 'a scrypt hash'],
};

test('hashes with an unknown format or parameters above the limits are refused, and do not verify', async () => {
  const results: Record<string, unknown> = {};
  for (const [name, [hash, problem]] of Object.entries(refused)) {
    const email = `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}@example.com`;
    await createMember(email, hash);
    results[name] = { isDescribed: passwordHashProblem(hash)?.startsWith(problem), login: await login(email) };
  }
  expect(results).toEqual(
    Object.fromEntries(Object.keys(refused).map((name) => [name, { isDescribed: true, login: incorrect }])),
  );
});

describe('while the new hash is stored, a concurrent request', () => {
  /** Signs in while another transaction changes the hash of the same user. Returns the outcome and the final hash. */
  async function loginDuringChange(email: string, newHash: string) {
    const { id } = await createMember(email, hashes['bcrypt 2b from Python'] ?? '');
    const { answer } = await app.sql.transaction(async () => {
      await app.sql.rows('update app_user set password_hash = $2 where id = $1', [id, newHash]);
      const pending = { answer: login(email) };
      await expect.poll(() => blockedSessions(app.sql)).toBeGreaterThan(0);
      return pending;
    });
    const { login: session, errors } = await answer;
    return { outcome: errors ?? typeof session.token, isHashKept: (await storedHash(id)) === newHash };
  }

  test('that changes the password wins', async () => {
    expect(await loginDuringChange('changed@example.com', await passwordHash('another horse'))).toEqual({
      outcome: incorrect.errors,
      isHashKept: true,
    });
  });

  test('that stores a new hash of the same password wins, and both sign in', async () => {
    expect(await loginDuringChange('rehashed@example.com', await passwordHash('correct horse'))).toEqual({
      outcome: 'string',
      isHashKept: true,
    });
  });
});

test('a hash that is more expensive to guess than new ones is kept', async () => {
  const expensive = await passwordHash('correct horse', { memory: 16, passes: 2 });
  const { id } = await createMember('expensive@example.com', expensive);
  await login('expensive@example.com');
  expect(await storedHash(id)).toBe(expensive);
});

test.each([
  ['$argon2id$v=19$m=19456,t=1,p=1$c2FsdHNhbHQ$aGFzaA', true],
  ['$argon2id$v=19$m=8192,t=2,p=1$c2FsdHNhbHQ$aGFzaA', true],
  ['$argon2i$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$aGFzaA', true],
  ['$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$aGFzaA', false],
  ['$argon2id$v=19$m=65536,t=3,p=1$c2FsdHNhbHQ$aGFzaA', false],
])('%s is outdated: %s', (storedHash, outdated) => {
  expect(isOutdatedHash(storedHash, { memory: 19_456, passes: 2 })).toBe(outdated);
});

test('a failed sign-in takes at least ACCOUNT_MIN_DURATION, for every hash format', async () => {
  const slowApp = await startApp({ ACCOUNT_MIN_DURATION: '400' });
  try {
    const { id } = await slowApp.person({ email: 'django@example.com' });
    await slowApp.sql.rows('update app_user set password_hash = $2 where id = $1', [id, hashes['PBKDF2 with SHA-1 from Django']]);
    for (const email of ['django@example.com', 'unknown@example.com']) {
      const start = performance.now();
      await slowApp.graphql(query, { input: { email, password: 'wrong horse' } });
      expect(performance.now() - start).toBeGreaterThan(390);
    }
  } finally {
    await slowApp.close();
  }
});
