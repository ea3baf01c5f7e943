/** A question that GraphiQL opens with, in a tab of its own; it finds something in the demo season. */
export interface Example {
  title: string;
  query: string;
  variables?: Record<string, unknown>;
}
