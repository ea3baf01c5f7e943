import { type RequestHandler, Router } from 'express';
import { type Html, html } from '../messaging/html.js';
import type { CaughtMessage, ReadCaughtMessages } from '../messaging/jobs-sql.js';
import { layout, type PageLink, pagePolicy } from './layout.js';

/** Prevents caching of messages and access from other origins, because messages contain one-time links. */
const privateHeaders: RequestHandler = (_request, response, next) => {
  response.removeHeader('Access-Control-Allow-Origin');
  response.set({
    'Cache-Control': 'no-store',
    'Cross-Origin-Resource-Policy': 'same-origin',
    // Previews of emails inherit this policy, and emails have inline styles.
    'Content-Security-Policy': pagePolicy({
      'style-src': "'self' 'unsafe-inline'",
      'img-src': "'self' data:",
      'base-uri': "'self'",
    }),
  });
  next();
};

/** Serves caught messages as a page and as JSON. `?to=` limits them to one recipient. */
export function mailPages(readCaughtMessages: ReadCaughtMessages, links: readonly PageLink[]): Router {
  return Router()
    .use(['/dev/mail', '/dev/mail.json'], privateHeaders)
    .get('/dev/mail', async ({ query }, response) => {
      const to = recipientOf(query.to);
      response.type('html').send(mailboxPage(await readCaughtMessages(to), to, links));
    })
    .get('/dev/mail.json', async ({ query }, response) => {
      response.json({ messages: await readCaughtMessages(recipientOf(query.to)) });
    });
}

const recipientOf = (value: unknown): string | null => (typeof value === 'string' && !value.includes('\0') ? value : null);

/** Renders a list of messages, newest first, with clickable links and previews of emails. */
const mailboxPage = (messages: readonly CaughtMessage[], to: string | null, links: readonly PageLink[]): string =>
  layout(
    { heading: 'Messages', links, currentPage: 'mails' },
    html`<p class="lead">Emails and text messages that this server has caught instead of sending, limited to the newest 100. To send messages, set <code>SMTP_URL</code> and <code>SMS_WEBHOOK_URL</code>. Also available as <a href="/dev/mail.json">JSON</a>.</p>`,
    to === null ? html`` : html`<p>Showing messages to <strong>${to}</strong>. <a href="/dev/mail">Show all</a></p>`,
    ...(messages.length > 0 ? messages.map(article) : [emptyState]),
  );

const emptyState = html`<div class="card"><h2>No messages yet</h2>
<p class="quiet">Messages appear here when you register an account, reset a password or invite a player.</p></div>`;

const article = (message: CaughtMessage): Html => html`<article class="card mail">
<header><span>${message.kind === 'mail' ? 'Email' : 'Text message'} to <a href="?to=${encodeURIComponent(message.to)}">${message.to}</a></span><time datetime="${message.createdAt}">${formatInstant(message.createdAt)}</time></header>
${message.kind === 'mail' ? html`<h2>${message.subject}</h2>` : ''}
<pre class="letter">${withLinks(message.kind === 'mail' ? message.text : message.body)}</pre>
${message.kind === 'mail' && message.html ? preview(message.subject, message.html) : ''}
</article>`;

/** Formats an instant in UTC, without fractions of a second. */
const formatInstant = (instant: string): string => `${instant.slice(0, 10)} ${instant.slice(11, 19)} UTC`;

/** Renders the preview of an email in a sandboxed frame without scripts and without an origin, because its content is not trusted. */
const preview = (subject: string, source: string): Html =>
  html`<details><summary>Preview</summary><iframe title="${subject}" loading="lazy" sandbox="allow-popups" srcdoc="${`<base target="_blank">${source}`}"></iframe></details>`;

const withLinks = (text: string): Html[] =>
  text
    .split(/(https?:\/\/[^\s<>"']+)/)
    .map((text, index) => (index % 2 === 1 ? html`<a href="${text}">${text}</a>` : html`${text}`));
