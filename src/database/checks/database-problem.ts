import { errorCode, isSqlState } from '../../kernel/database-errors.js';
import { StartProblem } from '../../process/start-problem.js';
import type { DatabaseServer } from './database-server.js';

/** Error of a `courtside` command that lost its connection to the database while it was running. */
export class ConnectionLoss extends StartProblem {}

/** Cause of an error, and the remedy. */
interface Explanation {
  readonly cause: string;
  /** Whether the original error message follows the cause in parentheses. */
  readonly hasDetail?: boolean;
  readonly remedy: string;
}

type Explain = (server: DatabaseServer) => Explanation;

/** Explanation for errors that have certain codes and, if a pattern is given, a matching message. */
interface Rule {
  /** Pattern for SQLSTATE codes or classes, or for error codes of Node.js. If undefined, only `message` decides. */
  readonly codes?: RegExp;
  readonly message?: RegExp;
  readonly explain: Explain;
}

const extensions = 'cube, earthdistance, hstore, pg_trgm and unaccent';

const correct = ({ variable }: DatabaseServer): string => (variable === null ? 'see the log in DATA_DIR' : `correct ${variable}`);

/** Matches errors of the driver and the connection pool if a connection was not established in time. */
const connectTimeout = /timeout expired|timeout exceeded when trying to connect|due to connection timeout/;

/** All rules. The first rule that matches an error applies. */
const rules: readonly Rule[] = [
  {
    codes: /^(?:ECONNREFUSED|ENOENT)$/,
    explain: (server) => ({
      cause: `PostgreSQL does not respond at ${server.address}`,
      remedy: `start it, or ${correct(server)}`,
    }),
  },
  {
    codes: /^(?:ENOTFOUND|EAI_)/,
    explain: (server) => ({ cause: `The host ${server.host} in ${server.variable} is unknown`, remedy: correct(server) }),
  },
  {
    codes: /^(?:ETIMEDOUT|EHOST|ENET)/,
    explain: (server) => ({
      cause: `PostgreSQL does not respond at ${server.address}`,
      remedy: `check the network and its firewalls, or ${correct(server)}`,
    }),
  },
  {
    message: connectTimeout,
    explain: (server) => ({
      cause: `PostgreSQL at ${server.address} does not respond in time`,
      remedy: `check the load of the server, the network and its firewalls, or ${correct(server)}`,
    }),
  },
  {
    message: /does not support SSL connections/,
    explain: ({ address, variable }) => ({
      cause: `PostgreSQL at ${address} does not support TLS, which sslmode in ${variable} requires`,
      remedy: 'set "ssl = on" on the server, or remove sslmode',
    }),
  },
  {
    codes: /^CERT_HAS_EXPIRED$/,
    explain: ({ address }) => ({
      cause: `The TLS certificate of PostgreSQL at ${address} has expired`,
      remedy: 'renew the certificate',
    }),
  },
  {
    codes: /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    explain: ({ address, variable }) => ({
      cause: `The TLS certificate of PostgreSQL at ${address} is valid only for other hosts`,
      remedy: `set ${variable} to a host of the certificate, or issue a certificate for this host`,
    }),
  },
  {
    codes: /CERT|UNABLE_TO_VERIFY_LEAF_SIGNATURE/,
    explain: ({ address, variable }) => ({
      cause: `The TLS certificate of PostgreSQL at ${address} is not from a trusted authority`,
      remedy: `add sslrootcert=<file> with the certificate of the authority to ${variable}`,
    }),
  },
  {
    codes: /^(?:EPROTO|ERR_SSL)/,
    explain: (server) => ({
      cause: `The TLS connection to ${server.address} failed`,
      remedy: `check the TLS settings of the server, or ${correct(server)}`,
    }),
  },
  {
    message: /SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a/,
    explain: ({ user, address, variable }) => ({
      cause: `PostgreSQL at ${address} requires a password for ${user}`,
      remedy: `add the password to ${variable}`,
    }),
  },
  {
    codes: /^28000$/,
    message: /pg_hba\.conf.*(?:no encryption|SSL off)/,
    explain: ({ address, user, variable }) => ({
      cause: `PostgreSQL at ${address} does not accept connections of ${user} without TLS`,
      remedy: `add sslmode=verify-full to ${variable}, or a rule for the user to pg_hba.conf`,
    }),
  },
  {
    codes: /^28000$/,
    message: /pg_hba\.conf/,
    explain: ({ address, user }) => ({
      cause: `PostgreSQL at ${address} does not accept connections of ${user} from this machine`,
      remedy: 'add a rule for the user to pg_hba.conf on the server',
    }),
  },
  {
    codes: /^28/,
    explain: (server) => ({
      cause: `PostgreSQL at ${server.address} rejects the login of ${server.user}`,
      remedy: server.variable === null ? correct(server) : `correct the user and the password in ${server.variable}`,
    }),
  },
  {
    codes: /^3D000$/,
    explain: (server) => ({
      cause: `The database ${server.database} does not exist at ${server.address}`,
      remedy: `create it, or ${correct(server)}`,
    }),
  },
  {
    codes: /^(?:08P01|0A000)$/,
    message: /startup parameter/,
    explain: ({ address, variable }) => ({
      cause: `The pooler at ${address} rejects a parameter of ${variable}`,
      hasDetail: true,
      remedy: `remove the parameter from ${variable}, or add it to ignore_startup_parameters of the pooler`,
    }),
  },
  {
    codes: /^08P01$/,
    explain: (server) => ({
      cause: `The pooler at ${server.address} refuses the connection`,
      hasDetail: true,
      remedy: `check the databases, users and server connections in its configuration, or ${correct(server)}`,
    }),
  },
  {
    codes: /^(?:08|ECONNRESET|EPIPE)/,
    explain: (server) => ({
      cause: `PostgreSQL at ${server.address} closed the connection`,
      remedy: `see the log of the server, or ${correct(server)}`,
    }),
  },
  {
    message: /Connection terminated|not queryable/,
    explain: (server) => ({
      cause: `PostgreSQL at ${server.address} closed the connection`,
      remedy: `see the log of the server, or ${correct(server)}`,
    }),
  },
  {
    codes: /^53100$/,
    explain: ({ address }) => ({
      cause: `The disk of PostgreSQL at ${address} is full`,
      remedy: 'free up space on the disk, then start again',
    }),
  },
  {
    codes: /^53300$/,
    explain: ({ address }) => ({
      cause: `PostgreSQL at ${address} accepts no more connections`,
      hasDetail: true,
      remedy:
        'close other connections, reduce DATABASE_POOL of all services, or raise max_connections of the server or the limit of the user',
    }),
  },
  {
    codes: /^(?:53|58|XX)/,
    explain: ({ address }) => ({
      cause: `PostgreSQL at ${address} has an internal problem`,
      hasDetail: true,
      remedy: 'check the memory, the disk and the log of the server',
    }),
  },
  {
    codes: /^(?:42704|22023|42501)$/,
    message: /configuration parameter|value for parameter|permission denied to set parameter/,
    explain: ({ address, variable }) => ({
      cause: `PostgreSQL at ${address} rejects a setting of the connection`,
      hasDetail: true,
      remedy: `correct the query parameters of ${variable}, and the settings of the user and the database`,
    }),
  },
  {
    codes: /^(?:22P05|22021|42704|0A000)$/,
    message: /encoding/,
    explain: ({ database }) => ({
      cause: `The database ${database} cannot store all characters`,
      hasDetail: true,
      remedy: `create it again with the encoding UTF8`,
    }),
  },
  {
    codes: /^(?:0A000|58P01|42704)$/,
    message: /extension/,
    explain: ({ address }) => ({
      cause: `PostgreSQL at ${address} does not provide an extension`,
      hasDetail: true,
      remedy: `install the package postgresql-contrib on the server, which contains ${extensions}`,
    }),
  },
  {
    codes: /^42501$/,
    message: /create extension|extension "/,
    explain: ({ user, database }) => ({
      cause: `The user ${user} may not create the extensions of Courtside`,
      remedy: `let a superuser run "create extension" for ${extensions} in the database ${database} once`,
    }),
  },
  {
    codes: /^42501$/,
    explain: ({ user, database }) => ({
      cause: `The user ${user} lacks a permission in the database ${database}`,
      hasDetail: true,
      remedy: `make the user the owner of the database and its tables, or grant the permission. If another user owns the tables, run "courtside migrate --grants ${user}" as that user`,
    }),
  },
  {
    codes: /^3F000$/,
    explain: ({ user, database }) => ({
      cause: `The search_path of ${user} contains no schema of the database ${database} in which the user may create tables`,
      remedy: `run alter role … set search_path = public, and grant create on schema public to the user`,
    }),
  },
  {
    codes: /^(?:42P01|42883|42704)$/,
    explain: ({ user, database }) => ({
      cause: `The database ${database} lacks a part of Courtside`,
      hasDetail: true,
      remedy: `set the search_path of ${user} to the schema with the tables and extensions, usually public, or use another database`,
    }),
  },
  {
    codes: /^42(?:P0[67]|710|723)$/,
    explain: ({ database, variable }) => ({
      cause: `The database ${database} already contains tables of another program`,
      hasDetail: true,
      remedy: variable === null ? 'set DATA_DIR to another directory' : `set ${variable} to an empty database`,
    }),
  },
  {
    codes: /^25006$/,
    explain: (server) => ({
      cause: `PostgreSQL at ${server.address} is read-only`,
      remedy: `set ${server.variable} to the primary server, and remove default_transaction_read_only`,
    }),
  },
  {
    codes: /^(?:26000|42P05)$/,
    explain: ({ address }) => ({
      cause: `The pooler at ${address} does not support prepared statements in transaction mode`,
      remedy: 'set DATABASE_PREPARED=off, or set max_prepared_statements in PgBouncer 1.21 or newer',
    }),
  },
  {
    codes: /^57P0/,
    explain: ({ address }) => ({
      cause: `PostgreSQL at ${address} is starting or shutting down`,
      remedy: 'start again when it is running',
    }),
  },
  {
    codes: /^(?:55P03|57014|40)/,
    explain: ({ database }) => ({
      cause: `Another transaction in the database ${database} blocks the start`,
      hasDetail: true,
      remedy: 'start again when it has finished',
    }),
  },
];

/** Error codes of Node.js for connection problems. */
const connectionCodes = /^(?:ECONN|ENOTFOUND|EAI_|ETIMEDOUT|EHOST|ENET|EPIPE|EPROTO|ERR_SSL|ERR_TLS)|CERT|UNABLE_TO_VERIFY/;
/** Matches errors of the driver, which have no code. */
const driverMessages =
  /Connection terminated|not queryable|timeout expired|timeout exceeded when trying to connect|does not support SSL connections|SASL: /;

/** Whether an error means that the connection ended. */
const isConnectionLoss = (error: Error): boolean =>
  /^(?:08|57P0|ECONNRESET|EPIPE)/.test(errorCode(error)) ||
  (/Connection terminated|not queryable/.test(error.message) && !connectTimeout.test(error.message));

/**
 * Returns the first error with a code in the chain of causes, because libraries wrap errors. Also stops at a connect timeout, because its
 * cause is only that the pool then ended the connection.
 */
const rootOf = (error: Error): Error =>
  errorCode(error) === '' && error.cause instanceof Error && !connectTimeout.test(error.message) ? rootOf(error.cause) : error;

/** Whether the database server reported an error. */
export const hasSqlState = (error: unknown): boolean => error instanceof Error && isSqlState(errorCode(rootOf(error)));

/** Whether an error comes from the database or from a connection to it. */
export function isDatabaseError(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof StartProblem) return false;
  const root = rootOf(error);
  const code = errorCode(root);
  return isSqlState(code) || connectionCodes.test(code) || (code === '' && driverMessages.test(root.message));
}

/** Returns the name of an error: its SQLSTATE, or its Node.js error code. */
const nameOf = (code: string): string => (isSqlState(code) ? `SQLSTATE ${code}` : code);

/**
 * Explains an error of the database or of a connection to it, in one line with its SQLSTATE and a remedy. Messages of PostgreSQL contain
 * names of objects and settings, but no values and no passwords.
 */
export function databaseProblem(error: Error, server: DatabaseServer): StartProblem {
  const root = rootOf(error);
  const code = errorCode(root);
  // Further lines, which contain hints from PostgreSQL, are omitted. A colon would be read as the separator between cause and remedy.
  const message = (root.message.split('\n')[0] ?? '').replaceAll(': ', ', ');
  const rule = rules.find(({ codes, message: pattern }) => (codes?.test(code) ?? true) && (pattern?.test(root.message) ?? true));
  const { cause, hasDetail, remedy } = rule?.explain(server) ?? {
    cause: `PostgreSQL at ${server.address} reports an error`,
    hasDetail: true,
    remedy: `see the log of the server, or ${correct(server)}`,
  };
  const details = [...(hasDetail ? [message] : []), nameOf(code)].filter((text) => text !== '').join(', ');
  const Problem = isConnectionLoss(root) ? ConnectionLoss : StartProblem;
  return new Problem(`${cause}${details && ` (${details})`}: ${remedy}.`);
}
