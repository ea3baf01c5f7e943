import type { Caller } from './declare/caller.js';

/** Where requests are counted. */
export interface Metering {
  /** The pattern of the path that a request asked for, told by its response. */
  route(response: object, pattern: string): void;
  /** Who asks. */
  caller(response: object, caller: Caller): void;
  /** An operation of a client, by the name that it gives itself, if any. */
  operation(header: (name: string) => string | undefined, type: string): void;
}

/** Null, for as long as the process lives, unless it was started with a port for metrics: all that a request pays then is to ask for it. */
export let metering: Metering | null = null;

export function meterWith(given: Metering | null): void {
  metering = given;
}
