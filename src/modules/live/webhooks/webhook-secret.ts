import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { reject } from '../../../kernel/declare/errors.js';

/** Prefix of secrets (Standard Webhooks). */
const prefix = 'whsec_';
const encryptedPrefix = 'sealed.';
const [ivLength, tagLength] = [12, 16];

/** Creates a secret of 32 random bytes. */
export const newWebhookSecret = (): string => prefix + randomBytes(32).toString('base64');

/** Rejects a secret that is not in the format of Standard Webhooks: a prefix and 24 to 64 bytes in base64. */
export function checkWebhookSecret(secret: string): void {
  const text = secret.slice(prefix.length);
  const bytes = Buffer.from(text, 'base64');
  const isValid = secret.startsWith(prefix) && bytes.toString('base64') === text;
  if (!isValid || bytes.length < 24 || bytes.length > 64)
    reject('secret', `${prefix} followed by 24 to 64 bytes in base64, or null for a random secret`);
}

const deriveKey = (key: string): Buffer => Buffer.from(hkdfSync('sha256', key, '', 'courtside webhooks', 32));

/** Encrypts a secret with the first key. Without keys, returns the secret unchanged. Decryption requires the same webhook ID. */
export function encryptSecret(secret: string, webhookId: string, [key]: readonly string[]): string {
  if (key === undefined) return secret;
  const iv = randomBytes(ivLength);
  const cipher = createCipheriv('aes-256-gcm', deriveKey(key), iv).setAAD(Buffer.from(webhookId));
  const text = Buffer.concat([cipher.update(secret), cipher.final()]);
  return encryptedPrefix + Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url');
}

/** Decrypts a stored secret. Throws if no key matches. */
export function decryptSecret(storedSecret: string, webhookId: string, keys: readonly string[]): string {
  if (!storedSecret.startsWith(encryptedPrefix)) return storedSecret;
  const bytes = Buffer.from(storedSecret.slice(encryptedPrefix.length), 'base64url');
  const [iv, tag, text] = [
    bytes.subarray(0, ivLength),
    bytes.subarray(ivLength, ivLength + tagLength),
    bytes.subarray(ivLength + tagLength),
  ];
  for (const key of keys) {
    try {
      const decipher = createDecipheriv('aes-256-gcm', deriveKey(key), iv).setAAD(Buffer.from(webhookId)).setAuthTag(tag);
      return Buffer.concat([decipher.update(text), decipher.final()]).toString();
    } catch {
      // The secret was encrypted with another key.
    }
  }
  throw new Error('the secret cannot be decrypted: WEBHOOK_KEY must contain the key that encrypted the secret');
}
