import { Html, html } from '../html.js';
import type { CaughtMessage } from './messages-sql.js';

const style = new Html(`<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
  body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem }
  article { border: 1px solid #8886; border-radius: 8px; padding: 1rem; margin: 1rem 0 }
  header { display: flex; flex-wrap: wrap; gap: 0 1rem; justify-content: space-between; color: #888 }
  h2 { font-size: 1.1rem; margin: .2rem 0 }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit }
  iframe { width: 100%; height: 24rem; border: 1px solid #8886; border-radius: 6px; background: #fff }
</style>`);

/** Reads like a mailbox: newest first, links that can be followed, and each mail as its reader would see it. */
export const mailboxPage = (messages: readonly CaughtMessage[], to: string | null): string =>
  html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Caught messages</title>${style}</head>
<body><h1>Caught messages</h1>
<p>Without SMTP_URL and SMS_WEBHOOK_URL nothing leaves this machine${to ? html`; these are for ${to}` : ''}. The newest 100, also as <a href="/dev/mail.json">JSON</a>.</p>
${messages.length > 0 ? messages.map(article) : html`<p>Nothing yet.</p>`}
</body></html>`.markup;

const article = (message: CaughtMessage): Html => html`<article>
<header><span>${message.kind === 'mail' ? 'Mail' : 'Text message'} to <a href="?to=${encodeURIComponent(message.to)}">${message.to}</a></span><time>${message.createdAt}</time></header>
${message.kind === 'mail' ? html`<h2>${message.subject}</h2>` : ''}
<pre>${linked(message.kind === 'mail' ? message.text : message.body)}</pre>
${message.kind === 'mail' && message.html ? preview(message.html) : ''}
</article>`;

/** The frame has no scripts and no origin: a mail may hold anything. */
const preview = (source: string): Html =>
  html`<details><summary>HTML</summary><iframe sandbox="allow-popups" srcdoc="${`<base target="_blank">${source}`}"></iframe></details>`;

const linked = (text: string): Html[] =>
  text
    .split(/(https?:\/\/[^\s<>"']+)/)
    .map((part, index) => (index % 2 === 1 ? html`<a href="${part}">${part}</a>` : html`${part}`));
