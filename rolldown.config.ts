import { createRequire } from 'node:module';
import type { BuildOptions, Plugin } from 'rolldown';

const require = createRequire(import.meta.url);

/** One copy of graphql, whichever of its files a package names, so that none of its types has to be asked where it comes from. */
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

/** An `import` of Node's HTTP reads all that it exports, WebSocket among that, for which Node then loads its client for the web. */
const leanHttp: Plugin = {
  name: 'lean-http',
  resolveId: { filter: { id: /^(node:)?http$/ }, handler: () => '\0http' },
  load: { filter: { id: /^\0http$/ }, handler: () => "module.exports = process.getBuiltinModule('node:http');" },
};

/**
 * Nothing but ASCII: V8 keeps a source in one byte a character or, for a single character of another language, in two. The service holds
 * all of its sources as long as it runs.
 */
const ascii: Plugin = {
  name: 'ascii',
  generateBundle(_, bundle) {
    for (const part of Object.values(bundle)) {
      if (part.type !== 'chunk') continue;
      // There an escape would be a text of its own.
      if (/String\.raw`[^`]*[^\0-\x7f]|\\[^\0-\x7f]/.test(part.code))
        throw new Error(`${part.fileName} escapes what is not ASCII`);
      part.code = part.code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
    }
  },
};

/** Stays outside: binaries, and what is large and loaded for rare work only. */
const outside = [/^@node-rs\/argon2/, '@faker-js/faker', '@opentelemetry/sdk-node'];

/** The service is one bundle. Chunks are loaded on demand. Commands are not bundled with their packages. */
const bundles: BuildOptions[] = [
  {
    input: { 'src/main': 'src/main.ts' },
    platform: 'node',
    external: outside,
    plugins: [oneGraphQL, leanHttp, ascii],
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
    input: Object.fromEntries(
      ['commands/run', 'modules/reference/generate/index'].map((name) => [`src/${name}`, `src/${name}.ts`]),
    ),
    platform: 'node',
    // All packages but the compiler's own.
    external: /^(?!@oxc-project\/)[^./\0]/,
    output: { dir: 'dist', sourcemap: true, sourcemapExcludeSources: true, chunkFileNames: 'commands/[name]-[hash].js' },
  },
];

export default bundles;
