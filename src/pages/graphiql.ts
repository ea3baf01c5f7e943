import { type RequestHandler, Router } from 'express';
import { Html, html } from '../messaging/html.js';
import { asset } from './assets.js';
import { exampleMenu } from './example-menu.js';
import { builtFiles, compressFiles, type FileName } from './graphiql-files.js';
import { serveGzipFiles } from './gzip-files.js';
import { barOf, headOf, type PageLink } from './layout.js';
import { inlineHashes, policyOf } from './page-headers.js';

/** Content of a tab of GraphiQL. */
export interface Tab {
  readonly query: string;
  readonly variables: string;
  readonly headers: string;
}

/** A tab with an ID. If it is already open, it is opened again instead of a second time. */
export interface NamedTab extends Tab {
  readonly id: string;
  readonly title: string;
}

/** HTML of the page, and the Content-Security-Policy that its scripts need. */
export interface ExplorerPage {
  readonly page: string;
  readonly policy: string;
}

/** URL path of the files of the page. */
const folder = '/graphql/assets';

/** Directory of the built files, next to the bundled service. */
const builtDirectory = `${import.meta.dirname}/../graphiql`;

/** Initial state of a GraphiQL page. */
export interface ExplorerOpening {
  /** The tab of the first visit. */
  readonly firstTab: NamedTab;
  /** Tabs to open in addition to those of earlier visits. */
  readonly otherTabs?: readonly NamedTab[];
  /** The answer to the operation of the open tab, shown before its first execution. */
  readonly answer?: string | null;
}

/** GraphiQL with all its files, so that it needs no other server. It is loaded on the first request. */
export function graphiql(
  title: string,
  links: readonly PageLink[],
): { page(opening: ExplorerOpening): ExplorerPage; readonly files: RequestHandler } {
  const parts = once(loadParts);
  const files = Router().get(`${folder}/:name`, (request, response, next) => parts().serve(request, response, next));
  return { page: (initialState) => explorer(title, initialState, links, parts()), files };
}

/** Creates a value on the first call, and returns the same value on later calls. */
function once<T>(create: () => T): () => T {
  let cachedValue: { readonly value: T } | undefined;
  return () => {
    cachedValue ??= { value: create() };
    return cachedValue.value;
  };
}

/** JSON escaped for a script element. */
const inScript = (value: unknown): Html => new Html(JSON.stringify(value).replaceAll('<', '\\u003c'));

/**
 * Initial content of the browser's storage, by GraphiQL's keys. The page stores it on the first visit. Without it, each reload would add the
 * default tab again, because GraphiQL does not recognize it among the tabs of an earlier visit.
 */
const initialStorage = ({ id, title, ...tab }: NamedTab): Readonly<Record<string, string>> => ({
  ...tab,
  tabState: JSON.stringify({ tabs: [storedTab({ id, title, ...tab })], activeTabIndex: 0 }),
});

const operationNameOf = ({ query }: Tab): string | null => /^(?:query|mutation|subscription) (\w+)/m.exec(query)?.[1] ?? null;

/** A tab in the format in which GraphiQL stores tabs. */
const storedTab = (tab: NamedTab) => ({ hash: null, operationName: operationNameOf(tab), response: null, ...tab });

/** Script that adds tabs to those of earlier visits, or replaces tabs with the same ID, and activates the first. It preserves headers that the user entered. */
const openTabs = new Html(`
    const state = JSON.parse(localStorage.getItem('graphiql:tabState'));
    for (const tab of opened) {
      const index = state.tabs.findIndex(({ id }) => id === tab.id);
      if (index < 0) state.tabs.push(tab);
      else state.tabs[index] = { ...tab, headers: state.tabs[index].headers || tab.headers };
    }
    state.activeTabIndex = state.tabs.findIndex(({ id }) => id === opened[0].id);
    for (const key of ['query', 'variables', 'headers']) localStorage.setItem('graphiql:' + key, state.tabs[state.activeTabIndex][key] ?? '');
    localStorage.setItem('graphiql:tabState', JSON.stringify(state));`);

interface Parts {
  pathOf(name: FileName): string;
  readonly serve: RequestHandler<{ name: string }>;
}

function loadParts(): Parts {
  const files = builtFiles(builtDirectory) ?? compressFiles();
  return { pathOf: (name) => `${folder}/${files[name].name}`, serve: serveGzipFiles(Object.values(files)) };
}

function explorer(
  title: string,
  { firstTab, otherTabs = [], answer = null }: ExplorerOpening,
  links: readonly PageLink[],
  { pathOf }: Parts,
): ExplorerPage {
  const { query, variables } = otherTabs[0] ?? firstTab;
  const workers = { editorWorkerService: pathOf('editor.js'), json: pathOf('json.js'), graphql: pathOf('graphql.js') };
  const options = {
    endpoint: '/graphql',
    title,
    defaultTabs: [{ query: firstTab.query, variables: firstTab.variables, headers: firstTab.headers }],
    ...(firstTab.headers ? { defaultHeaders: firstTab.headers } : {}),
    defaultEditorToolsVisibility: 'headers',
    schemaDescription: true,
  };
  const page = html`<!doctype html>
<html lang="en">
<head>
  ${headOf(`GraphiQL – ${title}`)}
  <link rel="stylesheet" href="${pathOf('graphiql.css')}">
  <link rel="stylesheet" href="${asset('explorer.css')}">
  <link rel="preload" as="script" href="${pathOf('graphiql.js')}">
</head>
<body id="body" class="no-focus-outline">
  ${barOf(links, 'graphiql', 'root', html`<h1 class="hidden">GraphiQL</h1>`)}
  ${exampleMenu()}
  <noscript>GraphiQL needs JavaScript. Enable it in your browser.</noscript>
  <main id="root" tabindex="-1"></main>
  <script type="application/json" id="answer">${inScript(answer === null ? null : { query, variables, answer })}</script>
  <script>
    const workers = ${inScript(workers)};
    self.MonacoEnvironment = { globalAPI: true, getWorkerUrl: (_, label) => workers[label] };
    if (!localStorage.getItem('graphiql:tabState'))
      for (const [key, value] of Object.entries(${inScript(initialStorage(firstTab))})) localStorage.setItem('graphiql:' + key, value);${
        otherTabs.length
          ? html`
    const opened = ${inScript(otherTabs.map(storedTab))};${openTabs}`
          : ''
      }
  </script>
  <script src="${pathOf('graphiql.js')}"></script>
  <script>YogaGraphiQL.renderYogaGraphiQL(document.querySelector('#root'), ${inScript(options)});</script>
  <script type="module" src="${asset('explorer.js')}"></script>
</body>
</html>`.markup;
  const policy = policyOf({
    'script-src': `'self' ${inlineHashes(page, 'script')}`,
    // The editor adds style elements while the user types. Their hashes are not known in advance.
    'style-src': "'self' 'unsafe-inline'",
    'worker-src': "'self'",
    'connect-src': "'self'",
    'img-src': "'self' data:",
    'font-src': "'self' data:",
  });
  return { page, policy };
}
