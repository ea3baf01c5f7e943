import compression from 'compression';
import { Router } from 'express';
import type { ExampleTokens } from '../graphql/examples/index.js';
import { html } from '../messaging/html.js';
import { layout, type PageLink, scriptPolicy } from './layout.js';
import { sendCacheable } from './send.js';

/**
 * Serves the page that shows who still calls `/v1`. Its script queries the calls with a token that the user enters. The token is not
 * stored.
 */
export function usagePage(tokens: ExampleTokens | null, links: readonly PageLink[]): Router {
  return Router().get('/usage', compression(), (request, response) => {
    response.set('Content-Security-Policy', scriptPolicy);
    const page = layout(
      { heading: 'REST usage (/v1)', links, currentPage: 'usage', script: 'usage.js' },
      html`<p class="lead">See which routes of <code>/v1</code> are still in use, whether calls to them are decreasing, and which GraphQL operations replace them. Platforms see their own calls. Admins see all calls.</p>
<noscript><p class="alarm">This page needs JavaScript. Without it, query <code>platformUsage</code> at <code>/graphql</code>.</p></noscript>
<form id="usage-form" class="row usage-form">
<p><label for="kind">Caller</label><select id="kind"><option value="PB-API-TOKEN">Platform</option><option value="PB-USER-TOKEN">Admin</option></select></p>
<p class="grow"><label for="token">Token</label><input id="token" type="password" autocomplete="off" spellcheck="false" required aria-describedby="token-note" value="${tokens?.platform ?? ''}" data-platform="${tokens?.platform ?? ''}" data-admin="${tokens?.admin ?? ''}"></p>
<button>Show</button>
</form>
<p id="token-note" class="quiet small">The token is not stored.</p>
<div id="report" aria-live="polite"></div>`,
    );
    sendCacheable(request, response, page);
  });
}
