/** A row as the database gives it, by the names that the statement selects. */
export type Row = Record<string, unknown>;

/** Collects the values of a statement and gives each its placeholder. */
export type Param = (value: unknown) => string;
