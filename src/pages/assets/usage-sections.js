/** Sections of the usage page. */

import { dailyCounts, forecast } from './burn-down.js';
import { codeBlock, collapsibleSection, element, link, numberFormat, svgElement, table } from './elements.js';

const precisePercent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
const instants = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

const quantity = (number, noun) => `${numberFormat.format(number)} ${noun}${number === 1 ? '' : 's'}`;
const formatInstant = (instant) => (instant === null ? '–' : `${instants.format(new Date(instant))} UTC`);
const percent = new Intl.NumberFormat('en', { style: 'percent' });
const dates = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });
const shortDates = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const ms = (value) => (value === null ? '–' : `${numberFormat.format(value)} ms`);

/** Renders a bar chart with one bar per day. */
function chart(days, label, height) {
  const maxCalls = Math.max(1, ...days.map(({ calls }) => calls));
  const barElements = days.map(({ calls }, index) => {
    const barHeight = calls === 0 ? 1 : Math.max(2, (calls / maxCalls) * (height - 2));
    return svgElement('rect', {
      x: index * 10 + 1,
      y: height - barHeight,
      width: 8,
      height: barHeight,
      rx: 1,
      class: calls ? 'bar-of' : 'bar-none',
    });
  });
  const width = days.length * 10;
  const attributes = {
    viewBox: `0 0 ${width} ${height}`,
    preserveAspectRatio: 'none',
    role: 'img',
    'aria-label': label,
    class: 'chart',
  };
  return svgElement('svg', attributes, ...barElements);
}

const dayTable = (label, days) =>
  table(
    label,
    ['Day', 'Calls', 'Client errors (4xx)', 'Server errors (5xx)'],
    days
      .toReversed()
      .map(({ day, calls, clientErrors, serverErrors }) => [
        day,
        ...[calls, clientErrors, serverErrors].map((count) => numberFormat.format(count)),
      ]),
  );

const formatDay = (text) => dates.format(new Date(text));

/** Describes the forecast in one sentence. */
function forecastText(days) {
  const { kind, day } = forecast(days);
  if (kind === 'none') return 'There have been no calls to /v1.';
  if (kind === 'silent') return `There have been no calls to /v1 since ${formatDay(day)}.`;
  if (kind === 'early') return 'A forecast needs 7 complete days of data.';
  return kind === 'ending'
    ? `At the current rate, the calls will reach zero around ${formatDay(day)}.`
    : 'The calls are not decreasing.';
}

export function burnDown(usage) {
  const days = dailyCounts(usage, usage.days);
  const label = `Calls per day: ${numberFormat.format(days[0].calls)} on the first day, ${numberFormat.format(days.at(-1).calls)} today.`;
  return element(
    'section',
    {},
    element('h2', {}, 'Calls per day'),
    element('p', {}, forecastText(days)),
    element(
      'figure.burn',
      {},
      chart(days, label, 120),
      element(
        'figcaption.quiet.small',
        {},
        element('span', {}, shortDates.format(new Date(usage.from))),
        element('span', {}, shortDates.format(new Date(usage.to))),
      ),
    ),
    collapsibleSection(
      'Details',
      table(
        'Calls per day',
        ['Day', 'Calls'],
        days.toReversed().map(({ day, calls: each }) => [day, numberFormat.format(each)]),
      ),
    ),
  );
}

const factCard = (title, value, details) =>
  element('div.card', {}, element('dt', {}, title), element('dd.state', {}, value), element('dd.quiet.small', {}, details));

export function usageFacts({ counts, routes }) {
  const { calls, clientErrors, serverErrors, p50, p95, lastSeenAt } = counts;
  const errors = clientErrors + serverErrors;
  return element(
    'dl.cards.facts',
    {},
    factCard('Calls in the last 30 days', numberFormat.format(calls), `Last call: ${formatInstant(lastSeenAt)}`),
    factCard('Routes still called', numberFormat.format(routes.length), 'See their replacements below.'),
    factCard(
      'Error rate',
      percent.format(calls === 0 ? 0 : errors / calls),
      `${quantity(clientErrors, 'client error')}, ${quantity(serverErrors, 'server error')}. Response time: median ${ms(p50)}, 95th percentile ${ms(p95)}.`,
    ),
  );
}

/** Renders the message for usage without calls. */
export const emptyState = () =>
  element(
    'section.card',
    {},
    element('h2', {}, 'No calls to /v1 in the last 30 days'),
    element(
      'p.row',
      {},
      element('span', {}, 'New calls appear here within a few seconds.'),
      link('/reference', 'Try a call in the reference'),
    ),
  );

function replacementLinks({ replacements, graphiqlPath, referencePath }) {
  const fields = [...new Set(replacements.flatMap(({ rootFields }) => rootFields))];
  if (fields.length === 0) return element('p.quiet', {}, 'This release no longer has this route.');
  const names = fields.flatMap((name, index) => [...(index > 0 ? [', '] : []), element('code', {}, name)]);
  return element(
    'p.row',
    {},
    element('span', {}, 'Replacement: ', ...names),
    link(graphiqlPath, 'Open in GraphiQL'),
    link(referencePath, 'Reference'),
  );
}

/** Describes a planned or current rehearsal of the removal of a route. Empty without a rehearsal. */
function rehearsalText({ rehearsalBeginsAt: startsAt, rehearsalEndsAt: endsAt }) {
  if (!startsAt || Date.parse(endsAt) <= Date.now()) return '';
  return `In a rehearsal, the route returns 410 from ${formatInstant(startsAt)} to ${formatInstant(endsAt)}. `;
}

const deprecationNote = ({ end }) =>
  end &&
  element(
    'p.alarm',
    {},
    `Deprecated from ${formatDay(end.deprecatedAt)}${end.sunsetAt ? `, may be removed from ${formatDay(end.sunsetAt)}` : ''}. ${end.text} ${rehearsalText(end)}`,
    link(end.link, 'Details'),
  );

export function routeCard(period, usage) {
  const days = dailyCounts(period, usage.days);
  const { calls, clientErrors, serverErrors, p50, p95, firstSeenAt, lastSeenAt } = usage.counts;
  const label = `Calls per day of ${usage.route}: ${numberFormat.format(calls)} in total, ${numberFormat.format(days.at(-1).calls)} today.`;
  return element(
    'article.card.route',
    {},
    element(
      'div.split',
      {},
      element(
        'div',
        {},
        element('h3', {}, element('code.path', {}, usage.route)),
        element(
          'p.quiet.small',
          {},
          `${quantity(calls, 'call')}, ${quantity(clientErrors, 'client error')}, ${quantity(serverErrors, 'server error')}. Response time: median ${ms(p50)}, 95th percentile ${ms(p95)}. First call ${formatInstant(firstSeenAt)}, last call ${formatInstant(lastSeenAt)}.`,
        ),
      ),
      chart(days, label, 48),
    ),
    deprecationNote(usage),
    replacementLinks(usage),
    collapsibleSection('Details', dayTable(`Calls per day of ${usage.route}`, days)),
    ...usage.replacements.map(({ when, document: text }) =>
      collapsibleSection(when ?? 'Equivalent GraphQL', codeBlock(`GraphQL instead of ${usage.route}`, text)),
    ),
  );
}

const nameOf = ({ caller, platform, platformId }) =>
  platform?.title ??
  platformId ??
  { USER: 'Users without a platform', ANONYMOUS: 'Calls without a valid token' }[caller] ??
  'Others';

/** Renders the name of the selected platform and a button to show all callers. Null without a selected platform. */
export function selectedPlatform({ callers: [caller] }, platformId, select) {
  if (platformId === null) return null;
  const showAllButton = element('button.plain', { type: 'button' }, 'Show all');
  showAllButton.addEventListener('click', () => select(null));
  return element(
    'p.row',
    {},
    element('span', {}, `Showing only calls by ${caller ? nameOf(caller) : platformId}.`),
    showAllButton,
  );
}

export function callerSection({ callers: rows }, select) {
  if (rows.length < 2) return null;
  const filterButton = (caller) => {
    if (!caller.platformId) return '';
    const button = element('button.plain.copy', { type: 'button' }, 'Filter');
    button.setAttribute('aria-label', `Show only calls by ${nameOf(caller)}`);
    button.addEventListener('click', () => select(caller.platformId));
    return button;
  };
  const cells = rows.map((caller) => [
    nameOf(caller),
    numberFormat.format(caller.counts.calls),
    numberFormat.format(caller.routes),
    formatInstant(caller.counts.lastSeenAt),
    filterButton(caller),
  ]);
  return element(
    'section',
    {},
    element('h2', {}, 'Callers'),
    table('Callers', ['Caller', 'Calls', 'Routes', 'Last call', ''], cells),
  );
}

function suggestion({ routes, times, share, graphiqlPath, replacements }) {
  const isOne = routes.length === 1;
  const names = routes.flatMap((route, index) => [
    ...(index > 0 ? [element('span.quiet.small', {}, ' and ')] : []),
    element('code.path', {}, route),
  ]);
  const frequency = `${quantity(times, 'time')} within one second, ${precisePercent.format(share)} of ${isOne ? 'its' : 'their'} calls.`;
  const graphiqlLink = link(graphiqlPath, 'Open in GraphiQL');
  graphiqlLink.setAttribute('aria-label', `Open in GraphiQL: one query instead of ${routes.join(' and ')}`);
  return element(
    'article.card.suggestion',
    {},
    element('h3', {}, ...names, isOne ? element('span.quiet.small', {}, ', several times in a row') : ''),
    element('p.row', {}, element('span.quiet', {}, frequency), graphiqlLink),
    isOne ? element('p.quiet.small', {}, 'One query can return all results: use aliases as shown here, or a filter.') : null,
    ...replacements.map(({ when, document: text }) =>
      collapsibleSection(when ?? 'Combined query', codeBlock(`One query instead of ${routes.join(' and ')}`, text)),
    ),
  );
}

export function combinedQueries({ together: pairs }) {
  if (pairs.length === 0) return null;
  const [visible, hidden] = [pairs.slice(0, 5), pairs.slice(5)];
  return element(
    'section.combined',
    {},
    element('h2', {}, 'Calls to combine'),
    element('p', {}, 'Clients make these calls together, for example to show one screen. One GraphQL query can replace them.'),
    ...visible.map(suggestion),
    hidden.length > 0 ? collapsibleSection(`${numberFormat.format(hidden.length)} more`, ...hidden.map(suggestion)) : null,
  );
}

export function shadowSection({ shadow: report }) {
  if (!report) return null;
  const { same, different, unanswered, dropped } = report.reads;
  const comparedCount = same + different;
  const line =
    comparedCount === 0
      ? 'No responses have been compared yet.'
      : `${numberFormat.format(same)} of ${quantity(comparedCount, 'response')} are the same as those of the old server. ${numberFormat.format(different)} ${different === 1 ? 'differs' : 'differ'}.`;
  const figures = (reads) =>
    [reads.same, reads.different, reads.unanswered, reads.dropped].map((count) => numberFormat.format(count));
  const differences = report.differences.map(({ route, kind, path, times, firstSeenAt, lastSeenAt }) => [
    element('code', {}, route),
    kind,
    path === '' ? 'whole response' : element('code', {}, path),
    numberFormat.format(times),
    formatInstant(firstSeenAt),
    formatInstant(lastSeenAt),
  ]);
  return element(
    'section.shadow',
    {},
    element('h2', {}, 'Comparison with the old server'),
    element('p', different > 0 ? { class: 'alarm' } : {}, line),
    element(
      'p.quiet.small',
      {},
      `A sample of live read requests is also sent to the old server. It did not answer ${numberFormat.format(unanswered)} of them. ${numberFormat.format(dropped)} were not compared.`,
    ),
    differences.length > 0
      ? table('Differences from the old server', ['Route', 'Difference', 'Path', 'Count', 'First seen', 'Last seen'], differences)
      : null,
    collapsibleSection(
      'Details',
      table(
        'Read requests sent to the old server',
        ['Route', 'Same', 'Different', 'Unanswered', 'Not compared'],
        report.routes.map(({ route, reads }) => [element('code', {}, route), ...figures(reads)]),
      ),
    ),
  );
}
