import type { TestApp } from '../servers/app.js';

/** A message that the service caught instead of sending it. */
export interface CaughtMessage {
  kind: 'mail' | 'text';
  to: string;
  subject?: string;
  text?: string;
  html?: string;
  body?: string;
}

/** Returns the messages to an email address or phone number, oldest first. */
export async function mailbox({ origin }: Pick<TestApp, 'origin'>, to: string): Promise<CaughtMessage[]> {
  const response = await fetch(`${origin}/dev/mail.json?to=${encodeURIComponent(to)}`);
  const body = await response.text();
  if (!response.ok) throw new Error(`/dev/mail.json returned ${response.status}: ${body}`);
  const { messages }: { messages: CaughtMessage[] } = JSON.parse(body);
  return messages.toReversed();
}

/** Returns the link in the last email to an address. */
export async function lastLink(app: Pick<TestApp, 'origin'>, to: string): Promise<string> {
  const mail = (await mailbox(app, to)).at(-1);
  return /https?:\/\/\S+/.exec(mail?.text ?? '')?.[0] ?? '';
}

/** Returns the random value at the end of the link in the last email to an address. */
export const lastValue = async (app: Pick<TestApp, 'origin'>, to: string): Promise<string> =>
  (await lastLink(app, to)).replace(/^.*[/=]/, '');

/** Returns the code in the last text message to a phone number. */
export const lastCode = async (app: Pick<TestApp, 'origin'>, to: string): Promise<string> =>
  /\d{6}/.exec((await mailbox(app, to)).at(-1)?.body ?? '')?.[0] ?? '';
