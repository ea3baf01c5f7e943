import type { RequestHandler } from 'express';
import { demo } from '../demo/tokens.js';
import type { ExampleTokens } from '../graphql/examples/index.js';
import { type Html, html } from '../messaging/html.js';
import { table } from './elements.js';
import { layout, type PageLink, scriptPolicy } from './layout.js';
import { queryCards } from './query-cards.js';
import type { ServiceState } from './state.js';

const numbers = new Intl.NumberFormat('en');
const days = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });

const dayOf = (instant: string | null): string => (instant ? days.format(new Date(instant)) : 'no date');

const card = (title: string, severity: '' | 'bad' | 'idle', state: string, details: string): Html =>
  html`<div class="card"><dt>${title}</dt><dd class="state ${severity}">${state}</dd><dd class="quiet small">${details}</dd></div>`;

const seasonCard = (season: ServiceState['season']): Html => {
  if (!season) return card('Season', 'bad', 'Unknown', 'The database did not respond in time.');
  const { tournaments, playing, registering, from, until } = season;
  if (tournaments === 0) return card('Season', 'idle', 'Empty', 'There are no tournaments yet.');
  return card(
    'Season',
    '',
    `${numbers.format(tournaments)} tournaments`,
    `${dayOf(from)} to ${dayOf(until)}. ${numbers.format(playing)} in progress, ${numbers.format(registering)} open for registration.`,
  );
};

const mailCard = (mails: ServiceState['mails']): Html => {
  if (!mails) return card('Outgoing messages', 'bad', 'Unknown', 'The database did not respond in time.');
  const { waiting, dead } = mails;
  return card(
    'Outgoing messages',
    dead > 0 ? 'bad' : '',
    waiting === 0 ? 'None waiting' : `${numbers.format(waiting)} waiting`,
    dead === 0 ? '0 failed.' : `${numbers.format(dead)} failed. To list them, run courtside jobs list.`,
  );
};

const stateCards = ({ problem, season, mails }: ServiceState): Html => html`<section>
<h2 id="state">Status</h2>
<dl class="cards">
${problem === null ? card('Database', '', 'Up', 'Connected. All migrations of this release are applied.') : card('Database', 'bad', 'Down', `Reason: ${problem}.`)}
${seasonCard(season)}
${mailCard(mails)}
</dl>
</section>`;

const tokenTable = ({ publishable, user, platform, admin }: ExampleTokens, hasConsole: boolean): Html => {
  const row = (caller: string, header: string, token: string, access: string) =>
    token === ''
      ? html``
      : html`<tr><th scope="row">${caller}</th><td><code>${header}</code></td><td><code>${token}</code></td><td>${access}</td></tr>`;
  return html`<section>
<h2 id="tokens">Demo tokens</h2>
<p>Web pages send the publishable key, and the token of the signed-in user. These tokens work only with the demo data.</p>
${table(
  'Demo tokens',
  ['Caller', 'Header', 'Token', 'Grants access to'],
  [
    row('Visitor', 'PB-API-TOKEN', publishable, 'Public data and sign-in. A publishable key can be part of a web page.'),
    row('Player', 'PB-USER-TOKEN', user, 'The player’s own data, registrations, invoices and games.'),
    row(
      'Platform',
      'PB-API-TOKEN',
      platform,
      'Data of the platform and /v1. A platform token is secret: use it only on servers.',
    ),
    row('Super admin', 'PB-USER-TOKEN', admin, 'All data, approvals and tokens.'),
  ],
)}
${
  hasConsole
    ? html`<p>To open the <a href="/console">console</a>, sign in as <code>${demo.adminEmail}</code> with the password <code>${demo.adminPassword}</code>.</p>`
    : html``
}
</section>`;
};

const linkCard = (path: string, title: string, description: string): Html =>
  html`<li class="card link"><h3><a href="${path}">${title}</a></h3><p class="quiet">${description}</p></li>`;

const linkCards = (links: readonly PageLink[]): Html => html`<section>
<h2 id="tools">Tools and documentation</h2>
<ul class="cards">
${linkCard('/graphql', 'GraphiQL', 'Explore the schema and run queries. Comes with examples and a live match.')}
${linkCard('/reference/graph', 'GraphQL reference', 'All root fields and types, with arguments, permissions and examples.')}
${linkCard('/reference', 'REST reference (/v1)', 'All legacy operations, with fields, code samples and equivalent GraphQL.')}
${linkCard('/openapi.json', 'OpenAPI 3.1 document', 'Machine-readable description of /v1, for example for client generators.')}
${linkCard('/usage', 'REST usage (/v1)', 'Legacy routes that are still in use, and the GraphQL that replaces them.')}
${links.includes('console') ? linkCard('/console', 'Console', 'For moderators and admins: approvals and other daily tasks.') : html``}
${links.includes('mails') ? linkCard('/dev/mail', 'Messages', 'Emails and text messages that this server has caught instead of sending.') : html``}
${linkCard('/readyz', 'Health', 'Readiness of this process. For its liveness, use /livez.')}
</ul>
</section>`;

/** Serves the start page with status, example queries, demo tokens and links to the tools. */
export function startPage(
  state: () => Promise<ServiceState>,
  tokens: ExampleTokens | null,
  links: readonly PageLink[],
): RequestHandler {
  return async (_request, response) => {
    const currentState = await state();
    response.set({ 'Content-Security-Policy': scriptPolicy, 'Cache-Control': 'no-store' });
    response.type('html').send(
      layout(
        { heading: 'Courtside', links, script: 'start.js' },
        html`<p class="lead">A GraphQL API for racket sports: tournaments, teams, referees, leagues, rankings, checkout and news. It also serves the legacy REST interface <code>/v1</code>, with responses identical to those of the old server.</p>
<p class="row"><a class="button" href="/graphql">Open GraphiQL</a> <a class="button plain" href="/reference/graph">GraphQL reference</a> <a class="button plain" href="/reference">REST reference</a></p>`,
        stateCards(currentState),
        queryCards(tokens),
        tokens ? tokenTable(tokens, links.includes('console')) : html``,
        linkCards(links),
      ),
    );
  };
}
