/** A question that GraphiQL opens with, in a tab of its own; it finds something in the demo season. */
export interface Example {
  title: string;
  /** Who asks, in demo data: the platform alone unless said. */
  as?: 'user' | 'admin';
  query: string;
  variables?: Record<string, unknown>;
}
