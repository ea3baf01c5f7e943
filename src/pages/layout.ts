import { Html, html } from '../messaging/html.js';
import { inlineIn, policyOf } from './page-headers.js';

const style = new Html(`<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
  body { max-width: 26rem; margin: 12vh auto; padding: 0 1rem }
  form { display: grid; gap: .75rem }
  input, button { font: inherit; padding: .6rem .8rem; border-radius: 6px; border: 1px solid #8888 }
  button { background: #14532d; color: #fff; border-color: #14532d; cursor: pointer }
</style>`);

/** The Content-Security-Policy of such pages, whose forms are sent to themselves. */
export const pagePolicy: string = policyOf({ 'style-src': inlineIn(style.markup, 'style'), 'form-action': "'self'" });

/** A page of one heading and what belongs to it. */
export const layout = (heading: string, ...content: readonly Html[]): string =>
  html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>${heading} – Courtside</title>${style}</head>
<body><h1>${heading}</h1>${content}</body></html>`.markup;

/** A paragraph. */
export const paragraph = (line: string): Html => html`<p>${line}</p>`;
/** A paragraph that screen readers tell at once. */
export const alarm = (line: string): Html => html`<p role="alert">${line}</p>`;
