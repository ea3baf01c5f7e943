import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

const root = process.cwd();
const filesUnder = (folder: string, ending = '.ts') =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');

/** Files of ours that a file imports, as paths from the root. */
const importsOf = (file: string) =>
  [...textOf(file).matchAll(/(?:from|import)\s+'(\.[^']+)'/g)].map(([, path = '']) =>
    normalize(join(dirname(file), path)).replace(/\.js$/, '.ts'),
  );

/** Every import of `files` that is not allowed, as `file → import`. */
const strays = (files: string[], allowed: (imported: string, file: string) => boolean) =>
  files.flatMap((file) => importsOf(file).flatMap((imported) => (allowed(imported, file) ? [] : [`${file} → ${imported}`])));

const source = [...filesUnder('src'), ...filesUnder('compat')];
const moduleOf = (file: string) => /^src\/modules\/([^/]+)\//.exec(file)?.[1];
const isRecord = (file: string) =>
  /@(record|value)\(/.test(textOf(file)) || /registerEnumType|createUnionType/.test(textOf(file));

test('the kernel imports nothing of ours but the kernel', () => {
  expect(strays(filesUnder('src/kernel'), (imported) => imported.startsWith('src/kernel/'))).toEqual([]);
});

test("a module imports the kernel, the ports of messaging and the records of other modules, never another's resolvers or rules", () => {
  const files = filesUnder('src/modules').filter((file) => file !== 'src/modules/index.ts');
  const allowed = (imported: string, file: string) =>
    imported.startsWith('src/kernel/') ||
    imported === 'src/messaging/ports.ts' ||
    moduleOf(imported) === moduleOf(file) ||
    (moduleOf(imported) !== undefined && isRecord(imported));
  expect(strays(files, allowed)).toEqual([]);
});

test('compat imports itself, the way to run operations and the table of errors', () => {
  const allowed = (imported: string) =>
    imported.startsWith('compat/') || ['src/gateway/run.ts', 'src/kernel/declare/errors.ts'].includes(imported);
  expect(strays(filesUnder('compat'), allowed)).toEqual([]);
});

test('only the configuration reads the environment', () => {
  expect(source.filter((file) => file !== 'src/config.ts' && /process\.env/.test(textOf(file)))).toEqual([]);
});

test('no file is longer than 250 lines, and the median is below 100', () => {
  const lengths = [...source, ...filesUnder('test')]
    .map((file) => [textOf(file).split('\n').length, file] as const)
    .sort(([a], [b]) => a - b);
  expect(lengths.filter(([lines]) => lines > 250)).toEqual([]);
  expect(lengths[Math.floor(lengths.length / 2)]?.[0]).toBeLessThan(100);
});

test('no name stands for everything and nothing', () => {
  expect(
    [...source, ...filesUnder('test')].filter(
      (file) => /(utils?|helpers?|common|manager|service)\.ts$/.test(file) && !file.startsWith('test/support/'),
    ),
  ).toEqual([]);
});

test('legacy misspellings live in compat and in no other place', () => {
  const misspelled = /Appoved|Santion|plater|Tehnical|Reciever|Challange|Hinderance|upcomming/;
  const places = [...filesUnder('src'), ...filesUnder('schema', '.graphql'), ...filesUnder('migrations')];
  expect(places.filter((file) => misspelled.test(textOf(file)))).toEqual([]);
});

test('nothing exits the process but main.ts', () => {
  expect(source.filter((file) => file !== 'src/main.ts' && /process\.exit\(/.test(textOf(file)))).toEqual([]);
});
