import { verify } from '@node-rs/argon2';
import { decodeBase64, type HashFormat, type HashNotation, readParts } from './hash-format.js';
import { withMemory } from './with-memory.js';

const notation: HashNotation = {
  pattern:
    /^\$argon2(?:id|i|d)\$v=19\$m=(?<m>\d{1,7}),t=(?<t>\d{1,3}),p=(?<p>\d{1,2})\$(?<salt>[A-Za-z0-9+/]+)\$(?<hash>[A-Za-z0-9+/]+)$/,
  salt: decodeBase64,
  hash: decodeBase64,
};

const [minSaltLength, maxMemory, maxPasses, maxParallelism] = [8, 1_048_576, 100, 16];

/** Maximum product of the memory in KiB and the number of passes. At this maximum, a verification takes about two seconds. */
const maxWork = 2_097_152;

/** Argon2 1.3 in the PHC string format. Django prepends `argon2`. */
export const argon2: HashFormat = {
  prefix: /^(?:\$argon2|argon2\$)/,
  expected: `an argon2 hash as in $argon2id$v=19$m=19456,t=2,p=1$salt$hash or argon2$argon2id$v=19$m=19456,t=2,p=1$salt$hash, with m at most ${maxMemory}, t at most ${maxPasses}, p at most ${maxParallelism}, and m * t at most ${maxWork}`,
  read(storedText, cost) {
    const text = storedText.replace(/^argon2(?=\$)/, '');
    const parts = readParts([notation], text);
    const [memory, passes, parallelism] = [Number(parts?.groups.m), Number(parts?.groups.t), Number(parts?.groups.p)];
    // Hashes of this service are valid even if the configured cost exceeds `maxWork`.
    const isWithinLimits = memory * passes <= maxWork || (memory <= cost.memory && passes <= cost.passes);
    const isValid =
      parts &&
      parts.salt.length >= minSaltLength &&
      isWithinLimits &&
      memory <= maxMemory &&
      memory >= 8 * parallelism &&
      passes >= 1 &&
      passes <= maxPasses &&
      parallelism >= 1 &&
      parallelism <= maxParallelism;
    if (!isValid) return null;
    const neededMemory = memory <= cost.memory ? 0 : memory * 1024;
    return (password) => withMemory(neededMemory, () => verify(text, password));
  },
};
