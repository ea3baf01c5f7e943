/** What the usage page tells beside counts: what could be one query, and what the old server answers otherwise. */

import { block, folded, link, make, numbers, table } from './elements.js';

const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
const moments = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

export const count = (number, noun) => `${numbers.format(number)} ${noun}${number === 1 ? '' : 's'}`;
export const moment = (instant) => (instant === null ? '–' : `${moments.format(new Date(instant))} UTC`);

function oneQuery({ routes, times, share, graphiqlPath, replacements }) {
  const isOne = routes.length === 1;
  const names = routes.flatMap((route, index) => [
    ...(index > 0 ? [make('span.quiet.small', {}, ' and ')] : []),
    make('code.path', {}, route),
  ]);
  const often = `${count(times, 'time')} within a second, ${percent.format(share)} of ${isOne ? 'its' : 'their'} calls.`;
  const opening = link(graphiqlPath, 'Open in GraphiQL');
  opening.setAttribute('aria-label', `Open in GraphiQL: one query instead of ${routes.join(' and ')}`);
  return make(
    'article.card.joined',
    {},
    make('h3', {}, ...names, isOne ? make('span.quiet.small', {}, ' several times in a row') : ''),
    make('p.row', {}, make('span.quiet', {}, often), opening),
    isOne ? make('p.quiet.small', {}, 'One query asks for all of them, by aliases as here, or by a filter.') : null,
    ...replacements.map(({ when, document: text }) =>
      folded(when ?? 'The one query', block(`One query instead of ${routes.join(' and ')}`, text)),
    ),
  );
}

export function together({ together: pairs }) {
  if (pairs.length === 0) return null;
  const [first, further] = [pairs.slice(0, 5), pairs.slice(5)];
  return make(
    'section.could',
    {},
    make('h2', {}, 'Could be one query'),
    make('p', {}, 'These calls come together, as those of one screen do.'),
    ...first.map(oneQuery),
    further.length > 0 ? folded(`${numbers.format(further.length)} more`, ...further.map(oneQuery)) : null,
  );
}

export function shadow({ shadow: found }) {
  if (!found) return null;
  const { same, different, unanswered, dropped } = found.reads;
  const compared = same + different;
  const line =
    compared === 0
      ? 'No answer could be compared yet.'
      : `${numbers.format(same)} of ${count(compared, 'answer')} are the same as those of the old server, ${numbers.format(different)} ${different === 1 ? 'differs' : 'differ'}.`;
  const numbered = ({ same: alike, different: other, unanswered: without, dropped: left }) =>
    [alike, other, without, left].map((each) => numbers.format(each));
  const differences = found.differences.map(({ route, kind, path, times, firstSeenAt, lastSeenAt }) => [
    make('code', {}, route),
    kind,
    path === '' ? 'the whole' : make('code', {}, path),
    numbers.format(times),
    moment(firstSeenAt),
    moment(lastSeenAt),
  ]);
  return make(
    'section.shadow',
    {},
    make('h2', {}, 'As the old server answers'),
    make('p', different > 0 ? { class: 'alarm' } : {}, line),
    make(
      'p.quiet.small',
      {},
      `It was asked part of the live reads once more. ${numbers.format(unanswered)} it did not answer, ${numbers.format(dropped)} were not compared.`,
    ),
    differences.length > 0
      ? table('What differs from the old server', ['Route', 'What differs', 'Where', 'Times', 'First', 'Last'], differences)
      : null,
    folded(
      'Figures',
      table(
        'Reads that the old server was asked, too',
        ['Route', 'Same', 'Different', 'Unanswered', 'Not compared'],
        found.routes.map(({ route, reads }) => [make('code', {}, route), ...numbered(reads)]),
      ),
    ),
  );
}
