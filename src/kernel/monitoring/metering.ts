export const clientHeaders = ['apollographql-client-name', 'graphql-client-name', 'x-client-name'];

/** Counter of GraphQL operations. */
export interface Metering {
  /**
   * Counts an operation of type `query`, `mutation`, `subscription` or `none`. `header` returns a request header by name. Some headers
   * identify the client. `seconds` is the duration of the execution, or null for a subscription.
   */
  operation(header: (name: string) => string | undefined, type: string, seconds: number | null): void;
}

/** Metering of this process. Null unless the process has a metrics port. */
export let metering: Metering | null = null;

export function setMetering(implementation: Metering | null): void {
  metering = implementation;
}
