type NonNull<T> = { [K in keyof T]?: Exclude<T[K], null> };

/** Removes null values, empty strings and empty arrays. TODS omits unknown values. */
export const withoutEmptyValues = <T extends object>(values: T): NonNull<T> =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([, value]) => value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0),
    ),
  ) as NonNull<T>;
