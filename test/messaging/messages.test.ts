import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { modules } from '../../src/modules/index.js';

const enqueuesMessages = (name: string) =>
  globSync(`src/modules/${name}/**/*.ts`).some((file) => readFileSync(file, 'utf8').includes('outbox.enqueue'));

// A process starts the message queue only if one of its modules declares `messages`.
test('a module declares `messages` if and only if its source enqueues messages', () => {
  const declared = modules.filter(({ messages }) => messages).map(({ name }) => name);
  expect(declared).toEqual(modules.map(({ name }) => name).filter(enqueuesMessages));
});
