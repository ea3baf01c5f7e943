import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { modules } from '../../src/modules/index.js';

const leavesMessages = (name: string) =>
  globSync(`src/modules/${name}/**/*.ts`).some((file) => readFileSync(file, 'utf8').includes('outbox.enqueue'));

test('a module says that it leaves messages: processes without such a module have no queue', () => {
  const saying = modules.filter(({ messages }) => messages).map(({ name }) => name);
  expect(saying).toEqual(modules.map(({ name }) => name).filter(leavesMessages));
});
