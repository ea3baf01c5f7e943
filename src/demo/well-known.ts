/** Returns a fixed ID for the first record, which examples use, and a random ID for other records. */
export const wellKnown = (id: string, index: number, randomId: string): string => (index === 0 ? id : randomId);
