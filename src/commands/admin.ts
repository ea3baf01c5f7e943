import { parseArgs } from 'node:util';
import { loadConfig } from '../config.js';
import { runningEmbedded } from '../database/embedded-running.js';
import { openOrm } from '../database/orm.js';
import { notReady } from '../database/ready-sql.js';
import { unknownClient } from '../gateway/context.js';
import { actorOf } from '../kernel/audit.js';
import { nobody } from '../kernel/declare/caller.js';
import type { Services } from '../kernel/declare/context.js';
import { codeOf } from '../kernel/declare/errors.js';
import { Loaders } from '../kernel/read/loaders.js';
import { Pools, Session } from '../kernel/session.js';
import { Identifier } from '../modules/accounts/identify.js';
import { type ContextFor, operatorTasks } from '../modules/accounts/operator-tasks.js';
import { StartProblem } from '../start-problem.js';

const usage = `npm run admin -- <what> [--database-url postgresql://…]

platform create <title> [--origin <origin>]…              registers a platform; prints its token, this once
platform list
platform revoke <id or title>                             the platform and its keys are refused
key create <platform> [--label <text>] [--origin <origin>]…  makes a publishable key; prints it, this once
key list
key revoke <id>
user grant-role <id or e-mail address> <role>             a role by its title, such as NEWS_CREATOR
user revoke-role <id or e-mail address> <role>

Without --database-url, DATABASE_URL says which database; without that, the embedded one that is running.
A running service knows of it within half a second. Exit codes: 0 done, 1 refused or failed, 2 not understood.`;

type Verb = (as: ContextFor, ...words: string[]) => Promise<string[]>;
interface Given {
  origin: string[];
  label: string | null;
}

/** Each verb with how many words it takes. */
const verbs = ({ origin, label }: Given): Record<string, readonly [words: number, run: Verb]> => ({
  'platform create': [1, (as, title = '') => operatorTasks.createPlatform(as, title, origin)],
  'platform list': [0, operatorTasks.listPlatforms],
  'platform revoke': [1, (as, named = '') => operatorTasks.revokePlatform(as, named)],
  'key create': [1, (as, platform = '') => operatorTasks.createKey(as, platform, label, origin)],
  'key list': [0, operatorTasks.listKeys],
  'key revoke': [1, (as, id = '') => operatorTasks.revokeKey(as, id)],
  'user grant-role': [2, (as, user = '', role = '') => operatorTasks.changeRole(as, 'grant', user, role)],
  'user revoke-role': [2, (as, user = '', role = '') => operatorTasks.changeRole(as, 'revoke', user, role)],
});

const options = {
  'database-url': { type: 'string' },
  origin: { type: 'string', multiple: true },
  label: { type: 'string' },
  help: { type: 'boolean' },
} as const;

/** What the arguments say; null where they say nothing that can be done. */
function read(args: string[]) {
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const [noun, verb, ...words] = positionals;
    const found = verbs({ origin: values.origin ?? [], label: values.label ?? null })[`${noun} ${verb}`];
    return found && found[0] === words.length && !values.help ? { run: found[1], words, url: values['database-url'] } : null;
  } catch {
    return null;
  }
}

/** Does what the arguments say, by the rules of the graph; the lines to print. The audit has it as done by a command. */
async function onDatabase(url: string, run: Verb, words: string[]): Promise<string[]> {
  const orm = openOrm({ url, pool: 2 });
  try {
    const pools = new Pools(orm);
    const problem = await notReady(pools);
    if (problem) throw new StartProblem(`This cannot be done: ${problem}.`);
    const services = { identifier: new Identifier(pools) } as Services;
    const as: ContextFor = (some) => {
      const caller = { ...nobody, ...some };
      const sql = new Session(pools, 'write', caller, { actor: () => actorOf(caller, '', 'COMMAND') });
      return { caller, sql, loaders: new Loaders(sql), client: unknownClient, services };
    };
    return await run(as, ...words);
  } finally {
    await orm.close();
  }
}

/** Answers the exit code. */
export async function runAdmin(args: string[], print: (line: string) => void, complain: (line: string) => void): Promise<number> {
  const wanted = read(args);
  if (!wanted) {
    complain(usage);
    return 2;
  }
  try {
    const config = loadConfig(wanted.url ? { DATABASE_URL: wanted.url } : undefined);
    const url = config.databaseUrl ?? (await runningEmbedded(config.dataDir));
    if (!url) throw new StartProblem('Start the service first, or set DATABASE_URL to its database.');
    for (const line of await onDatabase(url, wanted.run, wanted.words)) print(line);
    return 0;
  } catch (error) {
    if (!(error instanceof StartProblem) && !codeOf(error)) throw error;
    complain((error as Error).message);
    return 1;
  }
}

if (import.meta.main)
  process.exitCode = await runAdmin(
    process.argv.slice(2),
    (line) => console.log(line),
    (line) => console.error(line),
  );
