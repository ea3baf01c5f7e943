/** Filters the list of operations by its visible text, and by the names in the search index. */

import { element } from './elements.js';

/** Maximum number of displayed matches of an operation. */
const maxTerms = 3;

/**
 * Creates a pattern that ignores underscores: `registrationFee` matches `Registration_Fee`. Names in GraphQL and `/v1` differ in their
 * underscores.
 */
const patternOf = (word) => [...word.replaceAll('_', '')].map((letter) => letter.replace(/[^\p{L}\p{N}]/u, '\\$&')).join('_?');

const isExact = (term, words) => {
  const names = term.flatMap((text) => [text, text.split('.').at(-1)]).map((name) => name.toLowerCase());
  return words.some((word) => names.includes(word.toLowerCase()));
};

/** Returns the names that match all words, or else one name per word. Empty if a word matches no name. */
function termsFor(terms, words, patterns) {
  const matching = (pattern) => terms.filter((term) => pattern.test(term.join(' ')));
  const byWord = patterns.map(matching);
  if (byWord.some((matches) => matches.length === 0)) return [];
  const commonTerms = byWord[0].filter((term) => byWord.every((matches) => matches.includes(term)));
  const matches = commonTerms.length > 0 ? commonTerms : [...new Set(byWord.map(([first]) => first))];
  return matches.toSorted((a, b) => isExact(b, words) - isExact(a, words));
}

const termElement = ([kind, name, coordinate]) =>
  element(
    'span',
    {},
    element('span.tag', {}, kind),
    ' ',
    element('code', {}, name),
    ...(coordinate ? [' = ', element('code', {}, coordinate)] : []),
  );

function matchElement(terms) {
  const hiddenCount = terms.length - maxTerms;
  const remainingCount = hiddenCount > 0 ? element('span', {}, `and ${hiddenCount} more`) : null;
  return element('span.matches', {}, ...terms.slice(0, maxTerms).map(termElement), remainingCount);
}

/** Highlights the words in the visible rows. */
function highlight(rows, patterns) {
  if (!CSS.highlights) return;
  const ranges = rows.flatMap((row) => {
    const texts = document.createTreeWalker(row, NodeFilter.SHOW_TEXT, ({ parentElement }) =>
      parentElement.matches('.tag, .method') ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
    );
    const wordRanges = [];
    while (texts.nextNode())
      for (const pattern of patterns)
        for (const { index, 0: match } of texts.currentNode.data.matchAll(new RegExp(pattern, 'gi')))
          wordRanges.push(
            new StaticRange({
              startContainer: texts.currentNode,
              startOffset: index,
              endContainer: texts.currentNode,
              endOffset: index + match.length,
            }),
          );
    return wordRanges;
  });
  CSS.highlights.set('search-match', new Highlight(...ranges));
}

/** Connects a search form to the list of operations. The search index is loaded when the form gets the focus. */
export function initializeSearch(form, operations) {
  const input = form.querySelector('input');
  const status = form.querySelector('[role=status]');
  const groups = [...document.querySelectorAll('.group')];
  const rows = operations.map((details) => {
    const summary = details.querySelector('summary');
    return { details, summary, text: summary.textContent, group: details.closest('.group') };
  });
  const groupLinks = new Map(
    [...document.querySelectorAll('.reference nav a')].map((link) => [link.hash.slice(1), link.closest('li')]),
  );
  let index = null;
  let isRequested = false;

  /**
   * Returns the rank and the matching names of an operation, or null if nothing matches. Rank 0 is the best: a match in the visible text.
   */
  function find({ details, text }, words, patterns) {
    const missingPatterns = patterns.filter((pattern) => !pattern.test(text));
    if (missingPatterns.length === 0) return { rank: 0, terms: [] };
    const name = ['name', details.id];
    if (missingPatterns.every((pattern) => pattern.test(details.id))) return { rank: 0, terms: [name] };
    const terms = (index?.operations[details.id] ?? []).map((position) => index.terms[position]);
    const matches = termsFor([name, ...terms], words, missingPatterns);
    return matches.length > 0 ? { rank: isExact(matches[0], words) ? 1 : 2, terms: matches } : null;
  }

  function update() {
    const words = input.value.split(/\s+/).filter((word) => /[^_]/.test(word));
    const patterns = words.map((word) => new RegExp(patternOf(word), 'i'));
    const matches = new Map(rows.map((row) => [row, words.length === 0 ? { rank: 0, terms: [] } : find(row, words, patterns)]));
    const rankOf = (row) => matches.get(row)?.rank ?? 3;
    for (const row of rows) {
      row.summary.querySelector('.matches')?.remove();
      const match = matches.get(row);
      row.details.hidden = !match;
      if (match?.terms.length) row.summary.append(matchElement(match.terms));
    }
    // The best matches come first. Without search words, the original order is restored.
    const bestRanks = new Map(groups.map((group) => [group, Math.min(...rows.filter((row) => row.group === group).map(rankOf))]));
    for (const group of groups.toSorted((a, b) => bestRanks.get(a) - bestRanks.get(b))) {
      group.hidden = bestRanks.get(group) === 3;
      groupLinks.get(group.querySelector('h2').id).hidden = group.hidden;
      group.parentElement.append(group);
    }
    for (const { details } of rows.toSorted((a, b) => rankOf(a) - rankOf(b))) details.parentElement.append(details);
    const visible = rows.filter(({ details }) => !details.hidden);
    highlight(
      visible.map(({ summary }) => summary),
      patterns,
    );
    status.textContent = words.length === 0 ? '' : `${visible.length} of ${rows.length} ${form.dataset.noun ?? 'operations'}`;
  }

  async function load() {
    if (isRequested) return;
    isRequested = true;
    const response = await fetch(form.dataset.index).catch(() => null);
    if (!response?.ok) {
      // The next input event tries to load the index again.
      isRequested = false;
      return;
    }
    index = await response.json();
    if (input.value) update();
  }

  form.hidden = false;
  form.addEventListener('submit', (event) => event.preventDefault());
  input.addEventListener('focus', load);
  input.addEventListener('input', () => {
    load();
    update();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || /^(?:INPUT|TEXTAREA)$/.test(document.activeElement?.tagName ?? '')) return;
    event.preventDefault();
    input.focus();
  });
  if (input.value) {
    load();
    update();
  }
}
