import { expect, test } from 'vitest';
import { loadConfig } from '../../../../src/config/index.js';

test('WEBHOOK_KEY and WEBHOOK_NETWORKS are comma-separated lists', () => {
  expect(loadConfig({ WEBHOOK_KEY: 'new, old', WEBHOOK_NETWORKS: '10.0.0.0/8, ::1' }).webhooks).toEqual({
    keys: ['new', 'old'],
    networks: ['10.0.0.0/8', '::1'],
  });
});

test.each(['10.0.0.0/33', 'localhost', '10.0.0.0/8,', '10.0.0', '300.0.0.1'])('rejects %s as WEBHOOK_NETWORKS', (text) => {
  expect(() => loadConfig({ WEBHOOK_NETWORKS: text })).toThrow('WEBHOOK_NETWORKS must be comma-separated addresses or networks');
});

test('the error about an invalid WEBHOOK_KEY does not repeat its value', () => {
  expect(() => loadConfig({ WEBHOOK_KEY: 'the same,the same' })).toThrow(/^(?!.*the same)/);
});
