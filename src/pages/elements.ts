import { type Html, html } from '../messaging/html.js';

/** Renders text with code elements instead of backticks. */
export const withCode = (text: string): Html[] =>
  text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));

/** Renders the HTTP method of an operation, or the kind of a GraphQL element. */
export const badge = (kind: string): Html => html`<span class="method ${kind.toLowerCase()}">${kind}</span>`;

/** Renders a code sample with a title. */
export const sample = (title: string, text: string): Html =>
  html`<figure class="sample"><figcaption>${title}</figcaption><pre tabindex="0" aria-label="${title}"><code>${text}</code></pre></figure>`;

/** Renders a scrollable table. */
export const table = (label: string, headings: readonly string[], rows: readonly Html[]): Html =>
  html`<div class="table stacked" role="region" aria-label="${label}" tabindex="0"><table>
<thead><tr>${headings.map((heading) => html`<th scope="col">${heading}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></div>`;
