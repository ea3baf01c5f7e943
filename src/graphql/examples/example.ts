/** An example operation of GraphiQL. It returns rows of the demo season. */
export interface Example {
  title: string;
  /** Caller of the demo data that sends the example. Default: a visitor with a publishable key. */
  caller?: 'user' | 'admin' | 'platform';
  query: string;
  variables?: Record<string, unknown>;
}
