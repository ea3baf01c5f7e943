import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Signs and verifies log positions, so that clients cannot invent positions that are never reached. */
export interface WriteTokens {
  sign(position: string): string;
  /** Returns the log position in a token. Null if the token was not signed with the same secret. */
  read(token: string): string | null;
}

/**
 * Creates a signer for tokens. Processes with the same secret accept each other's tokens. Without a secret, each process uses a random one
 * and cannot verify the tokens of other processes.
 */
export function writeTokens(secret: string | null): WriteTokens {
  const key = secret === null ? randomBytes(32) : createHmac('sha256', 'courtside write token').update(secret).digest();
  const signatureOf = (position: string) => createHmac('sha256', key).update(position).digest().subarray(0, 16);
  return {
    sign: (position) => `${position}~${signatureOf(position).toString('base64url')}`,
    read(token) {
      const [, position, signature] = /^([0-9A-F]{1,8}\/[0-9A-F]{1,8})~([\w-]{22})$/.exec(token) ?? [];
      if (position === undefined || signature === undefined) return null;
      return timingSafeEqual(Buffer.from(signature, 'base64url'), signatureOf(position)) ? position : null;
    },
  };
}
