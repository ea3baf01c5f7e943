import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

const root = process.cwd();
const filesUnder = (folder: string, ending = '.ts') =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending) && !entry.parentPath.includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');

/** Files of ours that a file imports, as paths from the root. */
const importsOf = (file: string) =>
  [...textOf(file).matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, path = '']) =>
    normalize(join(dirname(file), path)).replace(/\.js$/, '.ts'),
  );

/** Every import of `files` that is not allowed, as `file → import`. */
const strays = (files: string[], allowed: (imported: string, file: string) => boolean) =>
  files.flatMap((file) => importsOf(file).flatMap((imported) => (allowed(imported, file) ? [] : [`${file} → ${imported}`])));

const source = [...filesUnder('src'), ...filesUnder('compat')];
const moduleOf = (file: string) => /^src\/modules\/([^/]+)\//.exec(file)?.[1];
const isRecord = (file: string) =>
  /@(record|value|InputType)\(/.test(textOf(file)) || /registerEnumType|createUnionType|= choices\(/.test(textOf(file));

test('the kernel imports nothing of ours but the kernel', () => {
  expect(strays(filesUnder('src/kernel'), (imported) => imported.startsWith('src/kernel/'))).toEqual([]);
});

/** The code of a file: no comments, and no texts of several words. */
const codeOf = (file: string) =>
  textOf(file)
    .replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')
    .replace(/'[^'\n]* [^'\n]*'|`[^`]* [^`]*`/g, '');

test('the kernel names no record, role or action of a module', () => {
  const records = filesUnder('src/modules').flatMap((file) =>
    [...textOf(file).matchAll(/@record\([\s\S]*?export class (\w+)/g)].map(([, name = '']) => name),
  );
  const actions = filesUnder('src/modules', 'index.ts').flatMap((file) =>
    [...(/ {2}actions: \[([\s\S]*?)\n {2}\]/.exec(textOf(file))?.[1] ?? '').matchAll(/name: '(\w+)'/g)].map(
      ([, name = '']) => name,
    ),
  );
  const roles = filesUnder('src/modules').flatMap((file) =>
    [...textOf(file).matchAll(/(?:permission|staff)\('(\w+)'/g)].map(([, name = '']) => name),
  );
  expect({ records: records.length, actions: actions.sort(), hasRoles: roles.includes('ADMIN') }).toEqual({
    records: expect.toSatisfy((length: number) => length > 60),
    actions: ['approve', 'register', 'withdraw'],
    hasRoles: true,
  });
  const domain = new RegExp(`\\b(?:${[...new Set([...records, ...actions, ...roles])].join('|')})\\b`, 'g');
  const named = filesUnder('src/kernel').flatMap((file) =>
    [...codeOf(file).matchAll(domain)].map(([name]) => `${file}: ${name}`),
  );
  expect(named).toEqual([]);
});

test('the kernel patches no objects of libraries, and decorates only classes that are declared', () => {
  const patches = [
    // A method of an object or of a prototype that is replaced, or a resolver of a schema that is built.
    /\.(?:includes|filter|sort|find\w*|resolve|resolveType|subscribe) = /,
    /\.prototype\.\w+ = |Object\.assign\(Object\.getPrototypeOf|Object\.setPrototypeOf/,
    // The metadata of type-graphql, other than read.
    /getMetadataStorage\(\)\.\w+\.(?:sort|push|splice|unshift|reverse)\(/,
    // A class that code makes up.
    /class \{\s*\}|defineProperty\(class/,
  ];
  const files = filesUnder('src/kernel').filter((file) => patches.some((pattern) => pattern.test(codeOf(file))));
  expect(files).toEqual([]);
});

test("a module imports the kernel, the ports of messaging, and the records and input types of other modules, never another's resolvers or rules", () => {
  const files = filesUnder('src/modules').filter((file) => file !== 'src/modules/index.ts');
  const allowed = (imported: string, file: string) =>
    imported.startsWith('src/kernel/') ||
    imported === 'src/messaging/ports.ts' ||
    moduleOf(imported) === moduleOf(file) ||
    (moduleOf(imported) !== undefined && isRecord(imported));
  expect(strays(files, allowed)).toEqual([]);
});

test('compat imports only itself, the function that runs operations and the table of errors', () => {
  const allowed = (imported: string) =>
    imported.startsWith('compat/') || ['src/graphql/run.ts', 'src/kernel/declare/errors.ts'].includes(imported);
  expect(strays(filesUnder('compat'), allowed)).toEqual([]);
});

test('exports import only themselves, the functions that run operations, the caller and the declarations of the kernel', () => {
  const allowed = (imported: string) =>
    imported.startsWith('src/exports/') ||
    imported.startsWith('src/kernel/declare/') ||
    ['src/graphql/run.ts', 'src/graphql/http/client.ts'].includes(imported);
  expect(strays(filesUnder('src/exports'), allowed)).toEqual([]);
});

test('only the configuration reads the environment', () => {
  expect(source.filter((file) => file !== 'src/config/index.ts' && /process\.env/.test(textOf(file)))).toEqual([]);
});

test('no file is longer than 400 lines, and the median is below 100', () => {
  const lengths = [...source, ...filesUnder('test')]
    .map((file) => [textOf(file).split('\n').length, file] as const)
    .sort(([a], [b]) => a - b);
  expect(lengths.filter(([lines]) => lines > 400)).toEqual([]);
  expect(lengths[Math.floor(lengths.length / 2)]?.[0]).toBeLessThan(100);
});

test('no folder has more than 25 entries', () => {
  const entries = new Map<string, Set<string>>();
  for (const file of [...source, ...filesUnder('test')]) {
    const parts = file.split('/');
    for (const [index, name] of parts.entries()) {
      const folder = parts.slice(0, index).join('/');
      entries.set(folder, (entries.get(folder) ?? new Set()).add(name));
    }
  }
  expect([...entries].flatMap(([folder, names]) => (names.size > 25 ? [`${folder}: ${names.size}`] : []))).toEqual([]);
});

test('no file has a generic name such as utils, helpers or manager', () => {
  expect(
    [...source, ...filesUnder('test')].filter(
      (file) => /(utils?|helpers?|common|manager|service)\.ts$/.test(file) && !file.startsWith('test/support/'),
    ),
  ).toEqual([]);
});

test('legacy misspellings occur in compat only', () => {
  const misspelled = /Appoved|Santion|plater|Tehnical|Reciever|Challange|Hinderance|upcomming/;
  const places = [...filesUnder('src'), ...filesUnder('schema', '.graphql'), ...filesUnder('migrations')];
  expect(places.filter((file) => misspelled.test(textOf(file)))).toEqual([]);
});

test('nothing exits the process but main.ts', () => {
  expect(source.filter((file) => file !== 'src/main.ts' && /process\.exit\(/.test(textOf(file)))).toEqual([]);
});

test('the service runs on what a production install has', () => {
  const { dependencies } = JSON.parse(textOf('package.json'));
  // The SDK is a package of its own, made of what is needed for it.
  const development = ['src/commands/', 'src/modules/reference/generate/', 'src/sdk/'];
  const packagesOf = (file: string) =>
    [...textOf(file).matchAll(/(?:from |import\(|^import )'((?:@[^/']+\/)?[^./'][^/']*)[^']*'/gm)].map(([, name = '']) => name);
  const served = source.filter((file) => !development.some((folder) => file.startsWith(folder)));
  expect(served.length).toBeGreaterThan(300);
  expect(
    served.flatMap((file) =>
      packagesOf(file).flatMap((name) => (name.startsWith('node:') || name in dependencies ? [] : [`${file} → ${name}`])),
    ),
  ).toEqual([]);
});

test('nothing that is served imports a command', () => {
  const served = source.filter((file) => !file.startsWith('src/commands/'));
  expect(strays(served, (imported) => !imported.startsWith('src/commands/'))).toEqual([]);
});

/** The room of a file: a folder of `src` or `compat`, a module, a part of the kernel or of the engine, or the file itself at the top. */
const roomOf = (file: string): string => {
  const [top = '', room = '', part = '', ...rest] = file.split('/');
  if (top === 'compat') return room === 'engine' && rest.length ? `compat/engine/${part}` : `compat/${room}`;
  if (part === '') return file;
  return (room === 'modules' || room === 'kernel') && rest.length ? `src/${room}/${part}` : `src/${room}`;
};

/** Names that lead back to themselves, as the ways on which they do. */
function circles(leads: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const walk = (name: string, way: readonly string[]): void => {
    const before = way.indexOf(name);
    if (before >= 0) found.push([...way.slice(before), name].join(' → '));
    if (before >= 0 || done.has(name)) return;
    for (const next of leads.get(name) ?? []) walk(next, [...way, name]);
    done.add(name);
  };
  for (const name of leads.keys()) walk(name, []);
  return found;
}

test('no files and no rooms import in a circle, types included', () => {
  const files = new Map(source.map((file) => [file, new Set(importsOf(file))]));
  const rooms = Map.groupBy(source, roomOf);
  const leads = new Map(
    [...rooms].map(([room, inside]) => [
      room,
      new Set(
        inside
          .flatMap(importsOf)
          .map(roomOf)
          .filter((other) => other !== room),
      ),
    ]),
  );
  // Each module is a room of its own, and src/modules lists them; the top of a part of the kernel or the engine is what all of it shares.
  expect({ betweenFiles: circles(files), betweenRooms: circles(leads) }).toEqual({ betweenFiles: [], betweenRooms: [] });
});

test('the text of a statement stands in files named for it, and in the migrations', () => {
  const statement =
    /[`'"]\s*(?:select\s[^`'"]*?\sfrom\s|select pg_|insert into\s|update \w+ (?:as \w+ )?set\s|delete from\s|with (?:recursive )?\w+ as\s*\()/i;
  expect(filesUnder('src').filter((file) => statement.test(textOf(file)) && !file.endsWith('-sql.ts'))).toEqual([]);
});

test('rows of statements are not claimed: they are those of a record, of a typed statement, or checked against a shape', () => {
  const claimed = /\.(?:rows|row|query|executeQuery)<|\[key: string\]: unknown|Promise<Row(?:\[\])?[ >]/;
  const files = [
    ...filesUnder('src/modules'),
    ...filesUnder('src/graphql'),
    ...filesUnder('src/messaging'),
    ...filesUnder('compat'),
  ];
  expect(files.filter((file) => claimed.test(textOf(file)))).toEqual([]);
});

test('what is exported has a name of its own', () => {
  const exported = /^export (?:abstract |async |default )*(?:class|const|function\*?|interface|type) (\w+)/gm;
  const places = new Map<string, Set<string>>();
  // Each command exports `command`. `start` starts a single process or workers. Examples have names of their own, and the SDK is a separate package.
  for (const file of filesUnder('src').filter((file) => !/^src\/(?:graphql\/examples|sdk)\//.test(file)))
    for (const [, name = ''] of textOf(file).matchAll(exported))
      if (name !== 'start' && name !== 'command') places.set(name, (places.get(name) ?? new Set()).add(file));
  expect([...places].filter(([, files]) => files.size > 1).map(([name, files]) => `${name}: ${[...files].join(', ')}`)).toEqual(
    [],
  );
});

/** Files of the kernel with regular expressions, by what these are applied to. */
const matchedTexts: Record<string, string[]> = {
  'error codes and messages': ['database-errors.ts'],
  'host names': ['trusted-host.ts'],
  'names of constraints and fields': ['read/conditions/filterable.ts', 'write/save.ts'],
  'cursors and IDs': ['changes/cursor.ts', 'read/relations/id-array-join.ts', 'read/paging/position.ts'],
  'texts of callers and of rows': [
    'read/conditions/closeness.ts',
    'read/find-sql.ts',
    'read/conditions/operators.ts',
    'read/conditions/search-words.ts',
    'read/conditions/search.ts',
    'read/conditions/matching-names.ts',
    'write/slug-sql.ts',
  ],
};

test('no file of the kernel applies a regular expression to SQL', () => {
  const applied = /\.(?:test|exec)\(|RegExp\(|\.(?:match|matchAll|replace|replaceAll|split)\(\s*\//;
  // Declarations match names, and values of the types of the graph.
  const files = filesUnder('src/kernel').filter((file) => !file.startsWith('src/kernel/declare/') && applied.test(textOf(file)));
  const known = Object.values(matchedTexts).flat();
  expect(files.map((file) => file.slice('src/kernel/'.length)).sort()).toEqual(known.sort());
});

test('SQL text that is run in a session states what it reads and writes', () => {
  const withoutFacts = /\.rows?\(\s*[`'"]/;
  expect(filesUnder('src').filter((file) => withoutFacts.test(textOf(file)))).toEqual([]);
});
