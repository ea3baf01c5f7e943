import { extname } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type RequestHandler, Router } from 'express';
import { Html, html } from '../messaging/html.js';
import { builtFiles, type FileName, type PackedFile, packFiles } from './graphiql-files.js';
import { inlineIn, policyOf } from './page-headers.js';

/** A tab that GraphiQL opens with. */
export interface Tab {
  readonly query: string;
  readonly variables: string;
  readonly headers: string;
}

/** A tab that the page is asked to open, which has a name of its own, so that it is opened again and not beside itself. */
export interface NamedTab extends Tab {
  readonly id: string;
  readonly title: string;
}

/** The page as it leaves, with the policy that its scripts need. */
export interface ExplorerPage {
  readonly page: string;
  readonly policy: string;
}

/** Where the parts are served, beside the endpoint. */
const folder = '/graphql/assets';

/** Where the build has put them: beside the parts that the service is bundled in. */
const built = `${import.meta.dirname}/../graphiql`;

/** GraphiQL on this machine: its page, the same with further tabs that it opens, and the files that it loads. Nothing of it is there before a browser asks. */
export function graphiql(
  title: string,
  tabs: readonly Tab[],
): { usual(): ExplorerPage; opening(further: readonly NamedTab[]): ExplorerPage; readonly files: RequestHandler } {
  const parts = once(partsOfPage);
  const usual = once(() => explorer(title, tabs, [], parts()));
  const files = Router().get(`${folder}/:name`, (request, response, next) => parts().serve(request, response, next));
  return { usual, opening: (further) => explorer(title, tabs, further, parts()), files };
}

/** What is made when it is first asked for. */
function once<T>(make: () => T): () => T {
  let made: { readonly it: T } | undefined;
  return () => {
    made ??= { it: make() };
    return made.it;
  };
}

const unpack = promisify(gunzip);

/** Serves files that browsers may keep for ever. */
function serving(files: readonly PackedFile[]): RequestHandler<{ name: string }> {
  const byName = new Map(files.map((file) => [file.name, file]));
  return async (request, response, next) => {
    const file = byName.get(request.params.name);
    if (!file) return next();
    const packed = await file.bytes();
    response.set('Cache-Control', 'public, max-age=31536000, immutable').type(extname(file.name)).vary('Accept-Encoding');
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
    return asStored({ id: `example-${index}`, title: nameIn(tab) ?? 'Untitled', ...tab });
  });
  return { ...tabs[0], tabState: JSON.stringify({ tabs: stored, activeTabIndex: 0 }) };
}

const nameIn = ({ query }: Tab): string | null => /^(?:query|mutation|subscription) (\w+)/m.exec(query)?.[1] ?? null;

/** A tab as GraphiQL keeps it. */
const asStored = (tab: NamedTab) => ({ hash: null, operationName: nameIn(tab), response: null, ...tab });

/** Puts tabs among those of earlier visits, or anew into those of the same name, and has the first of them open; headers that somebody typed there stay. */
const openTabs = new Html(`
    const state = JSON.parse(localStorage.getItem('graphiql:tabState'));
    for (const tab of opened) {
      const at = state.tabs.findIndex(({ id }) => id === tab.id);
      if (at < 0) state.tabs.push(tab);
      else state.tabs[at] = { ...tab, headers: state.tabs[at].headers || tab.headers };
    }
    state.activeTabIndex = state.tabs.findIndex(({ id }) => id === opened[0].id);
    for (const key of ['query', 'variables', 'headers']) localStorage.setItem('graphiql:' + key, state.tabs[state.activeTabIndex][key] ?? '');
    localStorage.setItem('graphiql:tabState', JSON.stringify(state));`);

/**
 * GraphiQL moves its tabs once, when the pane beside them hides, and holds them there by a rule that ends when one of them is pressed: it
 * jumps away from under the pointer, and the click is lost. They hold still here.
 */
const stillTabs = new Html('<style>.graphiql-container .graphiql-tabs .graphiql-tab { transform: none !important }</style>');

interface Parts {
  at(name: FileName): string;
  readonly serve: RequestHandler<{ name: string }>;
}

function partsOfPage(): Parts {
  const files = builtFiles(built) ?? packFiles();
  return { at: (name) => `${folder}/${files[name].name}`, serve: serving(Object.values(files)) };
}

function explorer(title: string, tabs: readonly Tab[], further: readonly NamedTab[], { at }: Parts): ExplorerPage {
  const workers = { editorWorkerService: at('editor.js'), json: at('json.js'), graphql: at('graphql.js') };
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
  <link rel="stylesheet" href="${at('graphiql.css')}">
  ${stillTabs}
  <link rel="preload" as="script" href="${at('graphiql.js')}">
</head>
<body id="body" class="no-focus-outline">
  <noscript>You need to enable JavaScript to run this app.</noscript>
  <div id="root"></div>
  <script>
    const workers = ${inScript(workers)};
    self.MonacoEnvironment = { globalAPI: false, getWorkerUrl: (_, label) => workers[label] };
    if (!localStorage.getItem('graphiql:tabState'))
      for (const [key, value] of Object.entries(${inScript(firstVisit(tabs))})) localStorage.setItem('graphiql:' + key, value);${
        further.length
          ? html`
    const opened = ${inScript(further.map(asStored))};${openTabs}`
          : ''
      }
  </script>
  <script src="${at('graphiql.js')}"></script>
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
  return { page, policy };
}
