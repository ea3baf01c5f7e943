/** ID of a record: a fixed ID for the first one, which examples use, and the random ID for the others. */
export const wellKnown = (id: string, index: number, randomId: string): string => (index === 0 ? id : randomId);
