import { once } from 'node:events';
import express from 'express';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Messaging } from '../../src/messaging/index.js';
import { mailPages } from '../../src/pages/mail-page.js';
import { portOf } from '../../src/port.js';
import { closing, enqueue, hello, messaging, openMessaging, ping } from './setting.js';

openMessaging();

async function get(service: Messaging, path: string): Promise<Response> {
  const server = express()
    .use((_request, response, next) => {
      response.set('Access-Control-Allow-Origin', '*');
      next();
    })
    .use(service.caught ? mailPages(service.caught, ['mails']) : [])
    .listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing(server, () => new Promise((closed) => server.close(closed)));
  return fetch(`http://127.0.0.1:${portOf(server)}${path}`);
}

const answer = z.object({ messages: z.array(z.record(z.string(), z.string())) });
const listed = async (service: Messaging, path: string) => answer.parse(await (await get(service, path)).json()).messages;

test('messages are caught from the moment of the commit and survive a restart', async () => {
  const before = await messaging({ catchUnsent: true });
  await enqueue(before, hello, ping);
  await before.stop();
  const after = await messaging({ catchUnsent: true });
  const messages = await listed(after, '/dev/mail.json');
  const known = { id: expect.any(String), createdAt: expect.any(String) };
  expect(messages).toHaveLength(2);
  expect(messages).toEqual(
    expect.arrayContaining([
      { ...known, ...hello },
      { ...known, ...ping },
    ]),
  );
});

test('the list narrows to one recipient', async () => {
  const service = await messaging({ catchUnsent: true });
  await enqueue(service, { ...hello, to: 'bo@players.test' });
  const messages = await listed(service, '/dev/mail.json?to=bo@players.test');
  expect(messages.map(({ to }) => to)).toEqual(['bo@players.test']);
});

test('the page shows mails with links to follow, and escapes what they hold', async () => {
  const service = await messaging({ catchUnsent: true });
  const text = 'See https://courtside.test/r/1?a=1&b=2 <script>alert(1)</script>';
  await enqueue(service, { ...hello, subject: '<b>Hi</b>', text, html: '<p title="x">Hi</p><script>alert(2)</script>' });
  const page = await (await get(service, '/dev/mail?to=ana@players.test')).text();
  const expected = [
    '<h2>&lt;b&gt;Hi&lt;/b&gt;</h2>',
    '<a href="https://courtside.test/r/1?a=1&amp;b=2">https://courtside.test/r/1?a=1&amp;b=2</a> &lt;script&gt;alert(1)&lt;/script&gt;',
    'srcdoc="&lt;base target=&quot;_blank&quot;&gt;&lt;p title=&quot;x&quot;&gt;Hi&lt;/p&gt;&lt;script&gt;alert(2)&lt;/script&gt;"',
  ];
  expect([expected.filter((part) => !page.includes(part)), page.includes('<script')]).toEqual([[], false]);
});

test('no other origin and no cache gets hold of the links', async () => {
  const service = await messaging({ catchUnsent: true });
  const { headers } = await get(service, '/dev/mail.json');
  const names = ['access-control-allow-origin', 'cache-control', 'cross-origin-resource-policy'];
  expect(names.map((name) => headers.get(name))).toEqual([null, 'no-store', 'same-origin']);
});

test('there is no such page where messages can leave or must wait', async () => {
  const sms = { url: 'http://127.0.0.1:1', secret: 's' };
  const services = await Promise.all([messaging(), messaging({ catchUnsent: true, smtpUrl: 'smtp://127.0.0.1:1', sms })]);
  expect(services.map(({ caught }) => caught)).toEqual([null, null]);
});
