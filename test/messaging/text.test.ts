import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { enqueue, logged, messaging, openMessaging, ping, receiver } from './setting.js';

openMessaging();

const secret = 'a secret of the operator';

test('a text message is posted once, with a signature that its receiver can verify', async () => {
  const { url, posted } = await receiver();
  const service = await messaging({ sms: { url, secret } });
  await enqueue(service, ping);
  await expect.poll(() => posted.length).toBe(1);
  const { headers, body } = posted[0] ?? { headers: {}, body: '' };
  const timestamp = Number(headers['x-courtside-timestamp']);
  expect({
    ...JSON.parse(body),
    signature: headers['x-courtside-signature'],
    recent: Date.now() / 1000 - timestamp < 10,
  }).toEqual({
    id: headers['idempotency-key'],
    to: '+15125550100',
    body: '123456 is your code',
    signature: createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex'),
    recent: true,
  });
});

test.each([
  { answers: [408, 429, 500, 503, 302], posts: 2, outcome: ['message not sent, will be tried again', 'message sent'] },
  { answers: [400, 401, 403, 410, 422], posts: 1, outcome: ['message given up: see npm run jobs -- list'] },
])(
  'a text message first answered with one of $answers is posted $posts times, under one key',
  async ({ answers, posts, outcome }) => {
    const seen = new Map<string, number>();
    const { url, posted } = await receiver(({ headers, body }) => {
      const key = String(headers['idempotency-key']);
      const times = (seen.get(key) ?? 0) + 1;
      seen.set(key, times);
      return times === 1 ? Number(JSON.parse(body).body) : 200;
    });
    const before = logged.length;
    const service = await messaging({ sms: { url, secret } });
    await enqueue(service, ...answers.map((answer) => ({ ...ping, body: String(answer) })));
    const told = () => logged.slice(before).map((line) => JSON.parse(line).msg);
    await expect.poll(told).toHaveLength(answers.length * outcome.length);
    expect([new Set(told()), posted.length, seen.size]).toEqual([new Set(outcome), answers.length * posts, answers.length]);
  },
);

test('neither the phone number, nor the message, nor the webhook is logged', () => {
  expect(logged.filter((line) => /5125550100|123456|127\.0\.0\.1|a secret/.test(line))).toEqual([]);
});
