import { createHmac } from 'node:crypto';
import type { Text } from '../ports.js';
import { Refusal, type Send } from '../sender.js';

const signatureHeader = 'X-Courtside-Signature';
const timestampHeader = 'X-Courtside-Timestamp';

/** Hexadecimal HMAC-SHA256 over `<timestamp>.<body>`: the timestamp is signed too, so that a receiver can refuse replays. */
const sign = (secret: string, timestamp: string, body: string): string =>
  createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');

/**
 * Hands text messages to an HTTP endpoint: `POST { "id", "to", "body" }`. The receiver checks the signature, refuses old
 * timestamps, and may drop what it has already seen by `Idempotency-Key`.
 */
export function webhook(url: string, secret: string, timeout = 15_000): Send<Text> {
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
      throw new Error(`the webhook could not be reached: ${causeOf(error)}`);
    });
    await response.body?.cancel();
    if (response.ok) return 'sent';
    const answer = `the webhook answered ${response.status}`;
    throw isFinal(response.status) ? new Refusal(answer) : new Error(answer);
  };
}

const isFinal = (status: number): boolean => status >= 400 && status < 500 && status !== 408 && status !== 429;

/** Preferably the code alone: messages of network errors quote the address, which may hold a key. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { cause, name } = error;
  if (!(cause instanceof Error)) return name;
  return 'code' in cause ? String(cause.code) : cause.message;
}
