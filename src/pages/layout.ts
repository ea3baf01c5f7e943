import { Html, html } from '../messaging/html.js';
import { assetPath, assetText } from './assets.js';
import { type AllowedSources, policyOf } from './page-headers.js';

/** Titles and paths of pages, in the order of the navigation bar. */
const pageLinks = {
  graphiql: ['GraphiQL', '/graphql'],
  graph: ['GraphQL', '/reference/graph'],
  reference: ['REST', '/reference'],
  usage: ['Usage', '/usage'],
  console: ['Console', '/console'],
  mails: ['Mail', '/dev/mail'],
} as const;

/** A page in the navigation bar. */
export type PageLink = keyof typeof pageLinks;

/** Options of a page. */
interface PageFrame {
  /** Heading of the page. It is also part of the title of the browser tab. */
  readonly heading: string;
  /** Links in the navigation bar. Empty on pages that are opened from emails. */
  readonly links: readonly PageLink[];
  /** Link that is marked as the current page. */
  readonly currentPage?: PageLink;
  /** Whether the page is narrow, for a form or a message. Default: false. */
  readonly isNarrow?: boolean;
  /** File name of the script of the page. Default: none. */
  readonly script?: string;
}

/** Returns the Content-Security-Policy for pages. It allows styles and images only from this server, and form submissions only to this server. */
export const pagePolicy = (additionalSources: AllowedSources = {}): string =>
  policyOf({ 'style-src': "'self'", 'img-src': "'self'", 'form-action': "'self'", ...additionalSources });

/** Content-Security-Policy of pages with a script that sends requests to this server. */
export const scriptPolicy = pagePolicy({ 'script-src': "'self'", 'connect-src': "'self'" });

const logo = () => new Html(assetText('mark.svg').trim().replace('<svg ', '<svg aria-hidden="true" focusable="false" '));

/** Renders the content that the head elements of all pages share, including GraphiQL. */
export const headContent = (title: string): Html => html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="${assetPath('mark.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${assetPath('frame.css')}">`;

/** Renders the navigation bar of all pages. Its first link lets keyboard users skip it. */
export const navigationBar = (
  links: readonly PageLink[],
  currentPage: PageLink | undefined,
  target: string,
  heading: Html = html``,
): Html => {
  const items = links.map((link) => {
    const [title, path] = pageLinks[link];
    return html`<li><a href="${path}"${link === currentPage ? new Html(' aria-current="page"') : ''}>${title}</a></li>`;
  });
  const home = html`${logo()}<span>Courtside</span>`;
  return html`<a class="skip" href="#${target}">Skip to content</a>
<header class="bar">${heading}${
    links.length > 0
      ? html`<nav aria-label="Pages"><a class="home" href="/" aria-label="Courtside, start page">${home}</a><ul>${items}</ul></nav>`
      : html`<span class="home">${home}</span>`
  }</header>`;
};

/** Renders the HTML document of a page. */
export const layout = ({ heading, links, currentPage, isNarrow, script }: PageFrame, ...content: readonly Html[]): string =>
  html`<!doctype html>
<html lang="en">
<head>
${headContent(heading === 'Courtside' ? heading : `${heading} – Courtside`)}
<link rel="stylesheet" href="${assetPath('page.css')}">
${script ? html`<script type="module" src="${assetPath(script)}"></script>` : ''}
</head>
<body>
${navigationBar(links, currentPage, 'content')}
<main id="content" tabindex="-1"${isNarrow ? new Html(' class="narrow"') : ''}>
<h1>${heading}</h1>
${content}
</main>
</body>
</html>`.markup;

export const paragraph = (line: string): Html => html`<p>${line}</p>`;
/** Renders an error message that screen readers announce immediately. */
export const alert = (line: string): Html => html`<p class="alarm" role="alert">${line}</p>`;
