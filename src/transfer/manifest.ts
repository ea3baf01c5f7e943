import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { release } from '../process/release.js';
import { StartProblem } from '../process/start-problem.js';

/** Version of the export format. */
const format = 1;

/** Name of the manifest. The manifest is written last, so an incomplete export has no manifest. */
export const manifestFile = 'manifest.json';

/** Empty file that marks an incomplete export. While it exists, the files cannot be imported as records of another system. */
export const incompleteMarkerFile = 'export.incomplete';

const exportedTable = z.object({
  table: z.string(),
  /** Name of the file, which contains one row per line, as a JSON object. The keys are the names of the columns. */
  file: z.string().regex(/^[a-z_.]+\.ndjson$/),
  columns: z.array(z.string()),
  rows: z.number().int().min(0),
  /** SHA-256 of the file in hexadecimal. */
  sha256: z.string(),
});

const sequence = z.object({
  name: z.string(),
  lastValue: z.string().regex(/^-?\d+$/),
  /** Whether `lastValue` has been used. If false, `lastValue` is the next value. */
  isCalled: z.boolean(),
});

const manifest = z.object({
  format: z.literal(format),
  release: z.string(),
  exportedAt: z.string(),
  /** Names of the migrations that created the tables. */
  migrations: z.array(z.string()),
  tables: z.array(exportedTable),
  sequences: z.array(sequence),
});

/** Content of an export's manifest. */
export type ExportManifest = z.infer<typeof manifest>;
export type ExportedTable = z.infer<typeof exportedTable>;
export type SequenceState = z.infer<typeof sequence>;

/** Writes the manifest of a complete export. */
export async function writeManifest(directory: string, content: Omit<ExportManifest, 'format' | 'release'>): Promise<void> {
  await writeFile(join(directory, manifestFile), `${JSON.stringify({ format, release, ...content }, null, 2)}\n`, {
    mode: 0o600,
  });
}

/** Reads the manifest of an export. Throws a StartProblem if it is missing or invalid, or if another release wrote the export. */
export async function readManifest(directory: string): Promise<ExportManifest> {
  const path = join(directory, manifestFile);
  const text = await readFile(path, 'utf8').catch(() => null);
  if (text === null) throw new StartProblem(`${path} cannot be read: expected a directory with a complete export.`);
  const content = parseJson(text);
  if (content === undefined) throw new StartProblem(`${path} is not valid JSON: repeat the export.`);
  const { success, data, error } = manifest.safeParse(content);
  if (!success) throw new StartProblem(`${path} is invalid: ${z.prettifyError(error)}`);
  if (data.release !== release) {
    throw new StartProblem(
      `Release ${data.release} wrote the export in ${directory}, but this is release ${release}: import it with release ${data.release}, and upgrade the database afterwards.`,
    );
  }
  return data;
}

/** Parses JSON. Returns undefined for other text. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
