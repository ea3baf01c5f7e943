import { environmentWith } from '../config/index.js';
import { type Command, parseArguments } from '../process/command.js';
import { quantity } from '../process/quantity.js';
import { databaseFindings } from './doctor/database.js';
import { type Finding, runCheck } from './doctor/finding.js';
import { diskFindings, memoryFinding, nodeFinding } from './doctor/machine.js';
import { mailFindings } from './doctor/mail.js';
import { portFindings } from './doctor/port.js';
import { readSettings } from './doctor/settings.js';

const usage = `Usage: courtside doctor

Checks everything that the service needs: Node.js, settings, port, database, mail server, disk, clock and memory. Prints one line per check:
✓ passed, ✗ failed, ! warning, – skipped. Most failures and warnings include a fix. The service does not have to be running. The command changes nothing and prints no secrets.

Examples:
  courtside doctor
  NODE_ENV=production DATABASE_URL=postgresql://… courtside doctor

Exit codes: 0 if no check failed, 1 if a check failed, 2 for invalid arguments.`;

const marks: Readonly<Record<Finding['state'], string>> = { passed: '✓', failed: '✗', warning: '!', skipped: '–' };

/** Formats a line such as `✗ Port         4000 is in use by another program. Fix: stop the program, or …`. */
const lineOf = (check: string, { state, message, fix }: Finding): string =>
  `${marks[state]} ${check.padEnd(11)} ${message}${fix ? `. Fix: ${fix}` : ''}`;

/** Runs all checks, prints their findings, and returns the exit code: 0 if no check failed, or else 1. */
export async function runDoctor(environment: Record<string, string | undefined>, print: (line: string) => void): Promise<number> {
  const { config, findings: settings } = await readSettings(environment);
  const [port, database, mail, disk] = await Promise.all([
    runCheck(() => portFindings(config)),
    databaseFindings(config),
    runCheck(() => mailFindings(config)),
    runCheck(() => diskFindings(config)),
  ]);
  const { Clock: clock, ...databaseChecks } = database;
  const findingsByCheck: Record<string, Finding[]> = {
    Node: [nodeFinding()],
    Settings: settings,
    Port: port,
    ...databaseChecks,
    SMTP: mail,
    Disk: disk,
    Clock: clock,
    Memory: [memoryFinding(config)],
  };
  for (const [check, findings] of Object.entries(findingsByCheck)) for (const finding of findings) print(lineOf(check, finding));
  const findings = Object.values(findingsByCheck).flat();
  const count = findings.filter(({ state }) => state === 'failed').length;
  const warningCount = findings.filter(({ state }) => state === 'warning').length;
  const warnings = warningCount > 0 ? ` ${quantity(warningCount, 'warning')}.` : '';
  print(`${count === 0 ? 'No problems found.' : `${quantity(count, 'problem')} found.`}${warnings}`);
  return count === 0 ? 0 : 1;
}

export const command: Command = {
  usage,
  run: async (args) => {
    parseArguments({ args });
    return runDoctor(environmentWith({}), (line) => console.log(line));
  },
};
