import { environmentWith } from '../config.js';
import { databaseFindings } from './doctor/database.js';
import { type Finding, looked } from './doctor/finding.js';
import { diskFindings, memoryFinding, nodeFinding } from './doctor/machine.js';
import { mailFindings } from './doctor/mail.js';
import { portFindings } from './doctor/port.js';
import { readSettings } from './doctor/settings.js';

const marks: Readonly<Record<Finding['state'], string>> = { right: '✓', wrong: '✗', open: '–' };

/** `✗ Port         4000 is in use by another program. Mend: stop the program, or …` */
const lineOf = (about: string, { state, says, mend }: Finding): string =>
  `${marks[state]} ${about.padEnd(11)} ${says}${mend ? `. Mend: ${mend}` : ''}`;

/** Looks at all that the service needs, prints a line on each, and answers the exit code: 0 where nothing is wrong. */
export async function runDoctor(environment: Record<string, string | undefined>, print: (line: string) => void): Promise<number> {
  const { config, findings: settings } = readSettings(environment);
  const [port, database, mail, disk] = await Promise.all([
    looked(() => portFindings(config)),
    databaseFindings(config),
    looked(() => mailFindings(config)),
    looked(() => diskFindings(config)),
  ]);
  const { Clock: clock, ...ofDatabase } = database;
  const all: Record<string, Finding[]> = {
    Node: [nodeFinding()],
    Settings: settings,
    Port: port,
    ...ofDatabase,
    SMTP: mail,
    Disk: disk,
    Clock: clock,
    Memory: [memoryFinding(config)],
  };
  const found = Object.entries(all).flatMap(([about, findings]) => findings.map((finding) => ({ about, finding })));
  for (const { about, finding } of found) print(lineOf(about, finding));
  const count = found.filter(({ finding }) => finding.state === 'wrong').length;
  print(count === 0 ? 'All is well.' : `${count} ${count === 1 ? 'thing is' : 'things are'} wrong.`);
  return count === 0 ? 0 : 1;
}

if (import.meta.main) process.exitCode = await runDoctor(environmentWith({}), (line) => console.log(line));
