import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { reject } from '../../../kernel/declare/errors.js';

/** What secrets of Standard Webhooks begin with. */
const prefix = 'whsec_';
const sealed = 'sealed.';
const [ivLength, tagLength] = [12, 16];

/** A new secret: 32 random bytes. */
export const newWebhookSecret = (): string => prefix + randomBytes(32).toString('base64');

/** Rejects a secret that is none of Standard Webhooks: 24 to 64 bytes in base64. */
export function checkWebhookSecret(secret: string): void {
  const text = secret.slice(prefix.length);
  const bytes = Buffer.from(text, 'base64');
  const isWhole = secret.startsWith(prefix) && bytes.toString('base64') === text;
  if (!isWhole || bytes.length < 24 || bytes.length > 64)
    reject('secret', `${prefix} and 24 to 64 bytes in base64 behind it, or none, for one that is made`);
}

const keyOf = (key: string): Buffer => Buffer.from(hkdfSync('sha256', key, '', 'courtside webhooks', 32));

/** A secret as it is kept of that webhook: encrypted under the first key, where there is one. */
export function seal(secret: string, webhookId: string, [key]: readonly string[]): string {
  if (key === undefined) return secret;
  const iv = randomBytes(ivLength);
  const cipher = createCipheriv('aes-256-gcm', keyOf(key), iv).setAAD(Buffer.from(webhookId));
  const text = Buffer.concat([cipher.update(secret), cipher.final()]);
  return sealed + Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url');
}

/** A secret from what is kept of it; throws where none of the keys opens it. */
export function unseal(kept: string, webhookId: string, keys: readonly string[]): string {
  if (!kept.startsWith(sealed)) return kept;
  const bytes = Buffer.from(kept.slice(sealed.length), 'base64url');
  const [iv, tag, text] = [
    bytes.subarray(0, ivLength),
    bytes.subarray(ivLength, ivLength + tagLength),
    bytes.subarray(ivLength + tagLength),
  ];
  for (const key of keys) {
    try {
      const decipher = createDecipheriv('aes-256-gcm', keyOf(key), iv).setAAD(Buffer.from(webhookId)).setAuthTag(tag);
      return Buffer.concat([decipher.update(text), decipher.final()]).toString();
    } catch {
      // Another key may open it.
    }
  }
  throw new Error('its secret cannot be read: WEBHOOK_KEY is not the one under which it was kept');
}
