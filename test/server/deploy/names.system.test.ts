import { readFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { requires } from '../../support/prerequisites.js';
import { missingBalancer, startMovingHaProxy } from '../../support/servers/load-balancer.js';
import { startDnsServer } from './dns-server.js';

test.each(['haproxy.cfg', 'haproxy-moving.cfg', 'haproxy-postgresql.cfg'])(
  '%s keeps addresses while DNS returns none',
  (file) => {
    const [, section = ''] = /^resolvers system\n((?: .*\n)+)/m.exec(readFileSync(`docs/deploy/${file}`, 'utf8')) ?? [];
    expect(section.trim().split(/\n */)).toEqual([
      'parse-resolv-conf',
      'hold nx 24d',
      'hold other 24d',
      'hold refused 24d',
      'hold timeout 24d',
    ]);
  },
);

describe('HAProxy', requires(missingBalancer), () => {
  test('keeps the address of a name that only /etc/hosts contains, and follows changes in DNS', async () => {
    const dns = await startDnsServer();
    onTestFinished(() => dns.close());
    const start = async (changes: [RegExp, string][]) => {
      const name = 'http://localhost:1';
      const nameserver = `nameserver test 127.0.0.1:${dns.port}\n  hold valid 100ms`;
      const balancer = await startMovingHaProxy(name, name, [[/parse-resolv-conf/, nameserver], ...changes]);
      onTestFinished(() => balancer.stop());
      return async () => {
        const state = await balancer.command('show servers state reads');
        return state.split('\n').flatMap((line) => / reads \d+ old (\S+) /.exec(line)?.[1] ?? []);
      };
    };
    const readAddress = await start([]);
    const [initialAddress] = await readAddress();
    const readForgotten = await start([[/24d/g, '1s']]);
    await expect.poll(readForgotten).toEqual(['-']);
    expect(await readAddress()).toEqual([initialAddress]);
    dns.address = '127.0.0.2';
    await expect.poll(readAddress).toEqual(['127.0.0.2']);
    await expect.poll(readForgotten).toEqual(['127.0.0.2']);
    dns.address = null;
    await expect.poll(readForgotten).toEqual(['-']);
    expect(await readAddress()).toEqual(['127.0.0.2']);
  });
});
