import { scrypt as derive, type ScryptOptions, timingSafeEqual } from 'node:crypto';
import { decodeBase64, decodeHex, type HashFormat, type HashNotation, readParts } from './hash-format.js';
import { withMemory } from './with-memory.js';

const notations: readonly HashNotation[] = [
  // PHC string format, as passlib writes it.
  {
    pattern: /^\$scrypt\$ln=(?<logN>\d{1,2}),r=(?<r>\d{1,3}),p=(?<p>\d{1,3})\$(?<salt>[A-Za-z0-9+/]*)\$(?<hash>[A-Za-z0-9+/]+)$/,
    salt: decodeBase64,
    hash: decodeBase64,
  },
  // Format of Django.
  {
    pattern: /^scrypt\$(?<n>\d{1,7})\$(?<salt>[^$]*)\$(?<r>\d{1,3})\$(?<p>\d{1,3})\$(?<hash>[A-Za-z0-9+/]+={0,2})$/,
    salt: (text) => Buffer.from(text),
    hash: decodeBase64,
  },
  // Format of Werkzeug.
  {
    pattern: /^scrypt:(?<n>\d{1,7}):(?<r>\d{1,3}):(?<p>\d{1,3})\$(?<salt>[^$]*)\$(?<hash>[0-9a-f]+)$/,
    salt: (text) => Buffer.from(text),
    hash: decodeHex,
  },
];

/** Maximum memory in bytes. The parameters that OWASP recommends (N = 2^17, r = 8) need exactly this amount. */
const maxMemory = 128 * 1024 * 1024;

/** Maximum of N * r * p. At this maximum, a verification takes about a second. */
const maxWork = 4_194_304;

/** Returns the options for node:crypto. Null if the parameters are invalid or exceed the limits. */
function optionsOf(N: number, r: number, p: number): (ScryptOptions & { maxmem: number }) | null {
  const isPowerOfTwo = N > 1 && Number.isInteger(Math.log2(N));
  if (!isPowerOfTwo || r < 1 || p < 1 || N * r * p > maxWork || 128 * N * r > maxMemory) return null;
  // Node.js requires `maxmem` to be at least the total size of all buffers.
  return { N, r, p, maxmem: 128 * r * (N + p + 2) };
}

const deriveKey = (password: string, salt: Buffer, length: number, options: ScryptOptions): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    derive(password, salt, length, options, (error, key) => (error ? reject(error) : resolve(key)));
  });

/** scrypt, as defined in RFC 7914. */
export const scrypt: HashFormat = {
  prefix: /^\$?scrypt/,
  expected: `a scrypt hash as in $scrypt$ln=17,r=8,p=1$salt$hash, scrypt$16384$salt$8$5$hash or scrypt:32768:8:1$salt$hash, with at most ${maxMemory / 1024 / 1024} MiB of memory (128 * N * r) and N * r * p at most ${maxWork}`,
  read(text) {
    const parts = readParts(notations, text);
    if (!parts) return null;
    const { salt, hash, groups } = parts;
    const N = groups.logN === undefined ? Number(groups.n) : 2 ** Number(groups.logN);
    const options = optionsOf(N, Number(groups.r), Number(groups.p));
    if (!options) return null;
    return (password) =>
      withMemory(options.maxmem, async () => timingSafeEqual(await deriveKey(password, salt, hash.length, options), hash));
  },
};
