import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { type CastingContext, CsvError, parse } from 'csv-parse';
import { StartProblem } from '../../process/start-problem.js';
import type { ImportedColumn } from './column-parser.js';
import { type FileLine, notUtf8Error } from './read-ndjson.js';
import type { FileRow } from './record-parser.js';

/** Number of rows per batch. */
const batchSize = 1000;

/** Reads a file in chunks. Throws a StartProblem if it is not UTF-8. */
async function* utf8Chunks(path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const decode = async (chunk?: Buffer): Promise<string> => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw await notUtf8Error(path);
    }
  };
  for await (const chunk of createReadStream(path)) yield await decode(chunk);
  // Throws if the file ends within a character.
  yield await decode();
}

/**
 * Returns the delimiter: the first comma, semicolon or tab in the header line. Spreadsheets also write semicolons and tabs. Default: comma.
 */
const delimiterOf = (start: string): string => /^[^\r\n]*?([,;\t])/.exec(start)?.[1] ?? ',';

/** Line counts of the parser after a field. */
type Position = Pick<CastingContext, 'lines' | 'empty_lines'>;

/** Describes a syntax error, without values from the file. `last` is the position after the last complete field. */
function descriptionOf(error: CsvError, last: Position): string {
  const { lines, column, empty_lines: emptyLines } = Object(error);
  const start = column === 0 ? last.lines + 1 + emptyLines - last.empty_lines : last.lines;
  switch (error.code) {
    case 'INVALID_OPENING_QUOTE':
      return `line ${lines} has a quote in a field that does not start with a quote. Put the field in quotes, and double each quote in it`;
    case 'CSV_INVALID_CLOSING_QUOTE':
      return `line ${lines} has text after the closing quote of a field${start === lines ? '' : `, which starts in line ${start}`}. Double each quote in a field, and close each field with a quote`;
    case 'CSV_QUOTE_NOT_CLOSED':
      return `line ${start} has a field that starts with a quote, but has no closing quote`;
    default:
      return `line ${lines} cannot be read (${error.code})`;
  }
}

/**
 * Reads a CSV file (RFC 4180) with a header line, in batches. `line` is the line at which a row ends, because quoted fields can contain line
 * breaks. Throws a StartProblem if the file is not valid CSV.
 */
export async function* readCsv(path: string, columns: readonly ImportedColumn[]): AsyncGenerator<FileLine[]> {
  const conversions = new Map<string, ImportedColumn['fromCsv']>();
  for (const { name, fromCsv, valueKey } of columns) {
    conversions.set(name, fromCsv);
    if (valueKey) conversions.set(valueKey, (text) => text);
  }
  const chunks = utf8Chunks(path);
  const { value: start = '' } = await chunks.next();
  const content = async function* () {
    yield start;
    yield* chunks;
  };
  const delimiter = delimiterOf(start);
  let last: Position = { lines: 0, empty_lines: 0 };
  const cast = (text: string, context: CastingContext): string | null => {
    last = context;
    // An empty field without quotes is null, as in PostgreSQL.
    return text === '' && !context.quoting ? null : text;
  };
  const parser = parse({ bom: true, cast, delimiter, info: true, relax_column_count: true, skip_empty_lines: true });
  // If the file cannot be read, `pipeline` destroys the parser, and the loop below throws the error.
  pipeline(content, parser, () => undefined);
  let header: readonly string[] | null = null;
  let lines: FileLine[] = [];
  try {
    for await (const { record, info } of parser) {
      const fields: (string | null)[] = record;
      if (header === null) {
        header = fields.map((name) => name ?? '');
        const repeated = header.find((name, index, names) => names.indexOf(name) < index);
        if (repeated !== undefined)
          throw new StartProblem(`${path} is not valid CSV: the header line contains the column ${repeated} twice.`);
        continue;
      }
      lines.push(lineOf(header, fields, info.lines, conversions));
      if (lines.length === batchSize) {
        yield lines;
        lines = [];
      }
    }
  } catch (error) {
    if (error instanceof CsvError) throw new StartProblem(`${path} is not valid CSV: ${descriptionOf(error, last)}.`);
    throw error;
  }
  yield lines;
}

function lineOf(
  header: readonly string[],
  fields: readonly (string | null)[],
  line: number,
  conversions: ReadonlyMap<string, ImportedColumn['fromCsv']>,
): FileLine {
  if (fields.length !== header.length)
    return { line, row: null, problem: { column: '', expected: `${header.length} fields, as in the header line` } };
  const row: Record<string, unknown> = {};
  for (const [index, name] of header.entries()) {
    const text = fields[index] ?? null;
    // Unknown columns have no conversion. Text that cannot be converted stays a string, which the check of the column refuses.
    row[name] = text === null ? null : (conversions.get(name)?.(text) ?? text);
  }
  return { line, row: row as FileRow, problem: null };
}
