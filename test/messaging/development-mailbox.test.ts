import { once } from 'node:events';
import express from 'express';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Messaging } from '../../src/messaging/index.js';
import { mailPages } from '../../src/pages/mail-page.js';
import { portOf } from '../../src/process/port.js';
import { closeAfterTest, codeText, enqueue, helloMail, startMessaging, useMessaging } from './context.js';

useMessaging();

async function get(service: Messaging, path: string): Promise<Response> {
  const server = express()
    .use((_request, response, next) => {
      response.set('Access-Control-Allow-Origin', '*');
      next();
    })
    .use(service.readCaughtMessages ? mailPages(service.readCaughtMessages, ['mails']) : [])
    .listen(0, '127.0.0.1');
  await once(server, 'listening');
  closeAfterTest(server, () => new Promise((closed) => server.close(closed)));
  return fetch(`http://127.0.0.1:${portOf(server)}${path}`);
}

const answerSchema = z.object({ messages: z.array(z.record(z.string(), z.string())) });
const messagesAt = async (service: Messaging, path: string) =>
  answerSchema.parse(await (await get(service, path)).json()).messages;

test('the development mailbox contains messages once they are committed, and still contains them after a restart', async () => {
  const before = await startMessaging({ catchUnsent: true });
  await enqueue(before, helloMail, codeText);
  await before.stop();
  const after = await startMessaging({ catchUnsent: true });
  const messages = await messagesAt(after, '/dev/mail.json');
  const generated = { id: expect.any(String), createdAt: expect.any(String) };
  expect(messages).toHaveLength(2);
  expect(messages).toEqual(
    expect.arrayContaining([
      { ...generated, ...helloMail },
      { ...generated, ...codeText },
    ]),
  );
});

test('the development mailbox filters by recipient', async () => {
  const service = await startMessaging({ catchUnsent: true });
  await enqueue(service, { ...helloMail, to: 'bo@players.test' });
  const messages = await messagesAt(service, '/dev/mail.json?to=bo@players.test');
  expect(messages.map(({ to }) => to)).toEqual(['bo@players.test']);
});

test('the page of an email links URLs and escapes the content', async () => {
  const service = await startMessaging({ catchUnsent: true });
  const text = 'See https://courtside.test/r/1?a=1&b=2 <script>alert(1)</script>';
  await enqueue(service, { ...helloMail, subject: '<b>Hi</b>', text, html: '<p title="x">Hi</p><script>alert(2)</script>' });
  const page = await (await get(service, '/dev/mail?to=ana@players.test')).text();
  const expected = [
    '<h2>&lt;b&gt;Hi&lt;/b&gt;</h2>',
    '<a href="https://courtside.test/r/1?a=1&amp;b=2">https://courtside.test/r/1?a=1&amp;b=2</a> &lt;script&gt;alert(1)&lt;/script&gt;',
    'srcdoc="&lt;base target=&quot;_blank&quot;&gt;&lt;p title=&quot;x&quot;&gt;Hi&lt;/p&gt;&lt;script&gt;alert(2)&lt;/script&gt;"',
  ];
  expect({
    missing: expected.filter((part) => !page.includes(part)),
    hasScript: page.includes('<script'),
  }).toEqual({ missing: [], hasScript: false });
});

test('the development mailbox is neither cacheable nor readable from other origins', async () => {
  const service = await startMessaging({ catchUnsent: true });
  const { headers } = await get(service, '/dev/mail.json');
  expect({
    allowOrigin: headers.get('access-control-allow-origin'),
    cacheControl: headers.get('cache-control'),
    resourcePolicy: headers.get('cross-origin-resource-policy'),
  }).toEqual({ allowOrigin: null, cacheControl: 'no-store', resourcePolicy: 'same-origin' });
});

test('there is no development mailbox without `catchUnsent`', async () => {
  expect((await startMessaging()).readCaughtMessages).toBeNull();
});

test('there is no development mailbox if emails and text messages can be sent', async () => {
  const sms = { url: 'http://127.0.0.1:1', secret: 's' };
  const service = await startMessaging({ catchUnsent: true, smtpUrl: 'smtp://127.0.0.1:1', sms });
  expect(service.readCaughtMessages).toBeNull();
});
