import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { messageCounts } from '../../src/messaging/message-counts.js';
import { codeText, enqueue, logLines, startMessaging, startTextReceiver, useMessaging } from './context.js';

useMessaging();

const secret = 'a secret of the operator';

/** Returns the number of attempts to send messages of a kind, by outcome. */
const countsOf = (kind: string): Record<string, number> => Object.fromEntries(messageCounts.get(kind)?.entries ?? []);

test('a text message is posted once, with a signature', async () => {
  const startedAt = Math.floor(Date.now() / 1000);
  const { url, posted } = await startTextReceiver();
  const service = await startMessaging({ sms: { url, secret } });
  await enqueue(service, codeText);
  await expect.poll(() => posted.length).toBe(1);
  const { headers, body } = posted[0] ?? { headers: {}, body: '' };
  const timestamp = Number(headers['x-courtside-timestamp']);
  expect({
    ...JSON.parse(body),
    signature: headers['x-courtside-signature'],
    isTimeOfPost: timestamp >= startedAt && timestamp <= Date.now() / 1000,
  }).toEqual({
    id: headers['idempotency-key'],
    to: '+15125550100',
    body: '123456 is your code',
    signature: createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex'),
    isTimeOfPost: true,
  });
});

test.each([
  {
    answers: [408, 429, 500, 503, 302],
    posts: 2,
    outcome: ['message not sent yet, will be retried', 'message sent'],
    counts: { failed: 5, sent: 5 },
  },
  {
    answers: [400, 401, 403, 410, 422],
    posts: 1,
    outcome: ['message failed permanently: see courtside jobs list'],
    counts: { dead: 5 },
  },
])(
  'a text message whose first response is one of $answers is posted $posts times with one idempotency key',
  async ({ answers, posts, outcome, counts }) => {
    const attempts = new Map<string, number>();
    const { url, posted } = await startTextReceiver(({ headers, body }) => {
      const key = String(headers['idempotency-key']);
      const attempt = (attempts.get(key) ?? 0) + 1;
      attempts.set(key, attempt);
      return attempt === 1 ? Number(JSON.parse(body).body) : 200;
    });
    const before = logLines.length;
    const countsBefore = countsOf(codeText.kind);
    const service = await startMessaging({ sms: { url, secret } });
    await enqueue(service, ...answers.map((answer) => ({ ...codeText, body: String(answer) })));
    const logMessages = () => logLines.slice(before).map((line) => JSON.parse(line).msg);
    await expect.poll(logMessages).toHaveLength(answers.length * outcome.length);
    const newCounts = Object.entries(countsOf(codeText.kind))
      .map(([name, count]) => [name, count - (countsBefore[name] ?? 0)] as const)
      .filter(([, count]) => count > 0);
    expect({
      logMessages: new Set(logMessages()),
      posts: posted.length,
      keys: attempts.size,
      counts: Object.fromEntries(newCounts),
    }).toEqual({
      logMessages: new Set(outcome),
      posts: answers.length * posts,
      keys: answers.length,
      counts,
    });
  },
);

test('log lines contain neither the phone number nor the message nor the URL', () => {
  expect(logLines.filter((line) => /5125550100|123456|127\.0\.0\.1|a secret/.test(line))).toEqual([]);
});
