import { runExclusive } from '../../tokens/run-exclusive.js';

/** Maximum number of bytes for concurrent verification. Hashes that need more memory are verified one at a time. */
const largeMemory = 64 * 1024 * 1024;

/** Verifies a hash that needs `bytes` of memory. Hashes that need more than `largeMemory` are verified one at a time. */
export const withMemory = (bytes: number, verify: () => Promise<boolean>): Promise<boolean> =>
  bytes > largeMemory ? runExclusive('memory-intensive password hashes', verify) : verify();
