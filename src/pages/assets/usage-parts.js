/** The parts of the usage page, made of what the graph tells. */

import { eachDay, outlook } from './burn-down.js';
import { block, drawn, folded, link, make, numbers, table } from './elements.js';
import { count, moment } from './usage-further.js';

const percent = new Intl.NumberFormat('en', { style: 'percent' });
const dates = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });
const shortDates = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const ms = (value) => (value === null ? '–' : `${numbers.format(value)} ms`);

/** A bar a day. */
function chart(days, label, height) {
  const most = Math.max(1, ...days.map(({ calls }) => calls));
  const bars = days.map(({ calls }, index) => {
    const tall = calls === 0 ? 1 : Math.max(2, (calls / most) * (height - 2));
    return drawn('rect', {
      x: index * 10 + 1,
      y: height - tall,
      width: 8,
      height: tall,
      rx: 1,
      class: calls ? 'bar-of' : 'bar-none',
    });
  });
  const width = days.length * 10;
  const view = {
    viewBox: `0 0 ${width} ${height}`,
    preserveAspectRatio: 'none',
    role: 'img',
    'aria-label': label,
    class: 'chart',
  };
  return drawn('svg', view, ...bars);
}

const dayTable = (label, days) =>
  table(
    label,
    ['Day', 'Calls', 'Refused', 'Failed'],
    days
      .toReversed()
      .map(({ day, calls, clientErrors, serverErrors }) => [
        day,
        ...[calls, clientErrors, serverErrors].map((each) => numbers.format(each)),
      ]),
  );

const day = (text) => dates.format(new Date(text));

/** What the days let expect, in a sentence. */
function expected(days) {
  const { kind, day: at } = outlook(days);
  if (kind === 'none') return 'Nothing calls /v1 any more.';
  if (kind === 'silent') return `Nothing has called /v1 since ${day(at)}.`;
  if (kind === 'early') return 'It is too early to tell when the calls are over: a week is needed.';
  return kind === 'over'
    ? `As they went down in these days, the last call would be about ${day(at)}.`
    : 'In these days they did not go down.';
}

export function burnDown(usage) {
  const days = eachDay(usage, usage.days);
  const label = `Calls a day: ${numbers.format(days[0].calls)} on the first day, ${numbers.format(days.at(-1).calls)} today.`;
  return make(
    'section',
    {},
    make('h2', {}, 'Burn-down'),
    make('p', {}, expected(days)),
    make(
      'figure.burn',
      {},
      chart(days, label, 120),
      make(
        'figcaption.quiet.small',
        {},
        make('span', {}, shortDates.format(new Date(usage.from))),
        make('span', {}, shortDates.format(new Date(usage.to))),
      ),
    ),
    folded(
      'Figures',
      table(
        'Calls a day',
        ['Day', 'Calls'],
        days.toReversed().map(({ day, calls: each }) => [day, numbers.format(each)]),
      ),
    ),
  );
}

const fact = (title, line, more) =>
  make('div.card', {}, make('dt', {}, title), make('dd.state', {}, line), make('dd.quiet.small', {}, more));

export function facts({ counts, routes }) {
  const { calls, clientErrors, serverErrors, p50, p95, lastSeenAt } = counts;
  const wrong = clientErrors + serverErrors;
  return make(
    'dl.cards.facts',
    {},
    fact('Calls in 30 days', numbers.format(calls), `The last one: ${moment(lastSeenAt)}`),
    fact('Routes still called', numbers.format(routes.length), 'Each of them is below, with what to ask instead.'),
    fact(
      'Refused or failed',
      percent.format(calls === 0 ? 0 : wrong / calls),
      `${numbers.format(clientErrors)} refused, ${numbers.format(serverErrors)} failed. Half took ${ms(p50)}, 95 of 100 ${ms(p95)} at most.`,
    ),
  );
}

/** What is said where there is nothing to show. */
export const nothing = () =>
  make(
    'section.card',
    {},
    make('h2', {}, 'Nobody has called /v1 in the last 30 days.'),
    make(
      'p.row',
      {},
      make('span', {}, 'A call that is made now is here a few seconds later.'),
      link('/reference', 'Try one in the reference'),
    ),
  );

function instead({ replacements, graphiqlPath, referencePath }) {
  const fields = [...new Set(replacements.flatMap(({ rootFields }) => rootFields))];
  if (fields.length === 0) return make('p.quiet', {}, 'This release has the route no more.');
  const names = fields.flatMap((name, index) => [...(index > 0 ? [', '] : []), make('code', {}, name)]);
  return make(
    'p.row',
    {},
    make('span', {}, 'Instead: ', ...names),
    link(graphiqlPath, 'Open in GraphiQL'),
    link(referencePath, 'Reference'),
  );
}

/** A rehearsal that is not over yet, in a sentence. */
function rehearsal({ rehearsalBeginsAt: begins, rehearsalEndsAt: ends }) {
  if (!begins || Date.parse(ends) <= Date.now()) return '';
  return `To rehearse that, it is answered with 410 from ${moment(begins)} to ${moment(ends)}. `;
}

const ending = ({ end }) =>
  end &&
  make(
    'p.alarm',
    {},
    `Deprecated from ${day(end.deprecatedAt)}${end.sunsetAt ? `, may be gone from ${day(end.sunsetAt)}` : ''}. ${end.text} ${rehearsal(end)}`,
    link(end.link, 'More'),
  );

export function routeCard(usage, one) {
  const days = eachDay(usage, one.days);
  const { calls, clientErrors, serverErrors, p50, p95, firstSeenAt, lastSeenAt } = one.counts;
  const label = `Calls a day of ${one.route}: ${numbers.format(calls)} in all, ${numbers.format(days.at(-1).calls)} today.`;
  return make(
    'article.card.route',
    {},
    make(
      'div.split',
      {},
      make(
        'div',
        {},
        make('h3', {}, make('code.path', {}, one.route)),
        make(
          'p.quiet.small',
          {},
          `${count(calls, 'call')}, ${numbers.format(clientErrors)} refused, ${numbers.format(serverErrors)} failed; half within ${ms(p50)}, 95 of 100 within ${ms(p95)}. First ${moment(firstSeenAt)}, last ${moment(lastSeenAt)}.`,
        ),
      ),
      chart(days, label, 48),
    ),
    ending(one),
    instead(one),
    folded('Figures', dayTable(`Calls a day of ${one.route}`, days)),
    ...one.replacements.map(({ when, document: text }) =>
      folded(when ?? 'The GraphQL', block(`GraphQL instead of ${one.route}`, text)),
    ),
  );
}

const name = ({ caller, platform, platformId }) =>
  platform?.title ?? platformId ?? { USER: 'Users without a platform', ANONYMOUS: 'Nobody who is known' }[caller] ?? 'Others';

/** Says whose calls are shown, where one of several platforms was chosen. */
export function chosen({ callers: [one] }, platformId, choose) {
  if (platformId === null) return null;
  const all = make('button.plain', { type: 'button' }, 'Show all');
  all.addEventListener('click', () => choose(null));
  return make('p.row', {}, make('span', {}, `Only calls of ${one ? name(one) : platformId}.`), all);
}

export function callers({ callers: all }, choose) {
  if (all.length < 2) return null;
  const only = (one) => {
    if (!one.platformId) return '';
    const button = make('button.plain.copy', { type: 'button' }, 'Only this one');
    button.setAttribute('aria-label', `Only calls of ${name(one)}`);
    button.addEventListener('click', () => choose(one.platformId));
    return button;
  };
  const rows = all.map((one) => [
    name(one),
    numbers.format(one.counts.calls),
    numbers.format(one.routes),
    moment(one.counts.lastSeenAt),
    only(one),
  ]);
  return make('section', {}, make('h2', {}, 'Who calls'), table('Who calls', ['Caller', 'Calls', 'Routes', 'Last', ''], rows));
}
