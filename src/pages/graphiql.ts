import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { type RequestHandler, Router } from 'express';
import { Html, html } from '../messaging/html.js';
import { inlineIn, policyOf } from './page-headers.js';

/** A tab that GraphiQL opens with. */
export interface Tab {
  readonly query: string;
  readonly variables: string;
  readonly headers: string;
}

/** The parts of GraphiQL as Yoga packages them, each a text. */
type Parts = Readonly<Record<'css' | 'js' | 'favicon' | 'editorWorkerService' | 'jsonWorker' | 'graphqlWorker', string>>;

/** Yoga's own page holds all of them, nine megabytes that a browser reads anew each time. Node forgets the module again, which is all text. */
function partsOfGraphiQL(): Parts {
  const require = createRequire(import.meta.url);
  const path = join(dirname(require.resolve('@graphql-yoga/render-graphiql')), 'graphiql.js');
  const parts = require(path);
  delete require.cache[path];
  return parts;
}

/** Where the parts are served, beside the endpoint. */
const folder = '/graphql/assets';

/** GraphiQL on this machine: its page, and the files that it loads. Nine megabytes, so nothing of it is there before a browser asks. */
export function graphiql(
  title: string,
  tabs: readonly Tab[],
): { page(): string; policy(): string; readonly files: RequestHandler } {
  let made: ReturnType<typeof explorer> | undefined;
  const open = () => {
    made ??= explorer(title, tabs);
    return made;
  };
  const files = Router().get(`${folder}/:name`, (request, response, next) => open().files.serve(request, response, next));
  return { page: () => open().page, policy: () => open().policy, files };
}

const [pack, unpack] = [promisify(gzip), promisify(gunzip)];

/** Texts as files whose names say their content, so that browsers may keep them for ever. They are kept packed, as nearly all browsers take them. */
class Files {
  readonly #files = new Map<string, { readonly type: string; readonly packed: Promise<Buffer> }>();

  /** Adds one and tells its path. */
  add(name: string, type: string, text: string): string {
    const path = `${folder}/${createHash('sha256').update(text).digest('hex').slice(0, 16)}.${name}`;
    this.#files.set(path, { type, packed: pack(text) });
    return path;
  }

  readonly serve: RequestHandler = async (request, response, next) => {
    const file = this.#files.get(request.path);
    if (!file) return next();
    const packed = await file.packed;
    response.set('Cache-Control', 'public, max-age=31536000, immutable').type(file.type).vary('Accept-Encoding');
    if (request.acceptsEncodings('gzip')) response.set('Content-Encoding', 'gzip').send(packed);
    else response.send(await unpack(packed));
  };
}

/** JSON that may stand in a script of a page. */
const inScript = (value: unknown): Html => new Html(JSON.stringify(value).replaceAll('<', '\\u003c'));

/**
 * What the browser's storage holds after a visit that changed nothing, by the keys of GraphiQL: a first visit finds it there. Tabs that come
 * from its options are not told from those of an earlier visit, so that each reload would add one.
 */
function firstVisit(tabs: readonly Tab[]): Readonly<Record<string, string>> {
  const stored = tabs.map((tab, index) => {
    const [, name = null] = /(?:query|mutation|subscription) (\w+)/.exec(tab.query) ?? [];
    return { id: `example-${index}`, hash: null, title: name ?? 'Untitled', operationName: name, response: null, ...tab };
  });
  return { ...tabs[0], tabState: JSON.stringify({ tabs: stored, activeTabIndex: 0 }) };
}

/**
 * GraphiQL moves its tabs once, when the pane beside them hides, and holds them there by a rule that ends when one of them is pressed: it
 * jumps away from under the pointer, and the click is lost. They hold still here.
 */
const stillTabs = new Html('<style>.graphiql-container .graphiql-tabs .graphiql-tab { transform: none !important }</style>');

function explorer(
  title: string,
  tabs: readonly Tab[],
): { readonly page: string; readonly policy: string; readonly files: Files } {
  const parts = partsOfGraphiQL();
  const files = new Files();
  const workers = {
    editorWorkerService: files.add('editor.js', 'js', parts.editorWorkerService),
    json: files.add('json.js', 'js', parts.jsonWorker),
    graphql: files.add('graphql.js', 'js', parts.graphqlWorker),
  };
  const style = files.add('graphiql.css', 'css', parts.css);
  const script = files.add('graphiql.js', 'js', parts.js);
  const options = {
    endpoint: '/graphql',
    title,
    defaultTabs: tabs,
    ...(tabs[0]?.headers ? { defaultHeaders: tabs[0].headers } : {}),
    defaultEditorToolsVisibility: 'headers',
    schemaDescription: true,
  };
  const page = html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width">
  <title>${title}</title>
  <link rel="icon" href="data:,">
  <link rel="stylesheet" href="${style}">
  ${stillTabs}
  <link rel="preload" as="script" href="${script}">
</head>
<body id="body" class="no-focus-outline">
  <noscript>You need to enable JavaScript to run this app.</noscript>
  <div id="root"></div>
  <script>
    const workers = ${inScript(workers)};
    self.MonacoEnvironment = { globalAPI: false, getWorkerUrl: (_, label) => workers[label] };
    if (!localStorage.getItem('graphiql:tabState'))
      for (const [key, value] of Object.entries(${inScript(firstVisit(tabs))})) localStorage.setItem('graphiql:' + key, value);
  </script>
  <script src="${script}"></script>
  <script>YogaGraphiQL.renderYogaGraphiQL(document.querySelector('#root'), ${inScript(options)});</script>
</body>
</html>`.markup;
  const policy = policyOf({
    'script-src': `'self' ${inlineIn(page, 'script')}`,
    // Its editor writes styles while one types, which have no hashes.
    'style-src': "'self' 'unsafe-inline'",
    'worker-src': "'self'",
    'connect-src': "'self'",
    'img-src': "'self' data:",
    'font-src': "'self' data:",
  });
  return { page, policy, files };
}
