/** Fetches the usage of `/v1` and displays it. */

import { element } from './elements.js';
import {
  burnDown,
  callerSection,
  combinedQueries,
  emptyState,
  routeCard,
  selectedPlatform,
  shadowSection,
  usageFacts,
} from './usage-sections.js';

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

const form = document.querySelector('#usage-form');
const [kind, token, report] = ['#kind', '#token', '#report'].map((selector) => document.querySelector(selector));

async function fetchUsage(platformId) {
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', [kind.value]: token.value.trim() },
    body: JSON.stringify({ query, variables: { platformId } }),
  });
  const { data, errors } = await response.json();
  if (!data?.platformUsage) throw new Error(errors?.[0]?.message ?? `the server responded with status ${response.status}`);
  return data.platformUsage;
}

async function show(platformId = null) {
  const button = form.querySelector('button');
  button.disabled = true;
  try {
    const usage = await fetchUsage(platformId);
    const routes = element('section', {}, element('h2', {}, 'Routes'), ...usage.routes.map((route) => routeCard(usage, route)));
    const sections = [
      selectedPlatform(usage, platformId, show),
      ...(usage.counts.calls > 0 ? [usageFacts(usage), burnDown(usage)] : [emptyState()]),
      callerSection(usage, show),
      shadowSection(usage),
      combinedQueries(usage),
      usage.routes.length > 0 ? routes : null,
    ];
    report.replaceChildren(...sections.filter(Boolean));
  } catch (error) {
    report.replaceChildren(element('p.alarm', { role: 'alert' }, `The usage could not be loaded: ${error.message}`));
  }
  button.disabled = false;
}

kind.addEventListener('change', () => {
  const demoToken = kind.value === 'PB-API-TOKEN' ? token.dataset.platform : token.dataset.admin;
  const otherToken = kind.value === 'PB-API-TOKEN' ? token.dataset.admin : token.dataset.platform;
  if (token.value === otherToken) token.value = demoToken;
});
form.addEventListener('submit', (event) => {
  event.preventDefault();
  show();
});
if (token.value) show();
