import { type Html, html } from '../../messaging/html.js';

/** Renders text with code elements instead of backticks. */
export const withCode = (text: string): Html[] =>
  text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));

/** Formats a count with its noun: `1 field`, `110 fields`. */
export const quantity = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
