import { expect, test } from 'vitest';
import { subscribe } from '../../support/clients/event-stream.js';
import { newKey } from '../../support/fixtures/publishable-keys.js';
import { startApp } from '../../support/servers/app.js';

test('addresses of one IPv6 network share one limit of open subscriptions', async () => {
  const app = await startApp({ TRUST_PROXY: '1', STREAMS_PER_CALLER: '2' });
  const visitor = { platform: (await newKey(app)).key };
  await app.graphql('mutation { upsertTournament(input: { id: "cup" }) { id } }');
  const query = 'subscription { tournament(id: "cup") { kind } }';
  const open = (address: string) => subscribe(app, visitor, query, {}, '/graphql', { 'X-Forwarded-For': address });
  const sameNetwork = await Promise.all(['2001:db8::1', '2001:db8::2', '2001:db8::3'].map(open));
  const refused = () => sameNetwork.filter(({ events }) => events[0]?.errors?.[0]?.extensions.code === 'UNAVAILABLE').length;
  await expect.poll(refused).toBe(1);
  const other = await open('2001:db8:0:1::1');
  await app.graphql('mutation { upsertTournament(input: { id: "cup", title: "Cup" }) { id } }');
  expect((await other.until(1))[0]?.data).toEqual({ tournament: { kind: 'CHANGED' } });
  for (const stream of [...sameNetwork, other]) stream.close();
  await app.close();
});
