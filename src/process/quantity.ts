/** Formats a count with its noun: `1 field`, `110 fields`. */
export const quantity = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
