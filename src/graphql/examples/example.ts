/** Example operation in GraphiQL. It returns demo data. */
export interface Example {
  title: string;
  /** Demo caller that sends the example. Default: a visitor with a publishable key. */
  caller?: 'user' | 'admin' | 'platform';
  query: string;
  variables?: Record<string, unknown>;
}
