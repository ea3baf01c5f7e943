import type { RecordClass } from '../declare/meta.js';
import { inNfc } from '../declare/nfc.js';
import { optionsOf } from '../declare/record.js';
import { is } from '../row-shape.js';
import type { Param, Row, Session } from '../session.js';
import { collect } from '../statement.js';
import { closeness } from './closeness.js';
import { namesOf } from './name-table.js';
import { namesWith, placeName, placeText } from './searched-place.js';
import { visibleRows } from './visible.js';

/** Minimum length of a search word to be found inside longer words. The trigram index does not help for shorter words. */
const insideFrom = 3;
/** Maximum length of a search word to be tried with swapped letters. Longer words keep enough trigrams for a comparison. */
const shortTo = 6;
/** Most words of a search. */
const mostWords = 12;

const pattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** The spellings of a short word with two neighboring letters swapped. */
const swapped = (word: string): string[] => {
  const letters = [...word];
  if (letters.length <= insideFrom || letters.length > shortTo) return [];
  return letters
    .slice(1)
    .map((letter, index) => [...letters.slice(0, index), letter, letters[index], ...letters.slice(index + 2)].join(''));
};

/** SQL: a text contains a word, or a similarly spelled one. */
function hasWord(text: string, word: string, param: Param): string {
  const asked = `folded(${param(word)}::text)`;
  // `<<%` compares whole words, with a separate threshold (src/database/orm.ts).
  const near = [`${asked} <<% ${text}`, `${asked} <% ${text}`];
  const spellings = word.length < insideFrom ? [] : [word, ...swapped(word)];
  const holds = spellings.map((spelling) => `${text} like folded(${param(pattern(spelling))}::text)`);
  return `(${[...holds, ...near].join(' or ')})`;
}

/** SQL: a row has a word in its name or its location. */
function matchesWord(cls: RecordClass, word: string, names: readonly string[], param: Param): string {
  const { table } = optionsOf(cls);
  const { from, id, name } = namesOf(cls);
  const text = placeText(cls, 'p.');
  if (!text) return hasWord(name, word, param);
  const inState = names.length ? ` or ${placeName(cls, 'p.')} = any(${param(names)}::text[])` : '';
  // The name and the place are in two tables with an index each.
  return `${id} in (select ${id} from ${from} where ${hasWord(name, word, param)}
    union select p.id from ${table} p where ${hasWord(text, word, param)}${inState})`;
}

/**
 * SQL of the rows of one record that match all words in name or location. `fits` rates the match of the name: above 1 if the name contains the
 * text, and higher if it contains little else.
 */
async function foundOf(cls: RecordClass, place: number, text: string, sql: Session, param: Param): Promise<string> {
  const { caller } = sql;
  const findable = optionsOf(cls).findable?.(caller, param);
  const words = inNfc(text);
  const { from, id, name } = namesOf(cls);
  const asked = `folded(${param(words)}::text)`;
  const holds = `${name} like folded(${param(pattern(words))}::text)`;
  const visible = visibleRows(cls, caller, param);
  const each = [...new Set(words.split(/\s+/))].slice(0, mostWords);
  const names = await Promise.all(each.map((word) => namesWith(sql, cls, word)));
  const where = [
    ...each.map((word, index) => matchesWord(cls, word, names[index] ?? [], param)),
    ...(findable ? [`(${findable})`] : []),
    ...(visible ? [`(${visible})`] : []),
  ];
  return `select '${cls.name}' as "$type", ${place} as place, ${id}, ${name} as name, ${asked} as asked,
      (${holds})::int + word_similarity(${asked}, ${name}) + similarity(${asked}, ${name}) / 10 as fits
    from ${from} where ${where.join(' and ')}`;
}

const foundIn = async (sql: Session, records: readonly RecordClass[], text: string, param: Param): Promise<string> =>
  (await Promise.all(records.map((cls, place) => foundOf(cls, place, text, sql, param)))).join(' union all ');

/** Of how many of the best it is looked at letter by letter how close they are; the others stay in the order of the database. */
const lookedAt = 200;

/** The best ones in order: to groups of three letters, which the database compares, two letters that changed places are another word. */
const inOrder = (rows: readonly Row[]): Row[] =>
  rows
    .map((row, index) => ({ row, index, fits: Number(row.fits) + closeness(String(row.asked), String(row.name)) }))
    .sort((a, b) => b.fits - a.fits || a.index - b.index)
    .map(({ row }) => row);

/** Rows of several records that match all words in name or location, best match first. Runs one statement for all records. */
export async function find(
  sql: Session,
  records: readonly RecordClass[],
  text: string,
  first: number,
  offset: number,
): Promise<Row[]> {
  const values: unknown[] = [];
  const param = collect(values);
  const found = await foundIn(sql, records, text, param);
  const from = offset < lookedAt ? 0 : offset;
  const rows = await sql.rows(
    `select f.* from (${found}) f order by f.fits desc, f.place, f.id limit ${param(Math.max(lookedAt, offset + first) - from)} offset ${param(from)}`,
    values,
  );
  const ordered = from === 0 ? [...inOrder(rows.slice(0, lookedAt)), ...rows.slice(lookedAt)] : rows;
  return ordered.slice(offset - from, offset - from + first);
}

/** How many rows there are in all that such a search finds. */
export async function countFound(sql: Session, records: readonly RecordClass[], text: string): Promise<number> {
  const values: unknown[] = [];
  const found = await foundIn(sql, records, text, collect(values));
  const row = await sql.row(`select count(*)::int as n from (${found}) f`, values, { n: is.number });
  return row?.n ?? 0;
}
