import { enumeration } from '../../kernel/declare/enumeration.js';

export const Division = enumeration('Division', 'Division of the rankings, derived from the title of the event.', {
  WOMENS_SINGLES: `Women's singles.`,
  MENS_SINGLES: `Men's singles.`,
  MIXED_DOUBLES: 'Mixed doubles.',
  WOMENS_DOUBLES: `Women's doubles.`,
  MENS_DOUBLES: `Men's doubles.`,
  OTHER: 'Events with any other title.',
});
export type Division = keyof typeof Division;

const categories: Readonly<Record<string, string>> = {
  women: 'women',
  ladies: 'women',
  female: 'women',
  men: 'men',
  gentlemen: 'men',
  male: 'men',
  mixed: 'mixed',
};

const divisions: Readonly<Record<string, Division>> = {
  'women singles': 'WOMENS_SINGLES',
  'men singles': 'MENS_SINGLES',
  'mixed doubles': 'MIXED_DOUBLES',
  'women doubles': 'WOMENS_DOUBLES',
  'men doubles': 'MENS_DOUBLES',
  // Mixed singles do not exist, so "Mixed 4.0" means doubles.
  'mixed ': 'MIXED_DOUBLES',
};

const abbreviations: Readonly<Record<string, Division>> = {
  ws: 'WOMENS_SINGLES',
  ms: 'MENS_SINGLES',
  xd: 'MIXED_DOUBLES',
  wd: 'WOMENS_DOUBLES',
  md: 'MENS_DOUBLES',
};

const categoryPattern = new RegExp(`\\b(${Object.keys(categories).join('|')})(?:['’]?s)?\\b`, 'i');
const disciplinePattern = /\b(singles|doubles)\b/i;
/**
 * Abbreviations in upper case or lower case, possibly followed by a level: `MD`, `(ws)`, `XD4.0`. Mixed case does not match, because `Ms`
 * is a word.
 */
const abbreviationPattern = /(?<!\p{L})(WS|MS|XD|WD|MD|ws|ms|xd|wd|md)(?!\p{L})/u;

/**
 * Returns the division for the title of an event, such as `Women's Doubles - Pro` (decisions 25 and 63). Abbreviations count only if the
 * title contains no word for a gender or a discipline, because `MD` can also mean Maryland.
 */
export function divisionOf(title: string | null): Division {
  const wordOf = (pattern: RegExp) => pattern.exec(title ?? '')?.[1]?.toLowerCase() ?? '';
  const [gender, format] = [wordOf(categoryPattern), wordOf(disciplinePattern)];
  const division = gender || format ? divisions[`${categories[gender]} ${format}`] : abbreviations[wordOf(abbreviationPattern)];
  return division ?? 'OTHER';
}
