import { type RequestHandler, Router } from 'express';
import { Html, html } from '../messaging/html.js';
import { asset } from './assets.js';
import { exampleMenu } from './example-menu.js';
import { builtFiles, type FileName, packFiles } from './graphiql-files.js';
import { barOf, headOf, type PageLink } from './layout.js';
import { serving } from './packed.js';
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

/** Initial state of a GraphiQL page. */
export interface ExplorerOpening {
  /** The tab of the first visit. */
  readonly first: NamedTab;
  /** Tabs to open in addition to those of earlier visits. */
  readonly further?: readonly NamedTab[];
  /** The answer to the operation of the open tab, shown before its first execution. */
  readonly answer?: string | null;
}

/** GraphiQL with all its files, so that it needs no other server. Nothing is loaded before the first request. */
export function graphiql(
  title: string,
  places: readonly PageLink[],
): { page(opening: ExplorerOpening): ExplorerPage; readonly files: RequestHandler } {
  const parts = once(partsOfPage);
  const files = Router().get(`${folder}/:name`, (request, response, next) => parts().serve(request, response, next));
  return { page: (opening) => explorer(title, opening, places, parts()), files };
}

/** What is made when it is first asked for. */
function once<T>(make: () => T): () => T {
  let made: { readonly it: T } | undefined;
  return () => {
    made ??= { it: make() };
    return made.it;
  };
}

/** JSON that may stand in a script of a page. */
const inScript = (value: unknown): Html => new Html(JSON.stringify(value).replaceAll('<', '\\u003c'));

/**
 * What the browser's storage holds after a visit that changed nothing, by the keys of GraphiQL: a first visit finds it there. Tabs that come
 * from its options are not told from those of an earlier visit, so that each reload would add one.
 */
const firstVisit = ({ id, title, ...tab }: NamedTab): Readonly<Record<string, string>> => ({
  ...tab,
  tabState: JSON.stringify({ tabs: [asStored({ id, title, ...tab })], activeTabIndex: 0 }),
});

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

interface Parts {
  at(name: FileName): string;
  readonly serve: RequestHandler<{ name: string }>;
}

function partsOfPage(): Parts {
  const files = builtFiles(built) ?? packFiles();
  return { at: (name) => `${folder}/${files[name].name}`, serve: serving(Object.values(files)) };
}

function explorer(
  title: string,
  { first, further = [], answer = null }: ExplorerOpening,
  places: readonly PageLink[],
  { at }: Parts,
): ExplorerPage {
  const { query, variables } = further[0] ?? first;
  const workers = { editorWorkerService: at('editor.js'), json: at('json.js'), graphql: at('graphql.js') };
  const options = {
    endpoint: '/graphql',
    title,
    defaultTabs: [{ query: first.query, variables: first.variables, headers: first.headers }],
    ...(first.headers ? { defaultHeaders: first.headers } : {}),
    defaultEditorToolsVisibility: 'headers',
    schemaDescription: true,
  };
  const page = html`<!doctype html>
<html lang="en">
<head>
  ${headOf(`GraphiQL – ${title}`)}
  <link rel="stylesheet" href="${at('graphiql.css')}">
  <link rel="stylesheet" href="${asset('explorer.css')}">
  <link rel="preload" as="script" href="${at('graphiql.js')}">
</head>
<body id="body" class="no-focus-outline">
  ${barOf(places, 'graphiql', 'root', html`<h1 class="hidden">GraphiQL</h1>`)}
  ${exampleMenu()}
  <noscript>You need to enable JavaScript to run this app.</noscript>
  <main id="root" tabindex="-1"></main>
  <script type="application/json" id="answer">${inScript(answer === null ? null : { query, variables, answer })}</script>
  <script>
    const workers = ${inScript(workers)};
    self.MonacoEnvironment = { globalAPI: true, getWorkerUrl: (_, label) => workers[label] };
    if (!localStorage.getItem('graphiql:tabState'))
      for (const [key, value] of Object.entries(${inScript(firstVisit(first))})) localStorage.setItem('graphiql:' + key, value);${
        further.length
          ? html`
    const opened = ${inScript(further.map(asStored))};${openTabs}`
          : ''
      }
  </script>
  <script src="${at('graphiql.js')}"></script>
  <script>YogaGraphiQL.renderYogaGraphiQL(document.querySelector('#root'), ${inScript(options)});</script>
  <script type="module" src="${asset('explorer.js')}"></script>
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
