import { expect } from 'vitest';
import type { TestApp } from './app.js';

/** A publishable key of the test's platform. It is sent in the header of platform tokens: `{ platform: key }`. */
export interface Key {
  id: string;
  key: string;
}

/** A key for pages of these origins; without any, for apps and servers. */
export async function newKey(app: TestApp, allowedOrigins: readonly string[] = []): Promise<Key> {
  const answer = await app.graphql(
    'mutation ($input: PublishableKeyInput!) { createPublishableKey(input: $input) { key publishableKey { id } } }',
    { input: { allowedOrigins } },
  );
  expect(answer.errors).toBe(undefined);
  const { key, publishableKey } = answer.createPublishableKey;
  return { id: publishableKey.id, key };
}
