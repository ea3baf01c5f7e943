import type { RequestHandler } from 'express';
import type { ExampleTokens } from '../gateway/examples/index.js';
import { type Html, html } from '../messaging/html.js';
import { layout, type PageLink, pagePolicy } from './layout.js';
import { questionCards } from './questions.js';
import type { ServiceState } from './state.js';

const counted = new Intl.NumberFormat('en');
const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });

const dayOf = (instant: string | null): string => (instant ? day.format(new Date(instant)) : 'no date');

const card = (title: string, mood: '' | 'bad' | 'idle', line: string, more: string): Html =>
  html`<div class="card"><dt>${title}</dt><dd class="state ${mood}">${line}</dd><dd class="quiet small">${more}</dd></div>`;

const seasonCard = (season: ServiceState['season']): Html => {
  if (!season) return card('Season', 'bad', 'Unknown', 'The database did not answer in time.');
  const { tournaments, playing, registering, from, until } = season;
  if (tournaments === 0) return card('Season', 'idle', 'Empty', 'There are no tournaments yet.');
  return card(
    'Season',
    '',
    `${counted.format(tournaments)} tournaments`,
    `${dayOf(from)} to ${dayOf(until)}. ${counted.format(playing)} are being played, ${counted.format(registering)} take registrations.`,
  );
};

const mailCard = (mails: ServiceState['mails']): Html => {
  if (!mails) return card('Mails', 'bad', 'Unknown', 'The queue did not answer in time.');
  const { waiting, dead } = mails;
  return card(
    'Mails',
    dead > 0 ? 'bad' : '',
    waiting === 0 ? 'None waiting' : `${counted.format(waiting)} waiting`,
    dead === 0 ? 'None was given up.' : `${counted.format(dead)} were given up: npm run jobs lists them.`,
  );
};

const stateCards = ({ problem, season, mails }: ServiceState): Html => html`<section>
<h2 id="state">State</h2>
<dl class="cards">
${problem === null ? card('Database', '', 'Up', 'It answers, and has all migrations of this release.') : card('Database', 'bad', 'Down', `It cannot be used: ${problem}.`)}
${seasonCard(season)}
${mailCard(mails)}
</dl>
</section>`;

const tokenTable = ({ publishable, user, platform, admin }: ExampleTokens): Html => {
  const row = (who: string, header: string, token: string, what: string) =>
    token === ''
      ? html``
      : html`<tr><th scope="row">${who}</th><td><code>${header}</code></td><td><code>${token}</code></td><td>${what}</td></tr>`;
  return html`<section>
<h2 id="tokens">Demo tokens</h2>
<p>Pages send the publishable key, and the token of the user who is signed in. The tokens exist in demo data only.</p>
<div class="table stacked" role="region" aria-label="Demo tokens" tabindex="0"><table>
<thead><tr><th scope="col">Caller</th><th scope="col">Header</th><th scope="col">Token</th><th scope="col">Grants access to</th></tr></thead>
<tbody>
${row('Visitor', 'PB-API-TOKEN', publishable, 'Everything that signed-out visitors can read, and sign-in. A publishable key: pages may contain it.')}
${row('Player', 'PB-USER-TOKEN', user, 'Her own data, registrations, invoices and games.')}
${row('Platform', 'PB-API-TOKEN', platform, 'Reads and writes of a website’s server, such as /v1. Secret outside demo data.')}
${row('Super admin', 'PB-USER-TOKEN', admin, 'Everything, including approvals and tokens.')}
</tbody></table></div>
</section>`;
};

const way = (path: string, title: string, line: string): Html =>
  html`<li class="card link"><h3><a href="${path}">${title}</a></h3><p class="quiet">${line}</p></li>`;

const ways = (places: readonly PageLink[]): Html => html`<section>
<h2 id="ways">Ways in</h2>
<ul class="cards">
${way('/graphql', 'GraphiQL', 'Run queries with the whole schema at hand. Some twenty examples in groups, with their answers, and a match that is played live.')}
${way('/reference/graph', 'Reference of the graph', 'Root fields and types by module, with arguments, callers and examples.')}
${way('/reference', 'Reference of /v1', 'Every legacy operation with its fields, and the GraphQL that runs behind it.')}
${way('/openapi.json', 'OpenAPI 3.1', 'The same interface as a document from which tools make clients.')}
${way('/usage', 'Usage of /v1', 'Which legacy routes are still called, what to ask instead, and how they burn down to zero.')}
${places.includes('mails') ? way('/dev/mail', 'Mails', 'Mails and text messages that this machine did not send, newest first.') : html``}
${way('/readyz', 'Health', 'Whether this process should get requests now; /livez says that it answers at all.')}
</ul>
</section>`;

const policy = pagePolicy({ 'script-src': "'self'", 'connect-src': "'self'" });

/** The first page that people see: what this is, how it is, and where to go from here. */
export function startPage(
  state: () => Promise<ServiceState>,
  tokens: ExampleTokens | null,
  places: readonly PageLink[],
): RequestHandler {
  return async (_request, response) => {
    const found = await state();
    response.set({ 'Content-Security-Policy': policy, 'Cache-Control': 'no-store' });
    response.type('html').send(
      layout(
        { heading: 'Courtside', places, script: 'start.js' },
        html`<p class="lead">One typed GraphQL graph of a racket-sport community: tournaments, teams, referees, leagues, rankings, checkout and news. The whole legacy <code>/v1</code> interface is kept alive on top of it, byte for byte.</p>
<p class="row"><a class="button" href="/graphql">Open GraphiQL</a> <a class="button plain" href="/reference/graph">Reference of the graph</a> <a class="button plain" href="/reference">Reference of /v1</a></p>`,
        stateCards(found),
        questionCards(tokens),
        tokens ? tokenTable(tokens) : html``,
        ways(places),
      ),
    );
  };
}
