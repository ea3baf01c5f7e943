/** An example operation of GraphiQL. It returns rows of the demo season. */
export interface Example {
  title: string;
  /** Caller in demo data. Default: a signed-out visitor with a publishable key. */
  as?: 'user' | 'admin' | 'platform';
  query: string;
  variables?: Record<string, unknown>;
}
