import { describe, expect, test } from 'vitest';
import { runJobs } from '../../src/commands/jobs.js';
import { openDeadLetters } from '../../src/messaging/dead-letters.js';
import {
  closeAfterTest,
  codeText,
  database,
  enqueue,
  headerOf,
  helloMail,
  startMailServer,
  startMessaging,
  useMessaging,
} from './context.js';

useMessaging();

const openDesk = async () => {
  const desk = await openDeadLetters(database.url);
  return closeAfterTest(desk, desk.close);
};

test('rejects a database on which the service never ran', async () => {
  await expect(openDeadLetters(database.url)).rejects.toThrow('has not run on this database');
});

test('a permanently refused email is dead after one attempt, is listed without its content, and is sent on retry', async () => {
  const messageIds: (string | undefined)[] = [];
  const server = await startMailServer((offer, mail) => {
    messageIds.push(headerOf(mail, 'message-id'));
    return offer === 1 ? '554 spam: https://courtside.test/r/secret for ana@players.test' : null;
  });
  const service = await startMessaging({ smtpUrl: server.url });
  await enqueue(service, helloMail);
  const desk = await openDesk();
  await expect.poll(desk.list).toHaveLength(1);
  const [dead] = await desk.list();
  expect(server.offered).toBe(1);
  expect(dead).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    kind: 'mail',
    state: 'dead',
    recipient: 'players.test',
    attempts: 1,
    error: 'Message failed: 554 spam: <link> for …@players.test',
    when: expect.stringMatching(/^\d{4}-.*Z$/),
  });
  expect({ retried: await desk.retry(dead?.id ?? ''), remaining: await desk.list() }).toEqual({ retried: 1, remaining: [] });
  await expect.poll(() => server.accepted.length).toBe(1);
  expect(new Set(messageIds).size).toBe(1);
});

test('a temporarily refused email is listed as retrying, and as dead after its last attempt', async () => {
  const server = await startMailServer(() => '451 try later');
  const service = await startMessaging({ smtpUrl: server.url });
  await enqueue(service, helloMail);
  const desk = await openDesk();
  const states: unknown[] = [];
  await expect
    .poll(
      async () => {
        const [message] = await desk.list();
        if (message && states.at(-1) !== message.state) states.push(message.state);
        return message;
      },
      { timeout: 15_000 },
    )
    .toMatchObject({ state: 'dead', attempts: 3 });
  expect({ states, offered: server.offered }).toEqual({ states: ['retrying', 'dead'], offered: 3 });
});

// The dead email of the previous test is still in the database.
describe('the jobs command', () => {
  const runWith = async (desk: Awaited<ReturnType<typeof openDesk>>, ...args: string[]) => {
    const output: string[] = [];
    const code = await runJobs(desk, args, (text) => void output.push(text));
    return { code, output };
  };

  test('lists dead messages as a table', async () => {
    const desk = await openDesk();
    const [dead] = await desk.list();
    const { code, output } = await runWith(desk, 'list');
    expect({ code, tables: output.map((table) => table.split('\n').map((line) => line.split(/ {2,}/))) }).toEqual({
      code: 0,
      tables: [
        [
          ['id', 'kind', 'state', 'recipient', 'attempts', 'when', 'error'],
          [dead?.id, 'mail', 'dead', 'players.test', '3', dead?.when, 'Message failed: 451 try later'],
        ],
      ],
    });
  });

  test('retries a message by ID, once', async () => {
    const desk = await openDesk();
    const [dead] = await desk.list();
    const id = dead?.id ?? '';
    expect({
      retry: await runWith(desk, 'retry', id),
      secondRetry: await runWith(desk, 'retry', id),
      list: await runWith(desk, 'list'),
    }).toEqual({
      retry: { code: 0, output: ['1 message queued again.'] },
      secondRetry: { code: 1, output: [`There is no dead message with ID ${id}.`] },
      list: { code: 0, output: ['No failed messages.'] },
    });
  });

  test('rejects an invalid ID and missing arguments', async () => {
    const desk = await openDesk();
    await expect(runWith(desk, 'retry', 'x')).rejects.toThrow('Invalid action: retry x.');
    await expect(runWith(desk)).rejects.toThrow('Missing action.');
  });
});

test('retries all dead messages of all kinds at once, and none for an unknown ID', async () => {
  const service = await startMessaging({
    smtpUrl: (await startMailServer(() => '550 no')).url,
    sms: { url: 'http://127.0.0.1:1', secret: 's' },
  });
  const desk = await openDesk();
  await enqueue(service, helloMail, codeText);
  await expect.poll(async () => (await desk.list()).filter(({ state }) => state === 'dead').length).toBe(3);
  await service.stop();
  expect(await desk.retry('0197a1de-0000-7000-8000-000000000000')).toBe(0);
  expect(await desk.retry('all')).toBe(3);
  expect(await desk.list()).toEqual([]);
});
