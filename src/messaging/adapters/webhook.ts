import { createHmac } from 'node:crypto';
import { Refusal, type Send } from '../message.js';
import type { Text } from '../ports.js';

const signatureHeader = 'X-Courtside-Signature';
const timestampHeader = 'X-Courtside-Timestamp';

/** Returns the hexadecimal HMAC-SHA256 of `<timestamp>.<body>`. The timestamp lets a receiver reject replays. */
const sign = (secret: string, timestamp: string, body: string): string =>
  createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');

/**
 * Sends text messages to an HTTP endpoint: `POST { "id", "to", "body" }`. The receiver should check the signature, reject old
 * timestamps, and drop duplicates by `Idempotency-Key`. `timeout` is in milliseconds.
 */
export function webhookSender(url: string, secret: string, timeout = 15_000): Send<Text> {
  return async ({ to, body }, { id, signal }) => {
    const payload = JSON.stringify({ id, to, body });
    const timestamp = Math.floor(Date.now() / 1000).toString();
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
      headers: {
        'Content-Type': 'application/json',
        'Idempotency-Key': id,
        [timestampHeader]: timestamp,
        [signatureHeader]: sign(secret, timestamp, payload),
      },
      body: payload,
    }).catch((error: unknown) => {
      throw new Error(`SMS_WEBHOOK_URL could not be reached: ${causeOf(error)}`);
    });
    await response.body?.cancel();
    if (response.ok) return 'sent';
    const reason = `SMS_WEBHOOK_URL responded with ${response.status}`;
    throw isPermanent(response.status) ? new Refusal(reason) : new Error(reason);
  };
}

const isPermanent = (status: number): boolean => status >= 400 && status < 500 && status !== 408 && status !== 429;

/** Returns the cause of a network error. Prefers the error code, because messages quote the URL, which may contain a key. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { cause, name } = error;
  if (!(cause instanceof Error)) return name;
  return 'code' in cause ? String(cause.code) : cause.message;
}
