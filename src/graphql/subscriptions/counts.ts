/** Transport that delivers the events of a subscription. */
export type Transport = 'sse' | 'websocket';

/** Reason why the server ended a subscription. */
export type EndReason = 'slow' | 'token' | 'stop';

/** Subscription metrics since the start of the process. */
export const liveCounts = {
  open: { sse: 0, websocket: 0 } as Record<Transport, number>,
  delivered: { sse: 0, websocket: 0 } as Record<Transport, number>,
  ended: { slow: 0, token: 0, stop: 0 } as Record<EndReason, number>,
  sockets: 0,
};
