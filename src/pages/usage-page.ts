import compression from 'compression';
import { Router } from 'express';
import type { ExampleTokens } from '../gateway/examples/index.js';
import { html } from '../messaging/html.js';
import { layout, type PageLink, pagePolicy } from './layout.js';
import { sendKept } from './send.js';

const policy = pagePolicy({ 'script-src': "'self'", 'connect-src': "'self'" });

/** Who still calls `/v1`: a page that asks the graph for it, with a token that it forgets. */
export function usagePage(tokens: ExampleTokens | null, places: readonly PageLink[]): Router {
  return Router().get('/usage', compression(), (request, response) => {
    response.set('Content-Security-Policy', policy);
    const page = layout(
      { heading: 'Usage of /v1', places, here: 'usage', script: 'usage.js' },
      html`<p class="lead">Which routes of <code>/v1</code> are still called, what to ask the graph instead, and how the calls burn down to zero. A platform sees its own calls, an admin those of all.</p>
<noscript><p class="alarm">This page asks the graph by a script. Without scripts, <code>platformUsage</code> in GraphiQL tells the same.</p></noscript>
<form id="asking" class="row asking">
<p><label for="kind">Token of</label><select id="kind"><option value="PB-API-TOKEN">a platform</option><option value="PB-USER-TOKEN">an admin</option></select></p>
<p class="grow"><label for="token">Token</label><input id="token" type="password" autocomplete="off" spellcheck="false" required aria-describedby="kept" value="${tokens?.platform ?? ''}" data-platform="${tokens?.platform ?? ''}" data-admin="${tokens?.admin ?? ''}"></p>
<button>Show</button>
</form>
<p id="kept" class="quiet small">The token stays in the memory of this page.</p>
<div id="report" aria-live="polite"></div>`,
    );
    sendKept(request, response, page);
  });
}
