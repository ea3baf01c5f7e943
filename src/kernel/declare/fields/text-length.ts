/** Whether a text has more than `max` characters. Counts code points like PostgreSQL: an emoji is one character. */
export const isLongerThan = (text: string, max: number): boolean =>
  text.length > max && (text.length > 2 * max || [...text].length > max);
