import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import type { Caller } from '../../kernel/declare/caller.js';
import { reject } from '../../kernel/declare/errors.js';

/** An answer as it left. */
export interface FirstAnswer {
  readonly status: number;
  /** Its content type; empty where there is no body. */
  readonly type: string;
  readonly body: Buffer;
}

/** What is kept of a request with a key, and what opens its answer. */
export interface Seal {
  /** Whose key it is, and which. */
  readonly id: Buffer;
  /** Of the request; it tells nothing of it to whom the key is unknown. */
  readonly fingerprint: Buffer;
  close(answer: FirstAnswer): Buffer;
  open(kept: Buffer): FirstAnswer;
}

const form = /^[\x20-\x7e]{1,255}$/;
const cipher = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

const scopeOf = ({ platform, key, user }: Caller): string => JSON.stringify([platform?.id, key?.id, user?.id]);

/**
 * The seal of a request. Answers hold tokens and what others must not read, and requests hold passwords: so the database gets nothing but
 * hashes, and answers under a key that follows from the Idempotency-Key and the request, both of which only the caller has.
 */
export function sealOf(key: string, caller: Caller, request: readonly (string | Buffer)[]): Seal {
  if (!form.test(key)) reject('Idempotency-Key', 'a header of 1 to 255 printable ASCII characters');
  const scope = scopeOf(caller);
  const digest = createHash('sha256');
  // Lengths first, so that no two requests are one text.
  for (const part of request) digest.update(`${part.length} `).update(part);
  const derived = Buffer.from(hkdfSync('sha256', key, digest.digest(), scope, 64));
  const secret = derived.subarray(32);
  return {
    id: createHash('sha256').update(`${scope} ${key}`).digest(),
    fingerprint: derived.subarray(0, 32),
    close({ status, type, body }) {
      const iv = randomBytes(ivBytes);
      const writer = createCipheriv(cipher, secret, iv);
      const text = Buffer.concat([Buffer.from(`${JSON.stringify([status, type])}\n`), body]);
      return Buffer.concat([iv, writer.update(text), writer.final(), writer.getAuthTag()]);
    },
    open(kept) {
      const reader = createDecipheriv(cipher, secret, kept.subarray(0, ivBytes), { authTagLength: tagBytes });
      reader.setAuthTag(kept.subarray(-tagBytes));
      const text = Buffer.concat([reader.update(kept.subarray(ivBytes, -tagBytes)), reader.final()]);
      const end = text.indexOf('\n');
      const [status, type] = JSON.parse(text.subarray(0, end).toString());
      return { status, type, body: text.subarray(end + 1) };
    },
  };
}
