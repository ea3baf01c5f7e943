import type { Delivery, Webhook } from './documents.ts';

const pauseReasons = {
  REQUESTED: 'Paused on request',
  FAILED: 'Paused after failed deliveries',
  GONE: 'Paused because the receiver responded with 410 Gone',
} as const;

/** Returns the state of a webhook, such as "Paused on request". */
export const stateOf = ({ pausedAt, pauseReason }: Pick<Webhook, 'pausedAt' | 'pauseReason'>): string =>
  pausedAt ? pauseReasons[pauseReason ?? 'REQUESTED'] : 'Active';

export const deliveryStates: Readonly<Record<Delivery['status'], string>> = {
  PENDING: 'Waiting',
  DELIVERED: 'Delivered',
  GIVEN_UP: 'Skipped',
};

/** Returns the state of a delivery. A delivery that is waiting for another attempt is shown as failed. */
export const deliveryStateOf = ({ status, attempts }: Delivery): string =>
  status === 'PENDING' && attempts > 0 ? 'Failed, waiting to retry' : deliveryStates[status];

/** Returns the result of the last attempt, such as "200" or "No response". */
export const resultOf = ({ httpStatus, attempts }: Delivery): string =>
  httpStatus === null ? (attempts > 0 ? 'No response' : '–') : String(httpStatus);

/** Returns the host and path of a webhook's URL, by which users recognize the webhook. */
export function nameOf({ url }: Pick<Webhook, 'url'>): string {
  const { host, pathname } = new URL(url);
  return pathname === '/' ? host : host + pathname;
}

export const closeQuestion = 'Close this form? Your changes are not saved.';

export const changedByOthersText = 'Not restored: somebody else has changed the webhook since.';

/** Returns the event names in a text, which are separated by line breaks, spaces or commas. */
export const eventsIn = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);
