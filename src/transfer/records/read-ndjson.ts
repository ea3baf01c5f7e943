import { isUtf8 } from 'node:buffer';
import { StartProblem } from '../../process/start-problem.js';
import { readBlocks } from '../row-files.js';
import type { FileRow, RowProblem } from './record-parser.js';

/** Line of a file: its number, starting at 1, and its row or its problem. */
export interface FileLine {
  readonly line: number;
  readonly row: FileRow | null;
  readonly problem: RowProblem | null;
}

const invalidLine: RowProblem = { column: '', expected: 'a JSON object' };

function parseLine(text: string): FileRow | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as FileRow) : null;
  } catch {
    return null;
  }
}

/** Creates the error for a file in another encoding, with the first invalid line. Decoding the file as UTF-8 would corrupt its texts. */
export async function notUtf8Error(path: string): Promise<StartProblem> {
  let line = 0;
  for await (const block of readBlocks(path))
    for (let start = 0; start < block.length; ) {
      const end = block.indexOf('\n', start) + 1 || block.length;
      line++;
      if (!isUtf8(block.subarray(start, end)))
        return new StartProblem(`${path} is not UTF-8 at line ${line}: convert it to UTF-8.`);
      start = end;
    }
  return new StartProblem(`${path} is not UTF-8: convert it to UTF-8.`);
}

/** Reads a file with one JSON object per line, in blocks. Skips blank lines and a byte order mark. */
export async function* readNdjson(path: string): AsyncGenerator<FileLine[]> {
  let line = 0;
  for await (const block of readBlocks(path)) {
    if (!isUtf8(block)) throw await notUtf8Error(path);
    const lines: FileLine[] = [];
    const blockText = block.toString();
    const texts = (line === 0 ? blockText.replace(/^\ufeff/, '') : blockText).split('\n');
    // A block ends with a line break, except at the end of the file.
    if (texts.at(-1) === '') texts.pop();
    for (const text of texts) {
      line++;
      if (text.trim() === '') continue;
      const row = parseLine(text);
      lines.push({ line, row, problem: row ? null : invalidLine });
    }
    yield lines;
  }
}
