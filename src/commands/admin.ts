import pino from 'pino';
import { type Config, configWarnings, environmentWith, loadConfig } from '../config/index.js';
import { checkDatabaseOption, withCheckedDatabase } from '../database/checks/command-database.js';
import { runningEmbeddedUrl } from '../database/embedded-server.js';
import { openOrm } from '../database/orm.js';
import { migrationProblem } from '../database/ready-sql.js';
import { unknownClient } from '../graphql/context.js';
import { actorOf } from '../kernel/audit.js';
import { renewLog } from '../kernel/changes/index.js';
import type { Services } from '../kernel/declare/context.js';
import { codeOf } from '../kernel/declare/errors.js';
import { anonymousCaller } from '../kernel/declare/policy/caller.js';
import { unavailabilityOf } from '../kernel/monitoring/unavailable.js';
import { Loaders } from '../kernel/read/relations/loaders.js';
import { Pools, Session } from '../kernel/session.js';
import { createMessaging, type Messaging } from '../messaging/index.js';
import { type ContextFor, operatorTasks } from '../modules/accounts/operator-tasks.js';
import { maxPreviousTokenHours } from '../modules/accounts/platforms/save-platform.js';
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
  changes renew                          Start a new change log. Required after a restore of database files.
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

/** Options of the actions. `database-url` applies to all of them. */
export const options = {
  'database-url': { type: 'string' },
  origin: { type: 'string', multiple: true },
  label: { type: 'string' },
  hours: { type: 'string' },
  email: { type: 'string' },
  role: { type: 'string', multiple: true },
  'super-admin': { type: 'boolean' },
  'first-name': { type: 'string' },
  'last-name': { type: 'string' },
  'email-link': { type: 'boolean' },
} as const;

type OptionName = keyof typeof options;
type OptionValues = ReturnType<typeof parseArguments<{ options: typeof options }>>['values'];

interface ActionInput {
  readonly contextFor: ContextFor;
  readonly values: OptionValues;
  readonly readPassword: () => Promise<string>;
}

interface Action {
  readonly argumentCount: number;
  /** Options that apply to this action only. */
  readonly options: readonly OptionName[];
  /** Runs the action with its arguments and returns the lines to print. */
  readonly run: (input: ActionInput, ...actionArguments: string[]) => Promise<string[]>;
}

async function renewChanges({ contextFor }: ActionInput): Promise<string[]> {
  const { sql } = contextFor({});
  await renewLog((text, values) => sql.query(text, values));
  return ['Started a new change log. Subscribers with an earlier cursor get CHANGES_MISSED and must query all data again.'];
}

/** Actions, keyed by name. */
export const actions: Readonly<Record<string, Action>> = {
  'platform create': {
    argumentCount: 1,
    options: ['origin'],
    run: ({ contextFor, values: { origin = [] } }, title = '') => operatorTasks.createPlatform(contextFor, title, origin),
  },
  'platform list': { argumentCount: 0, options: [], run: ({ contextFor }) => operatorTasks.listPlatforms(contextFor) },
  'platform renew-token': {
    argumentCount: 1,
    options: ['hours'],
    run: ({ contextFor, values }, platform = '') => operatorTasks.renewToken(contextFor, platform, hoursOf(values)),
  },
  'platform revoke': {
    argumentCount: 1,
    options: [],
    run: ({ contextFor }, platform = '') => operatorTasks.revokePlatform(contextFor, platform),
  },
  'key create': {
    argumentCount: 1,
    options: ['label', 'origin'],
    run: ({ contextFor, values: { label = null, origin = [] } }, platform = '') =>
      operatorTasks.createKey(contextFor, platform, label, origin),
  },
  'key list': { argumentCount: 0, options: [], run: ({ contextFor }) => operatorTasks.listKeys(contextFor) },
  'key revoke': { argumentCount: 1, options: [], run: ({ contextFor }, id = '') => operatorTasks.revokeKey(contextFor, id) },
  'user create': {
    argumentCount: 1,
    options: ['role', 'super-admin', 'first-name', 'last-name', 'email-link'],
    run: async ({ contextFor, values, readPassword }, email = '') => {
      const { role = [], 'super-admin': isSuperAdmin = false, 'email-link': hasLink = false } = values;
      const { 'first-name': firstName = null, 'last-name': lastName = null } = values;
      const password = hasLink ? null : await readPassword();
      return operatorTasks.createUser(contextFor, role, { isSuperAdmin, firstName, lastName, email, password });
    },
  },
  'user grant-role': {
    argumentCount: 2,
    options: ['email'],
    run: ({ contextFor, values: { email = null } }, user = '', role = '') =>
      operatorTasks.changeRole(contextFor, 'grant', user, role, email),
  },
  'changes renew': { argumentCount: 0, options: [], run: renewChanges },
  'user revoke-role': {
    argumentCount: 2,
    options: [],
    run: ({ contextFor }, user = '', role = '') => operatorTasks.changeRole(contextFor, 'revoke', user, role),
  },
};

function hoursOf({ hours = '0' }: OptionValues): number {
  if (/^\d{1,3}$/.test(hours) && Number(hours) <= maxPreviousTokenHours) return Number(hours);
  throw new UsageError(`--hours: expected a whole number from 0 to ${maxPreviousTokenHours}, but got ${hours}.`);
}

/** Parses the arguments. Throws a `UsageError` if they are invalid. */
function parseAction(args: string[]) {
  const { values, positionals } = parseArguments({ args, options, allowPositionals: true });
  const [noun, verb, ...actionArguments] = positionals;
  if (noun === undefined) throw new UsageError('Missing action.');
  const name = `${noun} ${verb ?? ''}`.trim();
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (!action) throw new UsageError(`Unknown action: ${name}.`);
  const applicable: readonly string[] = ['database-url', ...action.options];
  const unused = Object.keys(values).find((option) => !applicable.includes(option));
  if (unused !== undefined) throw new UsageError(`${name}: the option --${unused} does not apply to this action.`);
  if (action.argumentCount !== actionArguments.length)
    throw new UsageError(`${name}: expected ${quantity(action.argumentCount, 'argument')}, but got ${actionArguments.length}.`);
  hoursOf(values);
  checkDatabaseOption(values['database-url']);
  return { run: action.run, actionArguments, values };
}

type ParsedAction = ReturnType<typeof parseAction>;

/** Runs an action with the same checks as in GraphQL and returns the lines to print. Its audit entries have the source `COMMAND`. */
async function runAction(
  config: Config,
  url: string,
  { run, actionArguments, values }: ParsedAction,
  readPassword: () => Promise<string>,
): Promise<string[]> {
  const orm = openOrm({ url, pool: 2 });
  let messaging: Messaging | null = null;
  try {
    const pools = new Pools(orm);
    const problem = await migrationProblem(pools);
    if (problem) throw new StartProblem(`The database is not ready: ${problem}.`);
    if (values['email-link']) messaging = await openOutbox(url);
    const services = { authenticator: new Authenticator(pools), settings: config, outbox: messaging?.outbox } as Services;
    const contextFor: ContextFor = (overrides) => {
      const caller = { ...anonymousCaller, ...overrides };
      const sql = new Session(pools, 'write', caller, { actor: () => actorOf(caller, '', 'COMMAND') });
      return { caller, sql, loaders: new Loaders(sql), client: unknownClient, services };
    };
    return await run({ contextFor, values, readPassword }, ...actionArguments);
  } finally {
    await messaging?.stop();
    await orm.close();
  }
}

/** Opens the outbox. The running service sends the messages in it. */
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
  const action = parseAction(args);
  const { 'database-url': urlOption, 'email-link': sendsLink } = action.values;
  const config = loadConfig(environmentWith(urlOption === undefined ? {} : { DATABASE_URL: urlOption }));
  const configuredVariable = config.databaseUrl === null ? null : 'DATABASE_URL';
  const variable = urlOption === undefined ? configuredVariable : '--database-url';
  const url = config.databaseUrl ?? (await runningEmbeddedUrl(config.dataDir));
  if (!url) throw new StartProblem('No database is running. Start the service, or set DATABASE_URL.', ...configWarnings());
  if (sendsLink && config.isProduction && config.publicUrl === null)
    throw new StartProblem('PUBLIC_URL must be set for --email-link, because the link starts with it.');
  try {
    const run = () => runAction(config, url, action, passwordReader);
    for (const line of await withCheckedDatabase(url, variable, run)) print(line);
    return 0;
  } catch (error) {
    // An error with a code means that the input is invalid, for example an unknown role, or that the database failed.
    throw error instanceof Error && codeOf(error) ? new StartProblem(withCause(error)) : error;
  }
}

/** Returns the error message. If the database failed, it includes the cause. */
function withCause(error: Error): string {
  const { cause, code } = unavailabilityOf(error);
  return cause === undefined ? error.message : `${error.message}: ${cause}${code === undefined ? '' : ` (${code})`}`;
}

export const command: Command = { usage, run: (args) => runAdmin(args, (line) => console.log(line)) };
