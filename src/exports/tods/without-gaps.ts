type Known<T> = { [K in keyof T]?: Exclude<T[K], null> };

/** The values of an object that are there: what the graph does not know is left out, as the standard has it. Empty texts and lists say nothing either. */
export const withoutGaps = <T extends object>(values: T): Known<T> =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([, value]) => value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0),
    ),
  ) as Known<T>;
