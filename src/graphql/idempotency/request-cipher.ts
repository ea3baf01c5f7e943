import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { reject } from '../../kernel/declare/errors.js';
import type { Caller } from '../../kernel/declare/policy/caller.js';

/** Stored response to the first request with an Idempotency-Key. */
export interface StoredResponse {
  readonly status: number;
  /** Content type. Empty if the response has no body. */
  readonly type: string;
  readonly body: Buffer;
}

/** Encrypts and decrypts the stored response of a request. */
export interface RequestCipher {
  /** Hash of the Idempotency-Key and its caller. It identifies the stored response. */
  readonly id: Buffer;
  /** Fingerprint of the request. It reveals nothing without the Idempotency-Key. */
  readonly fingerprint: Buffer;
  encrypt(response: StoredResponse): Buffer;
  decrypt(ciphertext: Buffer): StoredResponse;
}

const keyPattern = /^[\x20-\x7e]{1,255}$/;
const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

const scopeOf = ({ platform, key, user }: Caller): string => JSON.stringify([platform?.id, key?.id, user?.id]);

/**
 * Creates the cipher for the stored response of a request. Responses contain tokens and private data, and requests contain passwords. The
 * database stores only hashes and encrypted responses. The encryption key is derived from the Idempotency-Key and the request, which are
 * known only to the caller.
 */
export function createRequestCipher(key: string, caller: Caller, request: readonly (string | Buffer)[]): RequestCipher {
  if (!keyPattern.test(key)) reject('Idempotency-Key', 'a header of 1 to 255 printable ASCII characters');
  const scope = scopeOf(caller);
  const digest = createHash('sha256');
  // Length prefixes ensure that different requests have different digests.
  for (const value of request) digest.update(`${value.length} `).update(value);
  const keyMaterial = Buffer.from(hkdfSync('sha256', key, digest.digest(), scope, 64));
  const secret = keyMaterial.subarray(32);
  return {
    id: createHash('sha256').update(`${scope} ${key}`).digest(),
    fingerprint: keyMaterial.subarray(0, 32),
    encrypt({ status, type, body }) {
      const iv = randomBytes(ivBytes);
      const encipher = createCipheriv(algorithm, secret, iv);
      const plaintext = Buffer.concat([Buffer.from(`${JSON.stringify([status, type])}\n`), body]);
      return Buffer.concat([iv, encipher.update(plaintext), encipher.final(), encipher.getAuthTag()]);
    },
    decrypt(ciphertext) {
      const decipher = createDecipheriv(algorithm, secret, ciphertext.subarray(0, ivBytes), { authTagLength: tagBytes });
      decipher.setAuthTag(ciphertext.subarray(-tagBytes));
      const text = Buffer.concat([decipher.update(ciphertext.subarray(ivBytes, -tagBytes)), decipher.final()]);
      const headerEnd = text.indexOf('\n');
      const [status, type] = JSON.parse(text.subarray(0, headerEnd).toString());
      return { status, type, body: text.subarray(headerEnd + 1) };
    },
  };
}
