/** Searches the list of operations by what it shows, and by the names that stand in each of them. */

import { make } from './elements.js';

/** Most names by which a found operation tells why it was found. */
const most = 3;

/** A word as it may be written in either interface: `registrationFee` finds `Registration_Fee`. */
const patternOf = (word) => [...word.replaceAll('_', '')].map((letter) => letter.replace(/[^\p{L}\p{N}]/u, '\\$&')).join('_?');

const isExact = (term, words) => {
  const names = term.flatMap((text) => [text, text.split('.').at(-1)]).map((name) => name.toLowerCase());
  return words.some((word) => names.includes(word.toLowerCase()));
};

/** The names by which an operation is found: those that have all the words, else those that have them together. */
function termsFor(terms, words, patterns) {
  const having = (pattern) => terms.filter((term) => pattern.test(term.join(' ')));
  const each = patterns.map(having);
  if (each.some((found) => found.length === 0)) return [];
  const all = each[0].filter((term) => each.every((found) => found.includes(term)));
  const found = all.length > 0 ? all : [...new Set(each.flatMap((some) => some.slice(0, 1)))];
  return found.toSorted((a, b) => isExact(b, words) - isExact(a, words));
}

const shown = ([place, name, coordinate]) =>
  make(
    'span',
    {},
    make('span.tag', {}, place),
    ' ',
    make('code', {}, name),
    ...(coordinate ? [' is ', make('code', {}, coordinate)] : []),
  );

function reason(terms) {
  const more = terms.length - most;
  const rest = more > 0 ? make('span', {}, `and ${more} more`) : null;
  return make('span.why', {}, ...terms.slice(0, most).map(shown), rest);
}

/** Where in the rows that are seen the words stand. */
function mark(rows, patterns) {
  if (!CSS.highlights) return;
  const ranges = rows.flatMap((row) => {
    const texts = document.createTreeWalker(row, NodeFilter.SHOW_TEXT, ({ parentElement }) =>
      parentElement.matches('.tag, .method') ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
    );
    const found = [];
    while (texts.nextNode())
      for (const pattern of patterns)
        for (const { index, 0: match } of texts.currentNode.data.matchAll(new RegExp(pattern, 'gi')))
          found.push(
            new StaticRange({
              startContainer: texts.currentNode,
              startOffset: index,
              endContainer: texts.currentNode,
              endOffset: index + match.length,
            }),
          );
    return found;
  });
  CSS.highlights.set('found', new Highlight(...ranges));
}

/** Puts a form to work that narrows these operations; the names in them are loaded when somebody is about to search. */
export function searchIn(form, operations) {
  const input = form.querySelector('input');
  const status = form.querySelector('[role=status]');
  const groups = [...document.querySelectorAll('.group')];
  const rows = operations.map((details) => {
    const summary = details.querySelector('summary');
    return { details, summary, text: summary.textContent, group: details.closest('.group') };
  });
  const ways = new Map([...document.querySelectorAll('.reference nav a')].map((way) => [way.hash.slice(1), way.closest('li')]));
  let index = null;
  let isAsked = false;

  /** How an operation is found, and by what: the first are those whose row says it. */
  function find({ details, text }, words, patterns) {
    const missing = patterns.filter((pattern) => !pattern.test(text));
    if (missing.length === 0) return { rank: 0, terms: [] };
    const name = ['name', details.id];
    if (missing.every((pattern) => pattern.test(details.id))) return { rank: 0, terms: [name] };
    const terms = (index?.operations[details.id] ?? []).map((place) => index.terms[place]);
    const found = termsFor([name, ...terms], words, missing);
    return found.length > 0 ? { rank: isExact(found[0], words) ? 1 : 2, terms: found } : null;
  }

  function narrow() {
    const words = input.value.split(/\s+/).filter((word) => /[^_]/.test(word));
    const patterns = words.map((word) => new RegExp(patternOf(word), 'i'));
    const found = new Map(rows.map((row) => [row, words.length === 0 ? { rank: 0, terms: [] } : find(row, words, patterns)]));
    const rankOf = (row) => found.get(row)?.rank ?? 3;
    for (const row of rows) {
      row.summary.querySelector('.why')?.remove();
      const match = found.get(row);
      row.details.hidden = !match;
      if (match?.terms.length) row.summary.append(reason(match.terms));
    }
    // The best come first; without words all are where they were.
    const best = new Map(groups.map((group) => [group, Math.min(...rows.filter((row) => row.group === group).map(rankOf))]));
    for (const group of groups.toSorted((a, b) => best.get(a) - best.get(b))) {
      group.hidden = best.get(group) === 3;
      ways.get(group.querySelector('h2').id).hidden = group.hidden;
      group.parentElement.append(group);
    }
    for (const { details } of rows.toSorted((a, b) => rankOf(a) - rankOf(b))) details.parentElement.append(details);
    const seen = rows.filter(({ details }) => !details.hidden);
    mark(
      seen.map(({ summary }) => summary),
      patterns,
    );
    status.textContent =
      words.length === 0 ? '' : `${seen.length || 'None'} of ${rows.length} ${form.dataset.noun ?? 'operations'}`;
  }

  async function load() {
    if (isAsked) return;
    isAsked = true;
    const response = await fetch(form.dataset.index).catch(() => null);
    if (!response?.ok) {
      // The next letter tries again.
      isAsked = false;
      return;
    }
    index = await response.json();
    if (input.value) narrow();
  }

  form.hidden = false;
  form.addEventListener('submit', (event) => event.preventDefault());
  input.addEventListener('focus', load);
  input.addEventListener('input', () => {
    load();
    narrow();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || /^(?:INPUT|TEXTAREA)$/.test(document.activeElement?.tagName ?? '')) return;
    event.preventDefault();
    input.focus();
  });
  if (input.value) {
    load();
    narrow();
  }
}
