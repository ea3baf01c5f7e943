import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { optionsOf } from '../../src/kernel/declare/record.js';
import { modules } from '../../src/modules/index.js';

test('typed statements know the table of every record, by its class, and no others', () => {
  const typed = [...readFileSync('src/modules/tables.ts', 'utf8').matchAll(/^ {4}(\w+): Table<(\w+)>;$/gm)].map(
    ([, table, cls]) => `${table} ${cls}`,
  );
  const declared = modules.flatMap(({ records }) => records.map((cls) => `${optionsOf(cls).table} ${cls.name}`));
  expect(typed.toSorted()).toEqual(declared.toSorted());
});
