/** Row that a statement returns. The properties have the names of the selected columns. */
export type Row = Record<string, unknown>;

/** Builder for the SQL of a condition on a row. Provides the alias and placeholders, and collects the dependencies of the condition. */
export interface Param {
  /** Adds a value to the statement, and returns its placeholder. */
  (value: unknown): string;
  /** Alias of the row. */
  readonly row: string;
  /** SQL expression of the key that identifies the row, such as the ID of the row that it belongs to. */
  readonly key: string;
  /** SQL of the position in the change log at which a past state of the row is evaluated. Undefined for the current state. */
  readonly position: string | undefined;
  /** Adds a table that the condition reads, and returns its name. */
  table(name: string): string;
  /** Adds a function of the current time to the dependencies, and returns its call. */
  time(name: 'now' | 'clock_timestamp'): string;
  /** Adds another dependency, which is not a row. */
  dependOn(dependency: string): void;
  /** Returns a builder for another row of the same statement. */
  for(row: string, key?: string): Param;
  /** Builds a condition for a past state of the row. */
  at(position: string): Param;
}
