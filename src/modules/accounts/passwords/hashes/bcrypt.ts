import { createHash } from 'node:crypto';
import { runExclusive } from '../../tokens/run-exclusive.js';
import type { HashFormat } from './hash-format.js';

/**
 * Django hashes start with `bcrypt$`, or with `bcrypt_sha256$` if Django hashed the hexadecimal SHA-256 of the password instead of the
 * password.
 */
const pattern = /^(?<django>bcrypt\$|bcrypt_sha256\$)?(?<hash>\$2[aby]\$(?<cost>\d\d)\$[./A-Za-z0-9]{53})$/;

/** Cost 14 takes more than a second. */
const [minCost, maxCost] = [4, 14];

/** Bcrypt. For valid UTF-8, the prefixes `$2a$`, `$2b$` and `$2y$` denote the same algorithm. */
export const bcrypt: HashFormat = {
  prefix: /^(?:\$2|bcrypt\$|bcrypt_sha256\$)/,
  expected: `a bcrypt hash as in $2b$12$…, bcrypt$$2b$12$… or bcrypt_sha256$$2b$12$…, with a cost from ${minCost} to ${maxCost}`,
  read(text) {
    const { django, hash = '', cost } = pattern.exec(text)?.groups ?? {};
    if (!(Number(cost) >= minCost && Number(cost) <= maxCost)) return null;
    return (password) =>
      runExclusive('bcrypt', async () => {
        const { compareInThread } = await import('./bcrypt-thread.js');
        const isSha256 = django === 'bcrypt_sha256$';
        return compareInThread(isSha256 ? createHash('sha256').update(password).digest('hex') : password, hash);
      });
  },
};
