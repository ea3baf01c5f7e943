import { Webhook as Signer } from 'standardwebhooks';
import type { QueuedEvent } from './webhook-events.js';

/** Body of a delivery: the event and the ID of the record. Receivers query the API for the current values. */
export function deliveryBody({
  event,
  happenedAt,
  recordType,
  recordKey,
  changedFields,
  cursor,
}: Omit<QueuedEvent, 'eventKey' | 'position'>): string {
  return JSON.stringify({
    type: event,
    timestamp: happenedAt,
    data: { record: recordType, id: recordKey, changedFields, ...(cursor === '' ? {} : { cursor }) },
  });
}

/** Headers of a delivery (Standard Webhooks), with one signature per secret. */
export function signHeaders(
  eventKey: string,
  body: string,
  secrets: readonly string[],
  sentAt = new Date(),
): Record<string, string> {
  return {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Courtside-Webhooks/1',
    'webhook-id': eventKey,
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Signer(secret).sign(eventKey, sentAt, body)).join(' '),
  };
}
