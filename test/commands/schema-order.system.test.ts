import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** Directory of the bundle. It is inside `node_modules`, so that Node.js resolves packages. */
let folder: string;
beforeAll(() => {
  folder = mkdtempSync('node_modules/.schema-order-');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the schema that a process prints after it has imported the files in the given order. */
async function schemaAfterImports(files: readonly string[]): Promise<string> {
  const entry = join(folder, 'entry.ts');
  const imports = ['reflect-metadata', ...files.map((file) => resolve(file))].map((path) => `import '${path}';`);
  const print = `import { parse, printSchema } from 'graphql';
    import { sdlText } from '${resolve('src/graphql/federation/slice.ts')}';
    import { graphOfModules } from '${resolve('src/graphql/graph.ts')}';
    process.stdout.write(sdlText(parse(printSchema(graphOfModules()), { noLocation: true })));`;
  writeFileSync(entry, [...imports, print].join('\n'));
  const bundle = await rolldown({
    input: entry,
    platform: 'node',
    external: /^(?!@oxc-project\/)[^./\0]/,
    treeshake: false,
    logLevel: 'silent',
  });
  await bundle.write({ dir: folder, entryFileNames: 'entry.js', strictExecutionOrder: true });
  await bundle.close();
  return execFileSync(process.execPath, [join(folder, 'entry.js')], { encoding: 'utf8', maxBuffer: 10_000_000 });
}

test('the order of types and fields does not depend on the order of imports', async () => {
  const files = globSync('src/modules/*/**/*.ts').filter((file) => !file.includes('/generate/'));
  const reversed = await schemaAfterImports(files.toSorted().reverse());
  expect(reversed === (await schemaAfterImports([]))).toBe(true);
}, 120_000);
