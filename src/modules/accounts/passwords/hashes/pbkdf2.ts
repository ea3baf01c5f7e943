import { pbkdf2 as derive, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { decodeBase64, decodeHex, type HashFormat, type HashNotation, readParts } from './hash-format.js';

const deriveKey = promisify(derive);

const notations: readonly HashNotation[] = [
  // Format of PHC strings and of passlib, which omits the name of SHA-1.
  {
    pattern:
      /^\$pbkdf2(?:-(?<digest>sha1|sha256|sha512))?\$(?:i=)?(?<iterations>\d{1,7})(?:,l=(?<length>\d{1,2}))?\$(?<salt>[A-Za-z0-9+/.]*)\$(?<hash>[A-Za-z0-9+/.]+)$/,
    salt: decodeBase64,
    hash: decodeBase64,
  },
  // Format of Django.
  {
    pattern: /^pbkdf2_(?<digest>sha1|sha256|sha512)\$(?<iterations>\d{1,7})\$(?<salt>[^$]*)\$(?<hash>[A-Za-z0-9+/]+={0,2})$/,
    salt: (text) => Buffer.from(text),
    hash: decodeBase64,
  },
  // Format of Werkzeug.
  {
    pattern: /^pbkdf2:(?<digest>sha1|sha256|sha512):(?<iterations>\d{1,7})\$(?<salt>[^$]*)\$(?<hash>[0-9a-f]+)$/,
    salt: (text) => Buffer.from(text),
    hash: decodeHex,
  },
];

/** Maximum number of iterations, summed over all blocks of the hash. At this maximum, a verification takes about a second. */
const maxIterations = 2_000_000;

const digestLengths: Readonly<Record<string, number>> = { sha1: 20, sha256: 32, sha512: 64 };

/** PBKDF2 with HMAC-SHA-1, HMAC-SHA-256 or HMAC-SHA-512. */
export const pbkdf2: HashFormat = {
  prefix: /^\$?pbkdf2/,
  expected: `a PBKDF2 hash as in $pbkdf2-sha256$i=600000$salt$hash, pbkdf2_sha256$600000$salt$hash or pbkdf2:sha256:600000$salt$hash, with SHA-1, SHA-256 or SHA-512 and at most ${maxIterations} iterations`,
  read(text) {
    const parts = readParts(notations, text);
    if (!parts) return null;
    const { salt, hash, groups } = parts;
    const { digest = 'sha1', length } = groups;
    const iterations = Number(groups.iterations);
    const blocks = Math.ceil(hash.length / (digestLengths[digest] ?? 1));
    if (iterations < 1 || iterations * blocks > maxIterations || Number(length ?? hash.length) !== hash.length) return null;
    return async (password) => timingSafeEqual(await deriveKey(password, salt, iterations, hash.length, digest), hash);
  },
};
