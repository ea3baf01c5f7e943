import type { Caller } from './declare/policy/caller.js';

/** Counts requests. */
export interface Metering {
  /** Sets the path pattern of a request, identified by its response. */
  route(response: object, pattern: string): void;
  /** Sets the caller of a request. */
  caller(response: object, caller: Caller): void;
  /** Counts an operation, by the client name in its headers, if any. */
  operation(header: (name: string) => string | undefined, type: string): void;
}

/** Null unless the process was started with a metrics port. */
export let metering: Metering | null = null;

export function setMetering(implementation: Metering | null): void {
  metering = implementation;
}
