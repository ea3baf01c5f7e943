import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

const root = process.cwd();
const filesUnder = (folder: string, ...endings: string[]) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() &&
        (endings.length > 0 ? endings : ['.ts', '.tsx']).some((ending) => entry.name.endsWith(ending)) &&
        !entry.parentPath.includes('node_modules'),
    )
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');

/** Returns the project files that a file imports, as paths relative to the root. */
const importsOf = (file: string) =>
  [...textOf(file).matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, path = '']) =>
    normalize(join(dirname(file), path)).replace(/\.js$/, '.ts'),
  );

/** Returns the forbidden imports of `files`, as `file → import`. */
const forbiddenImports = (files: string[], allowed: (imported: string, file: string) => boolean) =>
  files.flatMap((file) => importsOf(file).flatMap((imported) => (allowed(imported, file) ? [] : [`${file} → ${imported}`])));

const source = [...filesUnder('src'), ...filesUnder('compat')];
const moduleOf = (file: string) => /^src\/modules\/([^/]+)\//.exec(file)?.[1];
const isRecord = (file: string) =>
  /@(record|value|InputType)\(/.test(textOf(file)) ||
  /registerEnumType|createUnionType|= (?:choices|enumeration)\(/.test(textOf(file));

test('the kernel imports only files of the kernel and packages', () => {
  expect(forbiddenImports(filesUnder('src/kernel'), (imported) => imported.startsWith('src/kernel/'))).toEqual([]);
});

/** Returns the code of a file, without comments and without strings that contain several words. */
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
    actions: ['administer', 'approve', 'register', 'withdraw'],
    hasRoles: true,
  });
  const domain = new RegExp(`\\b(?:${[...new Set([...records, ...actions, ...roles])].join('|')})\\b`, 'g');
  const named = filesUnder('src/kernel').flatMap((file) =>
    [...codeOf(file).matchAll(domain)].map(([name]) => `${file}: ${name}`),
  );
  expect(named).toEqual([]);
});

test('the kernel patches no library objects and decorates only declared classes', () => {
  const patches = [
    // Assignments that replace a method of an object or prototype, or a resolver of a built schema.
    /\.(?:includes|filter|sort|find\w*|resolve|resolveType|subscribe) = /,
    /\.prototype\.\w+ = |Object\.assign\(Object\.getPrototypeOf|Object\.setPrototypeOf/,
    // Calls that change the metadata of type-graphql.
    /getMetadataStorage\(\)\.\w+\.(?:sort|push|splice|unshift|reverse)\(/,
    // Code that creates a class at run time.
    /class \{\s*\}|defineProperty\(class/,
  ];
  const files = filesUnder('src/kernel').filter((file) => patches.some((pattern) => pattern.test(codeOf(file))));
  expect(files).toEqual([]);
});

test('a module imports the kernel, the ports of messaging, and records and input types of other modules, but not their resolvers or rules', () => {
  const files = filesUnder('src/modules').filter((file) => file !== 'src/modules/index.ts');
  const allowed = (imported: string, file: string) =>
    imported.startsWith('src/kernel/') ||
    imported === 'src/messaging/ports.ts' ||
    moduleOf(imported) === moduleOf(file) ||
    (moduleOf(imported) !== undefined && isRecord(imported));
  expect(forbiddenImports(files, allowed)).toEqual([]);
});

test('compat imports only itself, the function that runs operations and the table of errors', () => {
  const allowed = (imported: string) =>
    imported.startsWith('compat/') || ['src/graphql/run.ts', 'src/kernel/declare/errors.ts'].includes(imported);
  expect(forbiddenImports(filesUnder('compat'), allowed)).toEqual([]);
});

test('src/exports imports only itself, the functions that run operations, the caller and the declarations of the kernel', () => {
  const allowed = (imported: string) =>
    imported.startsWith('src/exports/') ||
    imported.startsWith('src/kernel/declare/') ||
    ['src/graphql/run.ts', 'src/graphql/http/client.ts'].includes(imported);
  expect(forbiddenImports(filesUnder('src/exports'), allowed)).toEqual([]);
});

test('the console imports only itself and packages, and nothing else imports it', () => {
  const isConsole = (file: string) => file.startsWith('src/console/');
  const packages = new Set(
    filesUnder('src/console').flatMap((file) => [...textOf(file).matchAll(/from '([^.'][^']*)'/g)].map(([, name = '']) => name)),
  );
  expect({
    outside: forbiddenImports(filesUnder('src/console'), isConsole),
    inside: forbiddenImports(
      source.filter((file) => !isConsole(file)),
      (imported) => !isConsole(imported),
    ),
    packages: [...packages].sort(),
  }).toEqual({
    outside: [],
    inside: [],
    packages: [
      '@urql/core',
      '@urql/exchange-graphcache',
      // Module with facts about the schema, generated by the build.
      'courtside-console/catalog',
      // Module with the documents of the console, generated by the build.
      'courtside-console/documents',
      'courtside-sdk',
      'courtside-sdk/caches',
      'preact',
      'preact/hooks',
      'wonka',
    ],
  });
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

test('legacy misspellings occur only in compat', () => {
  const misspelled = /Appoved|Santion|plater|Tehnical|Reciever|Challange|Hinderance|upcomming/;
  const files = [...filesUnder('src'), ...filesUnder('schema', '.graphql'), ...filesUnder('migrations')];
  expect(files.filter((file) => misspelled.test(textOf(file)))).toEqual([]);
});

test('log lines about failed work contain the cause and code of the error', () => {
  const withoutCode = source.filter((file) => /log\.(?:warn|error)\(\{[^}]*(?:error\.message|\{ message \})/.test(textOf(file)));
  expect(withoutCode).toEqual([]);
});

test('only main.ts exits the process', () => {
  expect(source.filter((file) => file !== 'src/main.ts' && /process\.exit\(/.test(textOf(file)))).toEqual([]);
});

test('only commands import commands', () => {
  const served = source.filter((file) => !file.startsWith('src/commands/'));
  expect(forbiddenImports(served, (imported) => !imported.startsWith('src/commands/'))).toEqual([]);
});

/**
 * Returns the component that a file belongs to: a folder of `src` or `compat`, a module, or a subfolder of the kernel or engine. A
 * top-level file is its own component.
 */
const componentOf = (file: string): string => {
  const [top = '', folder = '', subfolder = '', ...rest] = file.split('/');
  if (top === 'compat') return folder === 'engine' && rest.length ? `compat/engine/${subfolder}` : `compat/${folder}`;
  if (subfolder === '') return file;
  return (folder === 'modules' || folder === 'kernel') && rest.length ? `src/${folder}/${subfolder}` : `src/${folder}`;
};

/** Returns the cycles of a dependency graph, as `a → b → a`. */
function cyclesOf(dependencies: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const visited = new Set<string>();
  const cycles: string[] = [];
  const visit = (name: string, path: readonly string[]): void => {
    const start = path.indexOf(name);
    if (start >= 0) cycles.push([...path.slice(start), name].join(' → '));
    if (start >= 0 || visited.has(name)) return;
    for (const dependency of dependencies.get(name) ?? []) visit(dependency, [...path, name]);
    visited.add(name);
  };
  for (const name of dependencies.keys()) visit(name, []);
  return cycles;
}

test('files and components have no import cycles, including imports of types', () => {
  const files = new Map(source.map((file) => [file, new Set(importsOf(file))]));
  const filesByComponent = Map.groupBy(source, componentOf);
  const components = new Map(
    [...filesByComponent].map(([component, ownFiles]) => [
      component,
      new Set(
        ownFiles
          .flatMap(importsOf)
          .map(componentOf)
          .filter((other) => other !== component),
      ),
    ]),
  );
  expect({ files: cyclesOf(files), components: cyclesOf(components) }).toEqual({ files: [], components: [] });
});

test('SQL text is only in migrations and in files whose names end with -sql.ts', () => {
  const statement =
    /[`'"]\s*(?:select\s[^`'"]*?\sfrom\s|select pg_|insert into\s|update \w+ (?:as \w+ )?set\s|delete from\s|with (?:recursive )?\w+ as\s*\()/i;
  expect(filesUnder('src').filter((file) => statement.test(textOf(file)) && !file.endsWith('-sql.ts'))).toEqual([]);
});

test('row types come from a record, a typed statement or a checked shape, and are not asserted', () => {
  const typeAssertion = /\.(?:rows|row|query|executeQuery)<|\[key: string\]: unknown|Promise<Row(?:\[\])?[ >]/;
  const files = [
    ...filesUnder('src/modules'),
    ...filesUnder('src/graphql'),
    ...filesUnder('src/messaging'),
    ...filesUnder('compat'),
  ];
  expect(files.filter((file) => typeAssertion.test(textOf(file)))).toEqual([]);
});

test('exported names are unique', () => {
  const exported = /^export (?:abstract |async |default )*(?:class|const|function\*?|interface|type) (\w+)/gm;
  const filesByName = new Map<string, Set<string>>();
  // Exceptions: each command exports `command`, and `start` starts either a single process or workers. The examples, the SDK, which is a
  // separate package, and the console, which runs in browsers, are not checked.
  for (const file of filesUnder('src').filter((file) => !/^src\/(?:graphql\/examples|sdk|console)\//.test(file)))
    for (const [, name = ''] of textOf(file).matchAll(exported))
      if (name !== 'start' && name !== 'command') filesByName.set(name, (filesByName.get(name) ?? new Set()).add(file));
  expect(
    [...filesByName].filter(([, files]) => files.size > 1).map(([name, files]) => `${name}: ${[...files].join(', ')}`),
  ).toEqual([]);
});

/** Kernel files that use regular expressions or split strings, grouped by what the strings contain. */
const filesByMatchedStrings: Record<string, string[]> = {
  'error codes and messages': ['database-errors.ts'],
  'host names': ['network.ts'],
  'names of constraints and fields': [
    'read/conditions/filterable.ts',
    'read/conditions/filter-relations.ts',
    'write/entities.ts',
    'write/save.ts',
  ],
  'topics, cursors and IDs': ['changes/change.ts', 'changes/log-sql.ts', 'read/relations/join.ts', 'read/paging/cursor.ts'],
  'search words, filter values and titles': [
    'read/conditions/closeness.ts',
    'read/find-sql.ts',
    'read/conditions/search-words.ts',
    'read/conditions/search.ts',
    'read/conditions/matching-names.ts',
    'read/conditions/name-conditions.ts',
    'write/slug-sql.ts',
  ],
  'URLs of databases': ['primary-host.ts'],
};

test('no kernel file applies a regular expression to SQL text or splits it', () => {
  const applied = /\.(?:test|exec|split)\(|RegExp\(|\.(?:match|matchAll|replace|replaceAll)\(\s*\//;
  // Files in `declare` are excluded: they match names and values of scalar types, not SQL.
  const files = filesUnder('src/kernel').filter((file) => !file.startsWith('src/kernel/declare/') && applied.test(textOf(file)));
  const allowedFiles = Object.values(filesByMatchedStrings).flat();
  expect(files.map((file) => file.slice('src/kernel/'.length)).sort()).toEqual(allowedFiles.sort());
});

test('SQL text in a session declares the tables that it reads and writes', () => {
  const withoutFacts = /\.rows?\(\s*[`'"]/;
  expect(filesUnder('src').filter((file) => withoutFacts.test(textOf(file)))).toEqual([]);
});
