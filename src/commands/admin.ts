import pino from 'pino';
import { type Config, environmentWith, loadConfig } from '../config/index.js';
import { checkDatabase } from '../database/check-database.js';
import { runningEmbedded } from '../database/embedded-server.js';
import { openOrm } from '../database/orm.js';
import { notReady } from '../database/ready-sql.js';
import { unknownClient } from '../graphql/context.js';
import { actorOf } from '../kernel/audit.js';
import { renewLog } from '../kernel/changes/index.js';
import type { Services } from '../kernel/declare/context.js';
import { codeOf } from '../kernel/declare/errors.js';
import { anonymousCaller } from '../kernel/declare/policy/caller.js';
import { Loaders } from '../kernel/read/relations/loaders.js';
import { Pools, Session } from '../kernel/session.js';
import { createMessaging, type Messaging } from '../messaging/index.js';
import { type ContextFor, operatorTasks } from '../modules/accounts/operator-tasks.js';
import { Authenticator } from '../modules/accounts/sign-in/authenticator.js';
import { type Command, parseArguments, UsageError } from '../process/command.js';
import { quantity } from '../process/quantity.js';
import { StartProblem } from '../process/start-problem.js';
import { readPassword } from './read-password.js';

const usage = `Usage: courtside admin <action> [options]

Manages platforms, publishable keys, users, roles and the change log. Running services apply the changes within half a second.

Actions:
  platform create <title>                Create a platform. Prints its token once: it cannot be shown again.
  platform list                          List all platforms.
  platform renew-token <id or title>     Replace the token of a platform. Prints the new token once.
  platform revoke <id or title>          Revoke the token and the publishable keys of a platform.
  key create <platform id or title>      Create a publishable key. Prints it once: it cannot be shown again.
  key list                               List all publishable keys.
  key revoke <id>                        Revoke a publishable key.
  user create <email>                    Create a user. Prompts for the password, or reads it from standard input.
  user grant-role <id or email> <role>   Grant a role, such as NEWS_CREATOR.
  user revoke-role <id or email> <role>  Revoke a role.
  changes renew                          Start a new change log, after the files of the database were restored.
                                         Subscribers with an earlier cursor get CHANGES_MISSED.

Options:
  --origin <origin>     Origin of the web pages that may use the platform or key. Can be repeated.
  --label <text>        Label of a new key.
  --hours <hours>       For renew-token: hours until the previous token expires, 0 to 720. Default: 0.
  --role <role>         For user create: role of the user, such as NEWS_CREATOR. Can be repeated.
  --super-admin         For user create: make the user a super admin with all roles.
  --first-name <text>   For user create: first name.
  --last-name <text>    For user create: last name.
  --email-link          For user create: email a link for setting the password, instead of asking for it.
  --email <address>     For grant-role: email address that the user has confirmed to you. Required if it is unverified.
  --database-url <url>  Database to change. Default: DATABASE_URL, or else the running embedded database.
  --help                Show this help.

Examples:
  courtside admin platform create 'My site' --origin https://www.example.com
  courtside admin platform renew-token 'My site' --hours 48
  courtside admin key create 'My site' --label Website
  courtside admin user create ana@example.com --super-admin
  courtside admin user create ana@example.com --role NEWS_CREATOR < password.txt
  courtside admin user grant-role ana@example.com NEWS_CREATOR

Exit codes: 0 for success, 1 for an error, 2 for invalid arguments.`;

type Action = (contextFor: ContextFor, ...values: string[]) => Promise<string[]>;
interface ActionOptions {
  origin: string[];
  label: string | null;
  hours: number;
  email: string | null;
  role: string[];
  isSuperAdmin: boolean;
  firstName: string | null;
  lastName: string | null;
  /** Reads the password of a new user. Null if the user gets a link by email. */
  passwordReader: (() => Promise<string>) | null;
}

async function renewChanges(contextFor: ContextFor): Promise<string[]> {
  const { sql } = contextFor({});
  await renewLog((text, values) => sql.query(text, values));
  return ['The change log is new. Subscribers with an earlier cursor get CHANGES_MISSED, and query all data again.'];
}

/** Returns the actions, keyed by name, each with its number of arguments and its function. */
const actions = ({
  origin,
  label,
  hours,
  email,
  role,
  passwordReader,
  ...profile
}: ActionOptions): Record<string, readonly [argumentCount: number, run: Action]> => ({
  'platform create': [1, (contextFor, title = '') => operatorTasks.createPlatform(contextFor, title, origin)],
  'platform list': [0, operatorTasks.listPlatforms],
  'platform renew-token': [1, (contextFor, platform = '') => operatorTasks.renewToken(contextFor, platform, hours)],
  'platform revoke': [1, (contextFor, platform = '') => operatorTasks.revokePlatform(contextFor, platform)],
  'key create': [1, (contextFor, platform = '') => operatorTasks.createKey(contextFor, platform, label, origin)],
  'key list': [0, operatorTasks.listKeys],
  'key revoke': [1, (contextFor, id = '') => operatorTasks.revokeKey(contextFor, id)],
  'user create': [
    1,
    async (contextFor, address = '') => {
      const password = passwordReader ? await passwordReader() : null;
      return operatorTasks.createUser(contextFor, role, { ...profile, email: address, password });
    },
  ],
  'user grant-role': [2, (contextFor, user = '', role = '') => operatorTasks.changeRole(contextFor, 'grant', user, role, email)],
  'changes renew': [0, renewChanges],
  'user revoke-role': [2, (contextFor, user = '', role = '') => operatorTasks.changeRole(contextFor, 'revoke', user, role)],
});

const options = {
  'database-url': { type: 'string' },
  origin: { type: 'string', multiple: true },
  label: { type: 'string' },
  hours: { type: 'string', default: '0' },
  email: { type: 'string' },
  role: { type: 'string', multiple: true },
  'super-admin': { type: 'boolean', default: false },
  'first-name': { type: 'string' },
  'last-name': { type: 'string' },
  'email-link': { type: 'boolean', default: false },
} as const;

/** Parses the arguments. Throws a `UsageError` if they are invalid. */
function parseAction(args: string[], readPassword: () => Promise<string>) {
  const { values, positionals } = parseArguments({ args, options, allowPositionals: true });
  const [noun, verb, ...actionArguments] = positionals;
  if (noun === undefined) throw new UsageError('Missing action.');
  const name = `${noun} ${verb ?? ''}`.trim();
  const hours = /^\d{1,3}$/.test(values.hours) ? Number(values.hours) : Number.NaN;
  if (Number.isNaN(hours)) throw new UsageError(`--hours: expected a whole number from 0 to 720, but got ${values.hours}.`);
  const { origin = [], label = null, email = null, role = [], 'super-admin': isSuperAdmin, 'email-link': hasLink } = values;
  const { 'first-name': firstName = null, 'last-name': lastName = null } = values;
  const passwordReader = hasLink ? null : readPassword;
  const action = actions({ origin, label, hours, email, role, isSuperAdmin, firstName, lastName, passwordReader })[name];
  if (!action) throw new UsageError(`Unknown action: ${name}.`);
  const [count, run] = action;
  if (count !== actionArguments.length)
    throw new UsageError(`${name}: expected ${quantity(count, 'argument')}, but got ${actionArguments.length}.`);
  return { run, actionArguments, url: values['database-url'], sendsLink: name === 'user create' && hasLink };
}

type ParsedAction = ReturnType<typeof parseAction>;

/** Runs an action with the same checks as in GraphQL, and returns the lines to print. Its audit entries have the source `COMMAND`. */
async function runAction(config: Config, url: string, { run, actionArguments, sendsLink }: ParsedAction): Promise<string[]> {
  await checkDatabase(url);
  const orm = openOrm({ url, pool: 2 });
  let messaging: Messaging | null = null;
  try {
    const pools = new Pools(orm);
    const problem = await notReady(pools);
    if (problem) throw new StartProblem(`The database is not ready: ${problem}.`);
    if (sendsLink) messaging = await openOutbox(url);
    const services = { authenticator: new Authenticator(pools), settings: config, outbox: messaging?.outbox } as Services;
    const contextFor: ContextFor = (overrides) => {
      const caller = { ...anonymousCaller, ...overrides };
      const sql = new Session(pools, 'write', caller, { actor: () => actorOf(caller, '', 'COMMAND') });
      return { caller, sql, loaders: new Loaders(sql), client: unknownClient, services };
    };
    return await run(contextFor, ...actionArguments);
  } finally {
    await messaging?.stop();
    await orm.close();
  }
}

/** Opens the outbox. The running service sends its messages. */
async function openOutbox(databaseUrl: string): Promise<Messaging> {
  const messaging = await createMessaging({
    config: { smtpUrl: null, mailFrom: '', sms: null, catchUnsent: false },
    databaseUrl,
    log: pino({ level: 'silent' }),
    sendsMessages: false,
  });
  await messaging.start();
  return messaging;
}

/** Runs the command and returns its exit code. Throws a `StartProblem` if the action rejects its arguments. */
export async function runAdmin(
  args: string[],
  print: (line: string) => void,
  passwordReader: () => Promise<string> = readPassword,
): Promise<number> {
  const action = parseAction(args, passwordReader);
  const config = loadConfig(environmentWith(action.url ? { DATABASE_URL: action.url } : {}));
  const url = config.databaseUrl ?? (await runningEmbedded(config.dataDir));
  if (!url) throw new StartProblem('No database is running. Start the service, or set DATABASE_URL.');
  if (action.sendsLink && config.isProduction && config.publicUrl === null)
    throw new StartProblem('PUBLIC_URL must be set for --email-link, because the link starts with it.');
  try {
    for (const line of await runAction(config, url, action)) print(line);
    return 0;
  } catch (error) {
    // An error with a code means invalid input, such as an unknown role.
    throw error instanceof Error && codeOf(error) ? new StartProblem(error.message) : error;
  }
}

export const command: Command = { usage, run: (args) => runAdmin(args, (line) => console.log(line)) };
