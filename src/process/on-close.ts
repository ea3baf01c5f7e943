import type { ServerResponse } from 'node:http';

type CloseCallback = (response: ServerResponse) => void;

const callbacksKey = Symbol('close callbacks');

type TrackedResponse = ServerResponse & { [callbacksKey]?: CloseCallback[] };

function runCallbacks(this: TrackedResponse): void {
  for (const callback of this[callbacksKey] ?? []) callback(this);
}

/**
 * Calls a function when a response is closed. All callbacks share one listener, because Node warns of a leak if there are more than ten
 * listeners. A stream that is piped to the response adds up to seven.
 */
export function onClose(response: ServerResponse, callback: CloseCallback): void {
  const { [callbacksKey]: callbacks } = response as TrackedResponse;
  if (callbacks) callbacks.push(callback);
  else {
    (response as TrackedResponse)[callbacksKey] = [callback];
    response.once('close', runCallbacks);
  }
}
