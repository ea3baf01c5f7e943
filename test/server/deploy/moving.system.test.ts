import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requires } from '../../support/prerequisites.js';
import { missingBalancer, startMovingHaProxy } from '../../support/servers/load-balancer.js';
import { type RealServer, startServer } from '../../support/servers/recording-server.js';

const read = '/v1/data/teams';
const link = '/v1/pub/validate_email/abc';

describe('HAProxy during a migration', requires(missingBalancer), () => {
  let old: RealServer;
  let courtside: RealServer;
  let balancer: Awaited<ReturnType<typeof startMovingHaProxy>>;
  beforeAll(async () => {
    old = await startServer((_, response) => void response.end('old'));
    courtside = await startServer((_, response) => void response.end('courtside'));
    balancer = await startMovingHaProxy(old.origin, courtside.origin);
  });
  afterAll(async () => {
    await balancer?.stop();
    old?.close();
    courtside?.close();
  });

  const receiverOf = async (path: string, init: RequestInit = {}): Promise<string> =>
    (await fetch(balancer.origin + path, init)).text();

  async function readersOf(count: number): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (let index = 0; index < count; index++) {
      const receiver = await receiverOf(read);
      counts[receiver] = (counts[receiver] ?? 0) + 1;
    }
    return counts;
  }

  test('the old server receives all requests at the start', async () => {
    expect(await readersOf(20)).toEqual({ old: 20 });
    expect(await receiverOf(read, { method: 'POST' })).toBe('old');
  });

  test('a share of the reads goes to Courtside, but no writes, reads of users or links in emails', async () => {
    await balancer.command('set server reads/old weight 75; set server reads/courtside weight 25');
    expect(await readersOf(40)).toEqual({ old: 30, courtside: 10 });
    await balancer.command('set server reads/old weight 0; set server reads/courtside weight 100');
    expect(await readersOf(10)).toEqual({ courtside: 10 });
    expect(await receiverOf(read, { method: 'POST' })).toBe('old');
    expect(await receiverOf(read, { headers: { 'PB-USER-TOKEN': 'x' } })).toBe('old');
    expect(await receiverOf(link)).toBe('old');
  });

  test('the old interface is unavailable for writes during the last import', async () => {
    await balancer.command('set server everything/old state maint');
    const response = await fetch(balancer.origin + read, { method: 'POST' });
    expect({ status: response.status, retryAfter: response.headers.get('retry-after'), body: await response.json() }).toEqual({
      status: 503,
      retryAfter: '5',
      body: { Code: 503, Message: 'the service is unavailable' },
    });
    expect(await receiverOf(read)).toBe('courtside');
  });

  test('Courtside receives all requests after the cut-over, and the old server after a fallback', async () => {
    await balancer.command('set server everything/courtside state ready');
    expect(await readersOf(10)).toEqual({ courtside: 10 });
    expect(await receiverOf(read, { method: 'POST' })).toBe('courtside');
    expect(await receiverOf(read, { headers: { 'PB-USER-TOKEN': 'x' } })).toBe('courtside');
    expect(await receiverOf(link)).toBe('courtside');
    await balancer.command('set server everything/courtside state maint; set server everything/old state ready');
    await balancer.command('set server reads/old weight 100; set server reads/courtside weight 0');
    expect(await readersOf(10)).toEqual({ old: 10 });
    expect(await receiverOf(read, { method: 'POST' })).toBe('old');
  });
});
