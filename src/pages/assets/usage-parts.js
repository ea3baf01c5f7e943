/** The parts of the usage page, made of what the graph tells. */

import { block, drawn, folded, make, numbers, table } from './elements.js';

const percent = new Intl.NumberFormat('en', { style: 'percent' });
const dates = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });
const shortDates = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const moments = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

const dayLength = 86_400_000;

const count = (number, noun) => `${numbers.format(number)} ${noun}${number === 1 ? '' : 's'}`;
const ms = (value) => (value === null ? '–' : `${numbers.format(value)} ms`);
const moment = (instant) => (instant === null ? '–' : `${moments.format(new Date(instant))} UTC`);

/** A value for each day from the first to the last. */
function eachDay({ from, to }, days) {
  const known = new Map(days.map(({ day, counts }) => [day, counts]));
  const none = { calls: 0, clientErrors: 0, serverErrors: 0 };
  const all = [];
  for (let at = Date.parse(from); at <= Date.parse(to); at += dayLength) {
    const day = new Date(at).toISOString().slice(0, 10);
    all.push({ day, ...(known.get(day) ?? none) });
  }
  return all;
}

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

/** When the calls would be over if they went on as in these days; null where they do not go down. */
function overAt(days) {
  const middle = (days.length - 1) / 2;
  const mean = days.reduce((sum, { calls }) => sum + calls, 0) / days.length;
  const [up, across] = days.reduce(
    ([a, b], { calls }, index) => [a + (index - middle) * (calls - mean), b + (index - middle) ** 2],
    [0, 0],
  );
  const slope = across === 0 ? 0 : up / across;
  if (slope >= 0 || mean === 0) return null;
  const left = Math.ceil(middle - mean / slope) - (days.length - 1);
  return new Date(Date.parse(days.at(-1).day) + Math.max(1, left) * dayLength);
}

export function burnDown(usage) {
  const days = eachDay(usage, usage.days);
  const { calls } = usage.counts;
  const over = overAt(days);
  const outlook = over
    ? `As they went down in these days, the last call would be about ${dates.format(over)}.`
    : 'In these days they did not go down.';
  const label = `Calls a day: ${numbers.format(days[0].calls)} on the first day, ${numbers.format(days.at(-1).calls)} today.`;
  return make(
    'section',
    {},
    make('h2', {}, 'Burn-down'),
    make('p', {}, calls === 0 ? 'Nothing calls /v1 any more.' : outlook),
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

const link = (href, text) => make('a', { href }, text);

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

const ending = ({ end }) =>
  end &&
  make(
    'p.alarm',
    {},
    `Deprecated from ${dates.format(new Date(end.deprecatedAt))}${end.sunsetAt ? `, gone from ${dates.format(new Date(end.sunsetAt))}` : ''}. ${end.text} `,
    link(end.link, 'More'),
  );

export function routeCard(usage, one) {
  const days = eachDay(usage, one.days);
  const { calls, clientErrors, serverErrors, p50, p95, lastSeenAt } = one.counts;
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
          `${count(calls, 'call')}, ${numbers.format(clientErrors)} refused, ${numbers.format(serverErrors)} failed; half within ${ms(p50)}, 95 of 100 within ${ms(p95)}. Last ${moment(lastSeenAt)}.`,
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

export function together({ together: pairs }) {
  if (pairs.length === 0) return null;
  const rows = pairs.map(({ routes, times, share }) => [
    make('span', {}, ...routes.flatMap((route, index) => [...(index > 0 ? [make('br')] : []), make('code', {}, route)])),
    `${routes.length === 1 ? 'several in a row' : 'both within a second'}: ${count(times, 'time')}, ${percent.format(share)}`,
    routes.length === 1 ? 'One query asks for all of them, by aliases or by a filter.' : 'One query asks for both.',
  ]);
  return make(
    'section',
    {},
    make('h2', {}, 'Could be one query'),
    make('p', {}, 'These calls come together, as those of one screen do.'),
    table('Calls that come together', ['Calls', 'How often', 'Instead'], rows),
  );
}

export function callers({ callers: all }, choose) {
  if (all.length < 2) return null;
  const name = ({ caller, platform, platformId }) =>
    platform?.title ?? platformId ?? { USER: 'Users without a platform', ANONYMOUS: 'Nobody who is known' }[caller] ?? 'Others';
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
