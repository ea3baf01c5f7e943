import { type RequestHandler, Router } from 'express';
import { type ExampleGroup, exampleGroups, exampleName } from '../graphql/examples/index.js';
import { Html, html } from '../messaging/html.js';
import { assetPath } from './assets.js';
import { compressFiles, type FileName, readBuiltFiles } from './graphiql-files.js';
import { serveGzipFiles } from './gzip-files.js';
import { headContent, navigationBar, type PageLink } from './layout.js';
import { examplePath } from './operation-paths.js';
import { policyOf, scriptHashes } from './page-headers.js';

/** Content of a tab of GraphiQL. */
export interface Tab {
  readonly query: string;
  readonly variables: string;
  readonly headers: string;
}

/** A tab with an ID. It replaces an open tab with the same ID. */
export interface NamedTab extends Tab {
  readonly id: string;
  readonly title: string;
}

/** HTML of the page, and its Content-Security-Policy. */
interface ExplorerPage {
  readonly page: string;
  readonly policy: string;
}

/** URL path of the files of the page. */
const folder = '/graphql/assets';

/** Directory of the built files, next to the bundled service. */
const builtDirectory = `${import.meta.dirname}/../graphiql`;

/** Initial state of a GraphiQL page. */
interface ExplorerState {
  /** Tab that first-time visitors see. */
  readonly firstTab: NamedTab;
  /** Tabs to open in addition to the tabs of earlier visits. */
  readonly otherTabs?: readonly NamedTab[];
  /** Response to the operation in the open tab. It is shown until the user runs the operation. */
  readonly response?: string | null;
}

/** Serves GraphiQL and all its files, without requests to other servers. The files are loaded on the first request. */
export function graphiql(links: readonly PageLink[]): {
  page(initialState: ExplorerState): ExplorerPage;
  readonly files: RequestHandler;
} {
  let parts: Parts | undefined;
  const getParts = () => {
    parts ??= loadParts();
    return parts;
  };
  const files = Router().get(`${folder}/:name`, (request, response, next) => getParts().serve(request, response, next));
  return { page: (initialState) => explorerPage(initialState, links, getParts()), files };
}

/** Prints JSON that is escaped for a script element. */
const inScript = (value: unknown): Html => new Html(JSON.stringify(value).replaceAll('<', '\\u003c'));

/**
 * Returns the initial content of the browser's local storage, keyed by GraphiQL key. The page stores it on the first visit. Without it,
 * each reload would add another copy of the default tab, because GraphiQL would not recognize the stored tab.
 */
const initialStorage = ({ id, title, ...tab }: NamedTab): Readonly<Record<string, string>> => ({
  ...tab,
  tabState: JSON.stringify({ tabs: [storedTab({ id, title, ...tab })], activeTabIndex: 0 }),
});

const operationNameOf = ({ query }: Tab): string | null => /^(?:query|mutation|subscription) (\w+)/m.exec(query)?.[1] ?? null;

/** Converts a tab to GraphiQL's storage format. */
const storedTab = (tab: NamedTab) => ({ hash: null, operationName: operationNameOf(tab), response: null, ...tab });

/**
 * Script that adds tabs to the tabs of earlier visits and activates the first of them. A tab with the same ID is replaced, but keeps the
 * headers that the user entered.
 */
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
  const files = readBuiltFiles(builtDirectory) ?? compressFiles();
  return { pathOf: (name) => `${folder}/${files[name].name}`, serve: serveGzipFiles(Object.values(files)) };
}

/** Returns the title of an example: the comment in its first line. */
const titleOf = (query: string): string => query.slice(2, query.indexOf('\n'));

const groupSection = ({ title, examples }: ExampleGroup): Html => html`<section>
<h2>${title}</h2>
<ul>${examples.map((example) => html`<li><a href="${examplePath(exampleName(example))}">${titleOf(example.query)}</a></li>`)}</ul>
</section>`;

/** Renders the menu of examples, in groups. Each link opens an example in a tab of GraphiQL. */
const exampleMenu = (): Html => html`<nav class="examples" aria-label="Examples">
<button type="button" popovertarget="examples">Examples</button>
<div id="examples" popover>${exampleGroups.map(groupSection)}</div>
</nav>`;

function explorerPage(
  { firstTab, otherTabs = [], response = null }: ExplorerState,
  links: readonly PageLink[],
  { pathOf }: Parts,
): ExplorerPage {
  const { query, variables } = otherTabs[0] ?? firstTab;
  const workers = { editorWorkerService: pathOf('editor.js'), json: pathOf('json.js'), graphql: pathOf('graphql.js') };
  const options = {
    endpoint: '/graphql',
    title: 'Courtside',
    defaultTabs: [{ query: firstTab.query, variables: firstTab.variables, headers: firstTab.headers }],
    ...(firstTab.headers ? { defaultHeaders: firstTab.headers } : {}),
    defaultEditorToolsVisibility: 'headers',
    schemaDescription: true,
  };
  const page = html`<!doctype html>
<html lang="en">
<head>
  ${headContent('GraphiQL – Courtside')}
  <link rel="stylesheet" href="${pathOf('graphiql.css')}">
  <link rel="stylesheet" href="${assetPath('explorer.css')}">
  <link rel="preload" as="script" href="${pathOf('graphiql.js')}">
</head>
<body id="body" class="no-focus-outline">
  ${navigationBar(links, 'graphiql', 'root', html`<h1 class="hidden">GraphiQL</h1>`)}
  ${exampleMenu()}
  <noscript>GraphiQL needs JavaScript. Enable it in your browser.</noscript>
  <main id="root" tabindex="-1"></main>
  <script type="application/json" id="example-response">${inScript(response === null ? null : { query, variables, response })}</script>
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
  <script type="module" src="${assetPath('explorer.js')}"></script>
</body>
</html>`.markup;
  const policy = policyOf({
    'script-src': `'self' ${scriptHashes(page)}`,
    // The editor adds style elements while the user types. Their hashes are not known in advance.
    'style-src': "'self' 'unsafe-inline'",
    'worker-src': "'self'",
    'connect-src': "'self'",
    'img-src': "'self' data:",
    'font-src': "'self' data:",
  });
  return { page, policy };
}
