/** How subscribers are told of events. */
export type Transport = 'sse' | 'websocket';

/** Why a subscription was ended that its client would have kept. */
export type Cut = 'slow' | 'token' | 'stop';

/** What is told of subscriptions in metrics, since the process was started. */
export const liveCounts = {
  open: { sse: 0, websocket: 0 } as Record<Transport, number>,
  told: { sse: 0, websocket: 0 } as Record<Transport, number>,
  cut: { slow: 0, token: 0, stop: 0 } as Record<Cut, number>,
  sockets: 0,
};
