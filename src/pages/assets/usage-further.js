/** Sections of the usage page about calls that one query can replace, and about differences from the old server. */

import { codeBlock, collapsible, element, link, numbers, table } from './elements.js';

const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
const instants = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

export const quantity = (number, noun) => `${numbers.format(number)} ${noun}${number === 1 ? '' : 's'}`;
export const formatInstant = (instant) => (instant === null ? '–' : `${instants.format(new Date(instant))} UTC`);

function suggestion({ routes, times, share, graphiqlPath, replacements }) {
  const isOne = routes.length === 1;
  const names = routes.flatMap((route, index) => [
    ...(index > 0 ? [element('span.quiet.small', {}, ' and ')] : []),
    element('code.path', {}, route),
  ]);
  const frequency = `${quantity(times, 'time')} within one second, ${percent.format(share)} of ${isOne ? 'its' : 'their'} calls.`;
  const graphiqlLink = link(graphiqlPath, 'Open in GraphiQL');
  graphiqlLink.setAttribute('aria-label', `Open in GraphiQL: one query instead of ${routes.join(' and ')}`);
  return element(
    'article.card.suggestion',
    {},
    element('h3', {}, ...names, isOne ? element('span.quiet.small', {}, ', several times in a row') : ''),
    element('p.row', {}, element('span.quiet', {}, frequency), graphiqlLink),
    isOne ? element('p.quiet.small', {}, 'One query can return all results: use aliases as shown here, or a filter.') : null,
    ...replacements.map(({ when, document: text }) =>
      collapsible(when ?? 'Combined query', codeBlock(`One query instead of ${routes.join(' and ')}`, text)),
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
    hidden.length > 0 ? collapsible(`${numbers.format(hidden.length)} more`, ...hidden.map(suggestion)) : null,
  );
}

export function shadow({ shadow: report }) {
  if (!report) return null;
  const { same, different, unanswered, dropped } = report.reads;
  const comparedCount = same + different;
  const line =
    comparedCount === 0
      ? 'No responses have been compared yet.'
      : `${numbers.format(same)} of ${quantity(comparedCount, 'response')} are the same as those of the old server. ${numbers.format(different)} ${different === 1 ? 'differs' : 'differ'}.`;
  const figures = (reads) => [reads.same, reads.different, reads.unanswered, reads.dropped].map((count) => numbers.format(count));
  const differences = report.differences.map(({ route, kind, path, times, firstSeenAt, lastSeenAt }) => [
    element('code', {}, route),
    kind,
    path === '' ? 'whole response' : element('code', {}, path),
    numbers.format(times),
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
      `A sample of live read requests is also sent to the old server. It did not answer ${numbers.format(unanswered)} of them. ${numbers.format(dropped)} were not compared.`,
    ),
    differences.length > 0
      ? table('Differences from the old server', ['Route', 'Difference', 'Path', 'Count', 'First seen', 'Last seen'], differences)
      : null,
    collapsible(
      'Details',
      table(
        'Read requests sent to the old server',
        ['Route', 'Same', 'Different', 'Unanswered', 'Not compared'],
        report.routes.map(({ route, reads }) => [element('code', {}, route), ...figures(reads)]),
      ),
    ),
  );
}
