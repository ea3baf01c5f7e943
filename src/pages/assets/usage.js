/** Asks who still calls `/v1`, and shows it. */

import { make } from './elements.js';
import { shadow, together } from './usage-further.js';
import { burnDown, callers, chosen, facts, nothing, routeCard } from './usage-parts.js';

const query = `query Usage($platformId: ID) {
  platformUsage(platformId: $platformId) {
    from
    to
    counts { ...Figures }
    days { day counts { calls } }
    callers { caller platformId platform { title } routes counts { calls lastSeenAt } }
    together { routes times share graphiqlPath replacements { when document } }
    shadow {
      reads { ...Compared }
      routes { route reads { ...Compared } }
      differences { route kind path times firstSeenAt lastSeenAt }
    }
    routes {
      route
      referencePath
      graphiqlPath
      counts { ...Figures }
      days { day counts { calls clientErrors serverErrors } }
      replacements { when rootFields document }
      end { deprecatedAt sunsetAt text link rehearsalBeginsAt rehearsalEndsAt }
    }
  }
}
fragment Figures on UsageCounts { calls clientErrors serverErrors p50 p95 firstSeenAt lastSeenAt }
fragment Compared on ShadowReads { same different unanswered dropped }`;

const form = document.querySelector('#asking');
const [kind, token, report] = ['#kind', '#token', '#report'].map((selector) => document.querySelector(selector));

async function ask(platformId) {
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', [kind.value]: token.value.trim() },
    body: JSON.stringify({ query, variables: { platformId } }),
  });
  const { data, errors } = await response.json();
  if (!data?.platformUsage) throw new Error(errors?.[0]?.message ?? `an answer with the status ${response.status}`);
  return data.platformUsage;
}

async function show(platformId = null) {
  const button = form.querySelector('button');
  button.disabled = true;
  try {
    const usage = await ask(platformId);
    const routes = make('section', {}, make('h2', {}, 'Routes'), ...usage.routes.map((one) => routeCard(usage, one)));
    const parts = [
      chosen(usage, platformId, show),
      ...(usage.counts.calls > 0 ? [facts(usage), burnDown(usage)] : [nothing()]),
      callers(usage, show),
      shadow(usage),
      together(usage),
      usage.routes.length > 0 ? routes : null,
    ];
    report.replaceChildren(...parts.filter(Boolean));
  } catch (error) {
    report.replaceChildren(make('p.alarm', { role: 'alert' }, `That did not work: ${error.message}`));
  }
  button.disabled = false;
}

kind.addEventListener('change', () => {
  const demo = kind.value === 'PB-API-TOKEN' ? token.dataset.platform : token.dataset.admin;
  const other = kind.value === 'PB-API-TOKEN' ? token.dataset.admin : token.dataset.platform;
  if (token.value === other) token.value = demo;
});
form.addEventListener('submit', (event) => {
  event.preventDefault();
  show();
});
if (token.value) show();
