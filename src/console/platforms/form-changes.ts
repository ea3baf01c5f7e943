/**
 * Returns the values of a form that differ from the initial values. Only these values are sent, so that changes by other users are kept.
 */
export const changesOf = <Values extends object>(initial: Values, values: Values): Partial<Values> =>
  Object.fromEntries(
    Object.entries(values).filter(([name, value]) => value !== initial[name as keyof Values]),
  ) as Partial<Values>;
