import { Html, html } from '../messaging/html.js';
import { asset, assetText } from './assets.js';
import { type Allowed, policyOf } from './page-headers.js';

/** The pages that the bar on top leads to, in its order. */
const places = {
  graphiql: ['GraphiQL', '/graphql'],
  graph: ['Graph', '/reference/graph'],
  reference: ['REST', '/reference'],
  usage: ['Usage', '/usage'],
  mails: ['Mails', '/dev/mail'],
} as const;

/** A page that the bar may lead to. */
export type PageLink = keyof typeof places;

/** What a page is, beside its content. */
export interface PageFrame {
  /** Its heading, and its title in the browser. */
  readonly heading: string;
  /** Where the bar leads; nowhere on pages for people who never come to the others. */
  readonly places: readonly PageLink[];
  /** Where one is. */
  readonly here?: PageLink;
  /** Narrow pages hold a form or a line. */
  readonly isNarrow?: boolean;
  /** Its script, if it has one. */
  readonly script?: string;
}

/** The Content-Security-Policy of such pages: all that they load is from here, and forms are sent to themselves. */
export const pagePolicy = (more: Allowed = {}): string =>
  policyOf({ 'style-src': "'self'", 'img-src': "'self'", 'form-action': "'self'", ...more });

const mark = () => new Html(assetText('mark.svg').trim().replace('<svg ', '<svg aria-hidden="true" focusable="false" '));

/** What stands in the head of every page, GraphiQL's included. */
export const headOf = (title: string): Html => html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="${asset('mark.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${asset('frame.css')}">`;

/** The bar on top of every page, with the way past it for those who go by keyboard. */
export const barOf = (shown: readonly PageLink[], here: PageLink | undefined, target: string, heading: Html = html``): Html => {
  const items = shown.map((place) => {
    const [title, path] = places[place];
    return html`<li><a href="${path}"${place === here ? new Html(' aria-current="page"') : ''}>${title}</a></li>`;
  });
  const home = html`${mark()}<span>Courtside</span>`;
  return html`<a class="skip" href="#${target}">Skip to the content</a>
<header class="bar">${heading}${
    shown.length > 0
      ? html`<nav aria-label="Pages"><a class="home" href="/" aria-label="Courtside, start page">${home}</a><ul>${items}</ul></nav>`
      : html`<span class="home">${home}</span>`
  }</header>`;
};

/** A page of one heading and what belongs to it. */
export const layout = ({ heading, places: shown, here, isNarrow, script }: PageFrame, ...content: readonly Html[]): string =>
  html`<!doctype html>
<html lang="en">
<head>
${headOf(heading === 'Courtside' ? heading : `${heading} – Courtside`)}
<link rel="stylesheet" href="${asset('page.css')}">
${script ? html`<script type="module" src="${asset(script)}"></script>` : ''}
</head>
<body>
${barOf(shown, here, 'content')}
<main id="content" tabindex="-1"${isNarrow ? new Html(' class="narrow"') : ''}>
<h1>${heading}</h1>
${content}
</main>
</body>
</html>`.markup;

/** A paragraph. */
export const paragraph = (line: string): Html => html`<p>${line}</p>`;
/** A paragraph that screen readers tell at once. */
export const alarm = (line: string): Html => html`<p class="alarm" role="alert">${line}</p>`;
