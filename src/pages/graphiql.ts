import { type RequestHandler, Router } from 'express';
import { Html, html } from '../messaging/html.js';
import { asset } from './assets.js';
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

/** Where the parts are served, beside the endpoint. */
const folder = '/graphql/assets';

/** Where the build has put them: beside the parts that the service is bundled in. */
const built = `${import.meta.dirname}/../graphiql`;

/** GraphiQL on this machine: its page, and the files that it loads. Nothing of it is there before a browser asks. */
export function graphiql(
  title: string,
  tabs: readonly Tab[],
  places: readonly PageLink[],
): { page(): string; policy(): string; readonly files: RequestHandler } {
  let made: ReturnType<typeof explorer> | undefined;
  const open = () => {
    made ??= explorer(title, tabs, places);
    return made;
  };
  const files = Router().get(`${folder}/:name`, (request, response, next) => open().serve(request, response, next));
  return { page: () => open().page, policy: () => open().policy, files };
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

function explorer(
  title: string,
  tabs: readonly Tab[],
  places: readonly PageLink[],
): { readonly page: string; readonly policy: string; readonly serve: RequestHandler<{ name: string }> } {
  const files = builtFiles(built) ?? packFiles();
  const at = (name: FileName) => `${folder}/${files[name].name}`;
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
  ${headOf(`GraphiQL – ${title}`)}
  <link rel="stylesheet" href="${at('graphiql.css')}">
  <link rel="stylesheet" href="${asset('explorer.css')}">
  <link rel="preload" as="script" href="${at('graphiql.js')}">
</head>
<body id="body" class="no-focus-outline">
  ${barOf(places, 'graphiql', 'root', html`<h1 class="hidden">GraphiQL</h1>`)}
  <noscript>You need to enable JavaScript to run this app.</noscript>
  <main id="root" tabindex="-1"></main>
  <script>
    const workers = ${inScript(workers)};
    self.MonacoEnvironment = { globalAPI: false, getWorkerUrl: (_, label) => workers[label] };
    if (!localStorage.getItem('graphiql:tabState'))
      for (const [key, value] of Object.entries(${inScript(firstVisit(tabs))})) localStorage.setItem('graphiql:' + key, value);
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
  return { page, policy, serve: serving(Object.values(files)) };
}
