import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { optionsOf } from '../../src/kernel/declare/record.js';
import { modules } from '../../src/modules/index.js';

test('the table types of SQL statements list exactly the tables of the declared records', () => {
  const typed = [...readFileSync('src/modules/tables.ts', 'utf8').matchAll(/^ {4}(\w+): Table<(\w+)>;$/gm)].map(
    ([, table, cls]) => `${table} ${cls}`,
  );
  const declared = modules.flatMap(({ records }) => records.map((cls) => `${optionsOf(cls).table} ${cls.name}`));
  expect(typed.toSorted()).toEqual(declared.toSorted());
});
