import { instantForm, instantOf, normalizeInstant } from '../../../src/gateway/run.js';

export { instantForm, normalizeInstant };

/** Whether a text is a moment of the years 1 to 9999 (decision 4), with no blank for its T. The graph turns it into UTC. */
export const isInstant = (text: string): boolean => text[10] !== ' ' && normalizeInstant(text) !== null;

const firstSecond = Date.parse('0001-01-01T00:00:00Z') / 1000;
const lastSecond = Date.parse('9999-12-31T23:59:59Z') / 1000;

/** Unix seconds as an instant, or null outside the years 1 to 9999. */
export const instantOfUnix = (seconds: number): string | null =>
  seconds >= firstSecond && seconds <= lastSecond ? instantOf(new Date(seconds * 1000)) : null;
