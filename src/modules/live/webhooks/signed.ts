import { Webhook as Signer } from 'standardwebhooks';
import type { ToSend } from './webhook-events.js';

/** What is posted of an event: what happened to which record, and not what it holds now, which readers ask the graph for. */
export function bodyOf({
  event,
  happenedAt,
  recordType,
  recordKey,
  changedFields,
  cursor,
}: Omit<ToSend, 'eventKey' | 'position'>): string {
  return JSON.stringify({
    type: event,
    timestamp: happenedAt,
    data: { record: recordType, id: recordKey, changedFields, ...(cursor === '' ? {} : { cursor }) },
  });
}

/** The headers of Standard Webhooks: a signature by each secret. */
export function signedHeaders(
  eventKey: string,
  body: string,
  secrets: readonly string[],
  at = new Date(),
): Record<string, string> {
  return {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Courtside-Webhooks/1',
    'webhook-id': eventKey,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Signer(secret).sign(eventKey, at, body)).join(' '),
  };
}
