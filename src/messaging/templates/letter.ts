import { html } from '../html.js';
import type { Mail } from '../message.js';

interface Letter {
  to: string;
  subject: string;
  paragraphs: string[];
  /** Main action of the email: a button in HTML, and a link in plain text. */
  action?: { label: string; link: string };
  closing?: string;
  replyTo?: string;
}

/** Builds an email from paragraphs, in plain text and in simple HTML. */
export function buildEmail({ to, subject, paragraphs, action, closing, replyTo }: Letter): Mail {
  const paragraphMarkup = paragraphs.map((paragraph) => html`<p style="white-space:pre-line">${paragraph}</p>`);
  const button = action
    ? html`<p><a href="${action.link}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:#14532d;color:#fff;text-decoration:none">${action.label}</a></p>
<p style="color:#666;font-size:13px">${action.link}</p>`
    : [];
  const closingMarkup = closing ? html`<p style="color:#666;font-size:13px">${closing}</p>` : [];
  const page = html`<!doctype html><html><body style="font-family:system-ui,sans-serif;line-height:1.5;max-width:560px;margin:auto;padding:16px">
${paragraphMarkup}${button}${closingMarkup}
</body></html>`;
  const plainText = [...paragraphs, ...(action ? [`${action.label}: ${action.link}`] : []), ...(closing ? [closing] : [])];
  const mail: Mail = { kind: 'mail', to, subject: toOneLine(subject), text: `${plainText.join('\n\n')}\n`, html: page.markup };
  return replyTo ? { ...mail, replyTo } : mail;
}

/** Replaces line breaks in a subject. Mail servers would read the text after a line break as another header. */
const toOneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
