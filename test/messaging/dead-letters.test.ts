import { expect, test } from 'vitest';
import { runJobs } from '../../src/commands/jobs.js';
import { openDeadLetters } from '../../src/messaging/dead-letters.js';
import { closing, database, enqueue, headerOf, hello, mailServer, messaging, openMessaging, ping } from './setting.js';

openMessaging();

const operator = async () => {
  const desk = await openDeadLetters(database.url);
  return closing(desk, desk.close);
};

test('a service that never ran on this database has nothing to list', async () => {
  await expect(openDeadLetters(database.url)).rejects.toThrow('has not run on this database');
});

test('a mail refused for good is given up at once, listed without its content, and sent when the operator says so', async () => {
  const ids: (string | undefined)[] = [];
  const server = await mailServer((offer, mail) => {
    ids.push(headerOf(mail, 'message-id'));
    return offer === 1 ? '554 spam: https://courtside.test/r/secret for ana@players.test' : null;
  });
  const service = await messaging({ smtpUrl: server.url });
  await enqueue(service, hello);
  const desk = await operator();
  await expect.poll(desk.list).toHaveLength(1);
  const [dead] = await desk.list();
  expect([server.offered, dead]).toEqual([
    1,
    {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      kind: 'mail',
      state: 'dead',
      recipient: 'players.test',
      attempts: 1,
      error: 'Message failed: 554 spam: <link> for …@players.test',
      when: expect.stringMatching(/^\d{4}-.*Z$/),
    },
  ]);
  expect([await desk.retry(dead?.id ?? ''), await desk.list()]).toEqual([1, []]);
  await expect.poll(() => server.accepted.length).toBe(1);
  expect(new Set(ids).size).toBe(1);
});

test('a mail refused for now is listed as retrying, and as dead when its attempts are used up', async () => {
  const server = await mailServer(() => '451 try later');
  const service = await messaging({ smtpUrl: server.url });
  await enqueue(service, hello);
  const desk = await operator();
  const states: unknown[] = [];
  await expect
    .poll(
      async () => {
        const [stuck] = await desk.list();
        if (stuck && states.at(-1) !== stuck.state) states.push(stuck.state);
        return stuck;
      },
      { timeout: 15_000 },
    )
    .toMatchObject({ state: 'dead', attempts: 3 });
  expect([states, server.offered]).toEqual([['retrying', 'dead'], 3]);
});

test('the jobs command prints a table, retries by id, and says how it is used', async () => {
  const desk = await operator();
  const [dead] = await desk.list();
  const printed: string[] = [];
  const codes = [];
  for (const args of [['list'], ['retry', dead?.id ?? ''], ['retry', dead?.id ?? ''], ['list'], ['retry', 'x'], []]) {
    codes.push(await runJobs(desk, args, (line) => void printed.push(line)));
  }
  const [table, ...others] = printed;
  expect([codes, table?.split('\n').map((line) => line.split(/ {2,}/)), others]).toEqual([
    [0, 0, 1, 0, 1, 1],
    [
      ['id', 'kind', 'state', 'recipient', 'attempts', 'when', 'error'],
      [dead?.id, 'mail', 'dead', 'players.test', '3', dead?.when, 'Message failed: 451 try later'],
    ],
    [
      '1 to be sent again.',
      `There is no dead message ${dead?.id}.`,
      'All messages have left, or are on their way.',
      expect.stringContaining('npm run jobs -- list'),
      expect.stringContaining('npm run jobs -- list'),
    ],
  ]);
});

test('all dead letters of every kind are retried at once, and an unknown id is none', async () => {
  const service = await messaging({
    smtpUrl: (await mailServer(() => '550 no')).url,
    sms: { url: 'http://127.0.0.1:1', secret: 's' },
  });
  const desk = await operator();
  await enqueue(service, hello, ping);
  await expect.poll(async () => (await desk.list()).filter(({ state }) => state === 'dead').length).toBe(3);
  await service.stop();
  expect(await desk.retry('0197a1de-0000-7000-8000-000000000000')).toBe(0);
  expect(await desk.retry('all')).toBe(3);
  expect(await desk.list()).toEqual([]);
});
