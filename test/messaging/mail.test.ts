import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { enqueue, headerOf, hello, logged, mailServer, messaging, openMessaging, transaction } from './setting.js';

openMessaging();

test('a mail of a committed transaction is sent exactly once', async () => {
  const server = await mailServer();
  const service = await messaging({ smtpUrl: server.url });
  await enqueue(service, hello);
  await expect.poll(() => server.accepted.length).toBe(1);
  await pause(1500);
  expect(server.accepted.map((mail) => [mail.to, headerOf(mail, 'subject'), headerOf(mail, 'from')])).toEqual([
    [['ana@players.test'], 'Hello', 'Courtside <no-reply@courtside.test>'],
  ]);
});

test('a mail of a transaction that is rolled back is never sent', async () => {
  const server = await mailServer();
  const service = await messaging({ smtpUrl: server.url });
  const change = transaction(async (tx) => {
    await service.outbox.enqueue(hello, tx);
    throw new Error('no');
  });
  await expect(change).rejects.toThrow('no');
  await pause(1500);
  expect(server.offered).toBe(0);
});

test('a mail refused for now is sent when the server accepts it, under the same Message-ID', async () => {
  const ids = new Set<string | undefined>();
  const server = await mailServer((offer, mail) => {
    ids.add(headerOf(mail, 'message-id'));
    return offer < 3 ? '451 try again later' : null;
  });
  const service = await messaging({ smtpUrl: server.url });
  await enqueue(service, hello);
  await expect.poll(() => server.accepted.length, { timeout: 15_000 }).toBe(1);
  expect([server.offered, ids.size]).toEqual([3, 1]);
});

test('a mail waits for a server that cannot be reached', async () => {
  const service = await messaging({ smtpUrl: 'smtp://127.0.0.1:1' });
  await enqueue(service, hello);
  await expect.poll(() => logged.filter((line) => line.includes('ECONNREFUSED')).length).toBeGreaterThan(0);
  await service.stop();
  const server = await mailServer();
  await messaging({ smtpUrl: server.url });
  await expect.poll(() => server.accepted.length).toBe(1);
});

test('a mail to several recipients at once, or with headers in its recipient, goes nowhere', async () => {
  const server = await mailServer();
  const service = await messaging({ smtpUrl: server.url });
  const tricks = [
    'ana@players.test, eve@players.test',
    'ana@players.test\r\nBcc: eve@players.test',
    'Ana <ana@players.test>',
    'ana',
  ];
  await enqueue(service, ...tricks.map((to) => ({ ...hello, to })), { ...hello, subject: 'Hi\r\nBcc: eve@players.test' });
  await expect.poll(() => logged.filter((line) => line.includes('not an e-mail address')).length).toBe(tricks.length);
  await expect.poll(() => server.accepted.length).toBe(1);
  expect([server.accepted[0]?.to, headerOf(server.accepted[0], 'bcc')]).toEqual([['ana@players.test'], undefined]);
});

test('the log tells the kind, the job and the domain, never the content or the whole address', () => {
  expect(logged.some((line) => line.includes('"domain":"players.test"'))).toBe(true);
  expect(logged.filter((line) => /secret|ana@|Hello/.test(line))).toEqual([]);
});
