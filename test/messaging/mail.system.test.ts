import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import {
  enqueue,
  headerOf,
  helloMail,
  inTransaction,
  logLines,
  startMailServer,
  startMessaging,
  useMessaging,
} from './context.js';

useMessaging();

test('an email of a committed transaction is sent exactly once', async () => {
  const server = await startMailServer();
  const service = await startMessaging({ smtpUrl: server.url });
  await enqueue(service, helloMail);
  await expect.poll(() => server.accepted.length).toBe(1);
  await sleep(1500);
  const mails = server.accepted.map((mail) => ({
    to: mail.to,
    subject: headerOf(mail, 'subject'),
    from: headerOf(mail, 'from'),
  }));
  expect(mails).toEqual([{ to: ['ana@players.test'], subject: 'Hello', from: 'Courtside <no-reply@courtside.test>' }]);
});

test('an email of a rolled-back transaction is never sent', async () => {
  const server = await startMailServer();
  const service = await startMessaging({ smtpUrl: server.url });
  const transaction = inTransaction(async (tx) => {
    await service.outbox.enqueue(helloMail, tx, 'counted');
    throw new Error('no');
  });
  await expect(transaction).rejects.toThrow('no');
  await sleep(1500);
  expect(server.offered).toBe(0);
});

test('a temporarily refused email is sent when the server accepts it, with the same Message-ID', async () => {
  const messageIds = new Set<string | undefined>();
  const server = await startMailServer((offer, mail) => {
    messageIds.add(headerOf(mail, 'message-id'));
    return offer < 3 ? '451 try again later' : null;
  });
  const service = await startMessaging({ smtpUrl: server.url });
  await enqueue(service, helloMail);
  await expect.poll(() => server.accepted.length, { timeout: 15_000 }).toBe(1);
  expect({ offered: server.offered, messageIds: messageIds.size }).toEqual({ offered: 3, messageIds: 1 });
});

test('an email waits until an unreachable server is reachable', async () => {
  const service = await startMessaging({ smtpUrl: 'smtp://127.0.0.1:1' });
  await enqueue(service, helloMail);
  await expect.poll(() => logLines.filter((line) => line.includes('ECONNREFUSED')).length).toBeGreaterThan(0);
  await service.stop();
  const server = await startMailServer();
  await startMessaging({ smtpUrl: server.url });
  await expect.poll(() => server.accepted.length).toBe(1);
});

test('an email whose recipient is not a single address is not sent, and a subject cannot add headers', async () => {
  const server = await startMailServer();
  const service = await startMessaging({ smtpUrl: server.url });
  const recipients = [
    'ana@players.test, eve@players.test',
    'ana@players.test\r\nBcc: eve@players.test',
    'Ana <ana@players.test>',
    'ana',
  ];
  const mails = recipients.map((to) => ({ ...helloMail, to }));
  await enqueue(service, ...mails, { ...helloMail, subject: 'Hi\r\nBcc: eve@players.test' });
  await expect.poll(() => logLines.filter((line) => line.includes('not an e-mail address')).length).toBe(recipients.length);
  await expect.poll(() => server.accepted.length).toBe(1);
  const [mail] = server.accepted;
  expect({ to: mail?.to, bcc: headerOf(mail, 'bcc') }).toEqual({ to: ['ana@players.test'], bcc: undefined });
});

test('log lines contain the domain of a recipient, but neither the content nor the address', () => {
  expect(logLines.some((line) => line.includes('"domain":"players.test"'))).toBe(true);
  expect(logLines.filter((line) => /secret|ana@|Hello/.test(line))).toEqual([]);
});
