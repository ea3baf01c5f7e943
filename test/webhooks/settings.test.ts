import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config.js';

test('keys and networks are lists', () => {
  expect(loadConfig({ WEBHOOK_KEY: 'new, old', WEBHOOK_NETWORKS: '10.0.0.0/8, ::1' }).webhooks).toEqual({
    keys: ['new', 'old'],
    networks: ['10.0.0.0/8', '::1'],
  });
});

test.each(['10.0.0.0/33', 'localhost', '10.0.0.0/8,', '10.0.0', '300.0.0.1'])('%s is no list of networks', (text) => {
  expect(() => loadConfig({ WEBHOOK_NETWORKS: text })).toThrow('WEBHOOK_NETWORKS must be addresses or networks');
});

test('no value of a key is told that is wrong', () => {
  expect(() => loadConfig({ WEBHOOK_KEY: 'the same,the same' })).toThrow(/^(?!.*the same)/);
});
