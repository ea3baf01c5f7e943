import { runDoctor } from '../../../src/commands/doctor.js';

/** Runs the doctor. Returns the exit code, all printed lines, and the lines that report a problem. */
export async function examineInstallation(dataDirectory: string, environment: Record<string, string>) {
  const lines: string[] = [];
  const code = await runDoctor({ PORT: '0', DATA_DIR: dataDirectory, ...environment }, (line) => lines.push(line));
  /** Returns the lines of a check, such as `Database`. */
  const linesOf = (check: string) => lines.filter((line) => line.slice(2).startsWith(check));
  return { code, lines, problems: lines.filter((line) => line.startsWith('✗')), linesOf };
}
