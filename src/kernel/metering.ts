import type { Caller } from './declare/policy/caller.js';

/** Counter of requests and operations. */
export interface Metering {
  /** Sets the path pattern of the request that `response` belongs to. */
  route(response: object, pattern: string): void;
  /** Sets the caller of the request that `response` belongs to. */
  caller(response: object, caller: Caller): void;
  /** Counts an operation. `header` returns a header of the request by name. The headers may identify the client. */
  operation(header: (name: string) => string | undefined, type: string): void;
}

/** Metering of this process. Null unless the process has a metrics port. */
export let metering: Metering | null = null;

export function setMetering(implementation: Metering | null): void {
  metering = implementation;
}
