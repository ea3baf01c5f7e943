import { type RequestHandler, Router } from 'express';
import type { Caught, CaughtMessage } from '../messaging/caught/messages-sql.js';
import { type Html, html } from '../messaging/html.js';
import { layout, type PageLink, pagePolicy } from './layout.js';

/** They hold one-time links: no page of another origin, and no cache, may get hold of them. */
const closed: RequestHandler = (_request, response, next) => {
  response.removeHeader('Access-Control-Allow-Origin');
  response.set({
    'Cache-Control': 'no-store',
    'Cross-Origin-Resource-Policy': 'same-origin',
    // The frames of mails have the policy of the page, and mails bring their own styles.
    'Content-Security-Policy': pagePolicy({
      'style-src': "'self' 'unsafe-inline'",
      'img-src': "'self' data:",
      'base-uri': "'self'",
    }),
  });
  next();
};

/** Serves the messages that were caught, as a page and as JSON; `?to=` narrows them to one recipient. */
export function mailPages(caught: Caught, places: readonly PageLink[]): Router {
  return Router()
    .use(['/dev/mail', '/dev/mail.json'], closed)
    .get('/dev/mail', async ({ query }, response) => {
      const to = recipient(query.to);
      response.type('html').send(mailboxPage(await caught(to), to, places));
    })
    .get('/dev/mail.json', async ({ query }, response) => {
      response.json({ messages: await caught(recipient(query.to)) });
    });
}

const recipient = (value: unknown): string | null => (typeof value === 'string' && !value.includes('\0') ? value : null);

/** Reads like a mailbox: newest first, links that can be followed, and each mail as its reader would see it. */
const mailboxPage = (messages: readonly CaughtMessage[], to: string | null, places: readonly PageLink[]): string =>
  layout(
    { heading: 'Mails', places, here: 'mails' },
    html`<p class="lead">Without <code>SMTP_URL</code> and <code>SMS_WEBHOOK_URL</code> nothing leaves this machine: mails and text messages stay here. The newest 100, also as <a href="/dev/mail.json">JSON</a>.</p>`,
    to === null ? html`` : html`<p>Only those for <strong>${to}</strong>. <a href="/dev/mail">Show all</a></p>`,
    ...(messages.length > 0 ? messages.map(article) : [nothing]),
  );

const nothing = html`<div class="card"><h2>Nothing yet</h2>
<p class="quiet">A registration, a forgotten password or an invitation leaves a mail here.</p></div>`;

const article = (message: CaughtMessage): Html => html`<article class="card mail">
<header><span>${message.kind === 'mail' ? 'Mail' : 'Text message'} to <a href="?to=${encodeURIComponent(message.to)}">${message.to}</a></span><time datetime="${message.createdAt}">${moment(message.createdAt)}</time></header>
${message.kind === 'mail' ? html`<h2>${message.subject}</h2>` : ''}
<pre class="letter">${linked(message.kind === 'mail' ? message.text : message.body)}</pre>
${message.kind === 'mail' && message.html ? preview(message.subject, message.html) : ''}
</article>`;

/** To the second, in UTC. */
const moment = (instant: string): string => `${instant.slice(0, 10)} ${instant.slice(11, 19)} UTC`;

/** The frame has no scripts and no origin: a mail may hold anything. */
const preview = (subject: string, source: string): Html =>
  html`<details><summary>As its reader sees it</summary><iframe title="${subject}" loading="lazy" sandbox="allow-popups" srcdoc="${`<base target="_blank">${source}`}"></iframe></details>`;

const linked = (text: string): Html[] =>
  text
    .split(/(https?:\/\/[^\s<>"']+)/)
    .map((part, index) => (index % 2 === 1 ? html`<a href="${part}">${part}</a>` : html`${part}`));
