import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type BuildOptions, build, type Plugin } from 'rolldown';
import { cacheModule } from './src/commands/sdk/cache-shape.ts';
import { catalogModule } from './src/commands/sdk/catalog/catalog.ts';

const require = createRequire(import.meta.url);

/**
 * Resolves all imports of `graphql` to its ES modules. With a second copy, `instanceof` checks would fail. The copies would also check each
 * other's types at run time, so these checks are removed.
 */
const oneGraphQL: Plugin = {
  name: 'one-graphql',
  resolveId: {
    filter: { id: /^graphql(\/|$)/ },
    handler: (id) => require.resolve(id.replace(/\.m?js$/, '')).replace(/\.js$/, '.mjs'),
  },
  transform: {
    filter: { id: /\/graphql\/jsutils\/instanceOf\.mjs$/ },
    handler: (code) => ({ code: code.replace("process.env.NODE_ENV === 'production'", 'true'), map: null }),
  },
};

/** Resolves the exporter to CommonJS. Its ES modules load gRPC with a `require` that cannot be bundled. */
const bundledGrpc: Plugin = {
  name: 'bundled-grpc',
  resolveId: { filter: { id: /^@opentelemetry\/exporter-trace-otlp-grpc$/ }, handler: (id) => require.resolve(id) },
};

/**
 * Loads `node:http` without its lazy exports. An `import` statement reads all exports, including `WebSocket`, and Node.js would then load its
 * WebSocket client.
 */
const leanHttp: Plugin = {
  name: 'lean-http',
  resolveId: { filter: { id: /^(node:)?http$/ }, handler: () => '\0http' },
  load: { filter: { id: /^\0http$/ }, handler: () => "module.exports = process.getBuiltinModule('node:http');" },
};

/**
 * Escapes all non-ASCII characters. V8 stores a source with one byte per character, but with two bytes if a single character is outside of
 * Latin-1. The sources stay in memory as long as the service runs.
 */
const ascii: Plugin = {
  name: 'ascii',
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk') continue;
      // In a `String.raw` template or after a backslash, an escape sequence would change the meaning of the code.
      if (/String\.raw`[^`]*[^\0-\x7f]|\\[^\0-\x7f]/.test(file.code))
        throw new Error(`${file.fileName} has a non-ASCII character that cannot be escaped`);
      file.code = file.code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
    }
  },
};

/** Returns the directory of the package that contains a module. Null for modules of this project. */
const packageDirectory = (module: string): string | null =>
  /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(module.replaceAll('\\', '/'))?.[0] ?? null;

/** Returns the name and version of a package as its ID, a title that also names the license, and the license texts. */
function licenseOf(directory: string): { id: string; title: string; text: string } {
  const { name, version, license, author } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  const files = readdirSync(directory).filter((file) => /^(?:licen[cs]e|copying|notice)(?:[-.]|$)/i.test(file));
  const texts = files.sort().map((file) => readFileSync(join(directory, file), 'utf8').trim().replaceAll('\r\n', '\n'));
  return {
    id: `${name}@${version}`,
    title: `${name} ${version} (${license})`,
    text: texts.join('\n\n') || `The package contains no license text. Author: ${author?.name ?? author}.`,
  };
}

/** Packages in the bundles that were built, such as `graphql@16.15.0`. */
export const bundledPackages = new Set<string>();

const noticesFile = 'THIRD-PARTY-NOTICES.txt';
const separator = `\n${'-'.repeat(80)}\n\n`;

/**
 * Writes the licenses of the packages in a bundle to THIRD-PARTY-NOTICES.txt, and adds the packages to `bundledPackages`. Packages with the same text share it. `copiedPackages` are
 * distributed with the bundle, but not part of it. `copiedNotices` is a file with the licenses of packages that they contain.
 */
const notices = (copiedPackages: readonly string[] = [], copiedNotices?: string): Plugin => ({
  name: 'notices',
  generateBundle(_, bundle) {
    const modules = Object.values(bundle).flatMap((file) =>
      file.type === 'chunk'
        ? Object.entries(file.modules).flatMap(([module, { renderedLength }]) => (renderedLength > 0 ? [module] : []))
        : [],
    );
    const directories = new Set([...modules.map(packageDirectory).filter((directory) => directory !== null), ...copiedPackages]);
    const licenses = [...directories].map(licenseOf).sort((a, b) => (a.title < b.title ? -1 : 1));
    for (const { id } of licenses) bundledPackages.add(id);
    const byText = Map.groupBy(licenses, ({ text }) => text);
    const sections = [...byText].map(([text, packages]) => {
      const titles = new Set(packages.map(({ title }) => title));
      return `${[...titles].join('\n')}\n\n${text}\n`;
    });
    if (copiedNotices) sections.push(readFileSync(copiedNotices, 'utf8'));
    this.emitFile({
      type: 'asset',
      fileName: noticesFile,
      source: `Courtside contains code of the following packages.\n\n${sections.join(separator)}`,
    });
  },
});

/** Packages with native code, which cannot be bundled. The image needs no other packages. */
const external = [/^@node-rs\/argon2/];

/**
 * Two bundles. The first contains the service and the executable `courtside`, with all of their packages, in chunks that are loaded on demand.
 * The second contains the commands for contributors, which import their packages from `node_modules`.
 */
const bundles: BuildOptions[] = [
  {
    input: { 'src/main': 'src/main.ts', 'src/commands/run': 'src/commands/run.ts' },
    platform: 'node',
    external,
    plugins: [
      oneGraphQL,
      bundledGrpc,
      leanHttp,
      ascii,
      // `build.ts` copies this package to `dist/graphiql`.
      notices(['node_modules/@graphql-yoga/render-graphiql'], 'src/pages/graphiql-notices.txt'),
    ],
    output: {
      dir: 'dist',
      strictExecutionOrder: true,
      sourcemap: true,
      sourcemapExcludeSources: true,
      comments: { legal: true, annotation: false, jsdoc: false },
      chunkFileNames: 'parts/[name]-[hash].js',
    },
  },
  {
    input: {
      'development/run': 'src/commands/development.ts',
    },
    platform: 'node',
    // All packages, except a virtual package of the compiler. JSON files are bundled, because the bundler omits `with { type: 'json' }` from
    // imports.
    external: /^(?!@oxc-project\/)[^./\0](?!.*\.json$)/,
    output: {
      dir: 'dist',
      sourcemap: true,
      sourcemapExcludeSources: true,
      chunkFileNames: 'development/[name]-[hash].js',
    },
  },
];

/** Resolves imports of the SDK to its sources, because the SDK is built after the service. */
const sdkSources: Plugin = {
  name: 'sdk-sources',
  resolveId: {
    filter: { id: /^courtside-sdk(?:$|\/)|^\.\/cache-options\.js$/ },
    handler: (id) =>
      id === 'courtside-sdk/caches' ? '\0caches' : resolve(id === 'courtside-sdk' ? 'src/sdk/index.ts' : 'src/sdk/caches.ts'),
  },
  load: { filter: { id: /^\0caches$/ }, handler: () => cacheModule(readFileSync('schema/schema.graphql', 'utf8')) },
};

/** Generates the catalog of records from the schema. */
const recordCatalog: Plugin = {
  name: 'record-catalog',
  resolveId: { filter: { id: /^courtside-console\/catalog$/ }, handler: () => '\0catalog' },
  load: { filter: { id: /^\0catalog$/ }, handler: () => catalogModule(readFileSync('schema/schema.graphql', 'utf8')) },
};

/** Replaces the SDK with one that records the parsed documents. They are exported as `courtside-console/documents`. */
const recordingSdk: Plugin = {
  name: 'recording-sdk',
  resolveId: { filter: { id: /^courtside-(?:sdk|console\/documents)$/ }, handler: () => '\0recording-sdk' },
  load: {
    filter: { id: /^\0recording-sdk$/ },
    handler: () => {
      const sdk = JSON.stringify(resolve('src/sdk/index.ts'));
      const printer = JSON.stringify(resolve('src/sdk/document.ts'));
      return `import { graphql as parse } from ${sdk};
import { printedDocument } from ${printer};
export * from ${sdk};
export const textOf = (document) => printedDocument(document).query;
export const documents = [];
export const graphql = (...args) => {
  const document = parse(...args);
  documents.push(document);
  return document;
};`;
    },
  },
};

/**
 * Writes the manifest of the documents that the console can send, keyed by SHA-256 hash. The service trusts them in addition to those in
 * `TRUSTED_DOCUMENTS`. To collect the documents, the modules of the console are loaded here.
 */
const documentManifest: Plugin = {
  name: 'document-manifest',
  async generateBundle() {
    const { output } = await build({
      input: 'src/console/manifest.ts',
      platform: 'node',
      checks: { bundlerTimings: false },
      tsconfig: 'src/console/tsconfig.json',
      plugins: [recordingSdk, sdkSources, recordCatalog],
      output: { codeSplitting: false },
      write: false,
    });
    const { operationTexts } = await import(`data:text/javascript,${encodeURIComponent(output[0].code)}`);
    const texts: string[] = await operationTexts();
    const manifest = Object.fromEntries(texts.map((text) => [createHash('sha256').update(text).digest('hex'), text]));
    this.emitFile({ type: 'asset', fileName: 'documents.json', source: JSON.stringify(manifest) });
  },
};

/** Compresses the files, except the notices. The service decompresses a file only for clients that do not accept gzip. */
const gzipFiles: Plugin = {
  name: 'gzip-files',
  generateBundle(_, bundle) {
    for (const [fileName, file] of Object.entries(bundle)) {
      if (fileName === noticesFile) continue;
      delete bundle[fileName];
      this.emitFile({ type: 'asset', fileName, source: gzipSync(file.type === 'chunk' ? file.code : file.source) });
    }
  },
};

/** The console: files for browsers, with a hash of the content in their names. The code of each task is loaded on demand. */
export const consoleBundle: BuildOptions = {
  input: { console: 'src/console/main.tsx' },
  platform: 'browser',
  checks: { bundlerTimings: false },
  tsconfig: 'src/console/tsconfig.json',
  plugins: [sdkSources, recordCatalog, notices(), documentManifest, gzipFiles],
  transform: { define: { 'process.env.NODE_ENV': "'production'" } },
  output: {
    dir: 'dist/console',
    cleanDir: true,
    minify: true,
    entryFileNames: '[name]-[hash].js',
    chunkFileNames: '[name]-[hash].js',
  },
};

export default bundles;
