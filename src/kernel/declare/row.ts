/** Row that a statement returns, by the names of the selected columns. */
export type Row = Record<string, unknown>;

/** Builds the SQL of a condition on a row: provides the alias and placeholders, and collects the dependencies of the condition. */
export interface Param {
  /** Adds a value of the statement, and returns its placeholder. */
  (value: unknown): string;
  /** Alias of the row. */
  readonly row: string;
  /** SQL of the key by which the row is found, such as the ID of the row that it belongs to. */
  readonly key: string;
  /** SQL of the position in the change log at which a past state of the row is evaluated. Undefined for the current state. */
  readonly position: string | undefined;
  /** Adds a table that the condition reads, and returns its name. */
  table(name: string): string;
  /** Adds a function whose result depends on more than rows, and returns its call. */
  time(name: 'now' | 'clock_timestamp'): string;
  /** Adds anything else that the condition depends on, beyond rows. */
  dependOn(dependency: string): void;
  /** Builds a condition for another row of the same statement. */
  for(row: string, key?: string): Param;
  /** Builds a condition for a past state of the row. */
  at(position: string): Param;
}
