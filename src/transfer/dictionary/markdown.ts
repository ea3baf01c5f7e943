import { typeDescriptions } from './column-type.js';
import { type DictionaryColumn, type DictionaryTable, dictionary } from './dictionary.js';

const introduction = `# Look up the data dictionary

This page describes the files of record types that \`courtside export\` writes and \`courtside import\` reads: see [Run commands](commands.md#import-data-from-another-system).
It is generated from the declarations of the records by \`npm run schema\`. \`courtside import --dictionary\` prints it as JSON.

A file is named after its table, such as \`tournament.ndjson\` or \`tournament.csv\`. Its keys are the names of the columns.`;

const notes = `- **Required** columns need a value in each row. Other columns can be null or missing. If a column is missing in a row, an existing row keeps its value, and a new row gets the default. Rows of one file can have different columns.
- **References** contain a value of the named column, in another file or in an existing row. An import refuses rows with unknown IDs, except where this page says "not checked".
- **Unique** columns contain each value at most once. An import refuses rows that repeat a value. IDs are unique in their table.
- **Computed** columns are derived from other columns or tables. Exported files contain them, and imports ignore their values.`;

const list = (values: readonly string[]): string => values.map((value) => `\`${value}\``).join(', ');

/** Describes the values of a column, in one cell of a table. */
function cellOf({
  type,
  limits,
  values,
  knownValues,
  reference,
  isReferenceChecked,
  unique,
  valueKey,
  valueFormat,
  isComputed,
}: DictionaryColumn): string {
  const parts = [
    type,
    ...(values ? [list(values)] : []),
    ...(knownValues ? [`known values ${list(knownValues)}`] : []),
    ...limits,
    ...(reference ? [`refers to \`${reference}\`${isReferenceChecked ? '' : ' (not checked)'}`] : []),
    ...(unique ? ['unique'] : []),
    ...(isComputed ? ['computed'] : []),
    ...(valueKey ? [`or the unhashed value in \`${valueKey}\`${valueFormat ? `: ${valueFormat}` : ''}`] : []),
  ];
  return parts.join('; ');
}

const escapeCell = (text: string): string => text.replaceAll('|', '\\|');

function rowOf(column: DictionaryColumn): string {
  const presence = column.required ? 'required' : (column.default ?? 'null');
  return `| \`${column.name}\` | ${escapeCell(cellOf(column))} | ${presence} | ${escapeCell(column.description)} |`;
}

const sectionOf = ({ table, record, description, columns, isLookup, uniqueKeys }: DictionaryTable): string =>
  [
    `### ${table}`,
    `\`${record}\`: ${description}`,
    ...(isLookup
      ? ['Each release contains this lookup data. An import refuses rows that change it. Rows with other IDs are imported.']
      : []),
    ...uniqueKeys.map((key) => `Unique together: ${list(key)}.`),
    ['| column | values | default | description |', '|---|---|---|---|', ...columns.map(rowOf)].join('\n'),
  ].join('\n\n');

/** Returns the page docs/data-dictionary.md. */
export function dictionaryPage(): string {
  const types = Object.entries(typeDescriptions).map(([type, description]) => `| ${type} | ${description} |`);
  return `${[
    introduction,
    '## Types',
    ['| type | values |', '|---|---|', ...types].join('\n'),
    notes,
    '## Tables',
    ...dictionary().map(sectionOf),
  ].join('\n\n')}\n`;
}
