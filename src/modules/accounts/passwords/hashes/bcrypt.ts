import { runExclusive } from '../../tokens/run-exclusive.js';
import type { HashFormat } from './hash-format.js';

const pattern = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/;

/** Cost 14 takes more than a second. */
const [minCost, maxCost] = [4, 14];

/** Bcrypt. All prefixes denote the same algorithm for valid UTF-8. */
export const bcrypt: HashFormat = {
  prefix: /^\$2/,
  expected: `a bcrypt hash as in $2b$12$…, with a cost from ${minCost} to ${maxCost}`,
  read(text) {
    const cost = Number(pattern.exec(text)?.[1]);
    if (!(cost >= minCost && cost <= maxCost)) return null;
    return (password) =>
      runExclusive('bcrypt', async () => {
        const { compareInThread } = await import('./bcrypt-thread.js');
        return compareInThread(password, text);
      });
  },
};
