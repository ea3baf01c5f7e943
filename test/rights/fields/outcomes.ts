/** Result of a call: its first error, or the description of the rows that it wrote. */
export interface Result {
  readonly error: string;
  readonly text: string;
}

const statuses: Readonly<Record<string, string>> = {
  UNAUTHENTICATED: '401',
  INVALID_CREDENTIALS: '401',
  FORBIDDEN: '403',
  BAD_INPUT: '400',
  NOT_FOUND: '404',
  CONFLICT: '409',
};

/**
 * Returns `yes` if the call and the base call wrote different rows, `kept` if they wrote the same rows, or the status of the error. Without
 * a base call, `kept` means that the call wrote nothing.
 */
export function outcomeOf({ error, text }: Result, base?: Result): string {
  const [code = ''] = error.split(':');
  if (error) return statuses[code] ?? code;
  if (base) return !base.error && base.text === text ? 'kept' : 'yes';
  return text ? 'yes' : 'kept';
}

/** Returns the distinct errors that are not about permissions, separated by semicolons. */
export const reasonsOf = (results: readonly Result[]): string =>
  [...new Set(results.flatMap(({ error }) => (error && !/^(FORBIDDEN|UNAUTHENTICATED|40[13])/.test(error) ? [error] : [])))].join(
    '; ',
  );
