import { runExclusive } from '../../tokens/run-exclusive.js';

/** Number of bytes from which hashes are verified one at a time. */
const largeMemory = 64 * 1024 * 1024;

/** Verifies a hash that needs `bytes` of memory. Hashes that need much memory are verified one at a time. */
export const withMemory = (bytes: number, verify: () => Promise<boolean>): Promise<boolean> =>
  bytes > largeMemory ? runExclusive('password hashes that need much memory', verify) : verify();
