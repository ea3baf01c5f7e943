import { expect, test } from 'vitest';
import { useWebhookContext } from './context.js';

const context = useWebhookContext();
const { createWebhook, startReceiver, startSending, saveTeam } = context;

const attempt = 'startedAt duration httpStatus error response';
const deliveries = async () => {
  const { webhookDeliveries } = await context.app.graphql(
    `{ webhookDeliveries { nodes { id event status attempts requestBody pastAttempts { ${attempt} } } } }`,
  );
  return webhookDeliveries.nodes;
};
const untilDelivered = () => expect.poll(async () => (await deliveries())[0]?.status).toBe('DELIVERED');
const isDuration = expect.toSatisfy((duration: number) => Number.isInteger(duration) && duration >= 0);
const isNow = expect.toSatisfy((instant: string) => Math.abs(Date.now() - Date.parse(instant)) < 60_000);

test('a delivery shows the request body, and the response of each attempt', async () => {
  const receiver = await startReceiver((_, nth) =>
    nth === 1 ? (response) => response.writeHead(500).end('not\nnow') : (response) => response.end('{"ok": true}'),
  );
  await createWebhook(receiver.url, ['team.*']);
  startSending();
  await saveTeam('answered', 1);
  await untilDelivered();
  const [delivery] = await deliveries();
  expect(delivery).toMatchObject({
    attempts: 2,
    requestBody: receiver.arrived[0]?.body,
    pastAttempts: [
      { startedAt: isNow, duration: isDuration, httpStatus: 500, error: 'responded with 500: not now', response: 'not now' },
      { startedAt: isNow, duration: isDuration, httpStatus: 200, error: null, response: '{"ok": true}' },
    ],
  });
  expect(new Set(receiver.arrived.map(({ body }) => body)).size).toBe(1);
});

test('a response that is truncated within a surrogate pair is stored, and the event is sent once', async () => {
  const receiver = await startReceiver(() => (response) => response.end(`${'x'.repeat(199)}😀`));
  await createWebhook(receiver.url, ['team.*']);
  startSending();
  await saveTeam('emoji', 1);
  await untilDelivered();
  const [{ pastAttempts }] = await deliveries();
  expect({ sent: receiver.arrived.length, response: pastAttempts[0].response }).toEqual({
    sent: 1,
    response: `${'x'.repeat(199)}\ufffd`,
  });
});

test('the last ten attempts stay when a delivery is sent again', async () => {
  const receiver = await startReceiver((_, nth) => (nth < 12 ? 503 : 200));
  await createWebhook(receiver.url, ['team.*']);
  startSending({ pauses: { seconds: Array.from({ length: 20 }, () => 0.01), jitter: 0 } });
  await saveTeam('resent', 1);
  await untilDelivered();
  const [{ id }] = await deliveries();
  await context.app.graphql('mutation ($id: ID!) { sendWebhookDeliveryAgain(id: $id) { id } }', { id });
  await expect.poll(() => receiver.arrived.length).toBe(13);
  await untilDelivered();
  const [{ attempts, pastAttempts }] = await deliveries();
  const statuses = pastAttempts.map(({ httpStatus }: { httpStatus: number }) => httpStatus);
  expect({ attempts, statuses, last: pastAttempts.at(-1) }).toEqual({
    attempts: 1,
    statuses: [...Array(8).fill(503), 200, 200],
    last: { startedAt: isNow, duration: isDuration, httpStatus: 200, error: null, response: null },
  });
});

test('an attempt without a response shows why it failed', async () => {
  const receiver = await startReceiver((_, nth) => (nth === 1 ? (response) => response.destroy() : 200));
  await createWebhook(receiver.url, ['team.*']);
  startSending();
  await saveTeam('closed', 1);
  await untilDelivered();
  const [{ pastAttempts }] = await deliveries();
  expect(pastAttempts[0]).toEqual({
    startedAt: isNow,
    duration: isDuration,
    httpStatus: null,
    error: 'the connection was closed',
    response: null,
  });
});
