import type { RecordClass } from '../kernel/declare/meta.js';
import { optionsOf } from '../kernel/declare/record.js';
import { queueSchema } from '../messaging/queue-names.js';
import { AuditEntry } from '../modules/accounts/audit/audit-entry.js';
import { modules } from '../modules/index.js';
import { Category } from '../modules/news/category.js';
import { referenceData } from '../modules/reference/data.js';

const tableOf = (cls: RecordClass): string => optionsOf(cls).table;

/** Classes of all records, in the order of the modules. */
export const recordClasses: readonly RecordClass[] = [...new Set(modules.flatMap(({ records }) => records))];

/** Tables of the declared records. */
export const recordTables: readonly string[] = recordClasses.map(tableOf);

/** Tables that no record declares: the change log, values that triggers derive from records, and data of requests and webhooks. */
const internalTables = [
  'cache_version',
  'change',
  'change_log',
  'deleted_event',
  'deleted_hidden_tournament',
  'hidden_players_period',
  'idempotent_response',
  'rate_limit',
  'route_pair',
  'route_usage',
  'row_count',
  'search_text',
  'shadow_difference',
  'shadow_read',
  'sign_in_location',
  'tournament_name',
  'tournament_word',
  'usage_sender',
  'webhook_position',
];

/**
 * Tables with the IDs of deleted records, and the tables of these records. Records that still refer to the deleted records stay hidden from
 * visitors. An export of records contains these tables.
 */
export const deletedRecordTables: ReadonlyMap<string, string> = new Map([
  ['deleted_hidden_tournament', 'tournament'],
  ['deleted_event', 'tournament_event'],
]);

/** Tables whose rows never change. Their column `created_at` contains the time of the write. */
export const appendOnlyTables: ReadonlySet<string> = new Set([tableOf(AuditEntry)]);

/** Tables of the job queue. A queue precedes its jobs and schedules, which refer to it. Statistics are not transferred. */
const queueTable = `${queueSchema}.queue`;
const jobTables = [`${queueSchema}.schedule`, `${queueSchema}.job`];

/**
 * All tables with data of the service. A transfer contains them in this order. It does not contain the tables that record executed
 * migrations, because migrations fill them.
 */
export const transferredTables: readonly string[] = [...recordTables, ...internalTables, queueTable, ...jobTables];

/** Tables with lookup data, which is part of each release. */
export const lookupTables: readonly string[] = referenceData.map(([cls]) => tableOf(cls));

/** Tables that migrations and a first start of the service fill. An import replaces their rows. The other tables must be empty. */
export const initialTables: ReadonlySet<string> = new Set([
  ...lookupTables,
  tableOf(Category),
  tableOf(AuditEntry),
  ...internalTables,
  queueTable,
  `${queueSchema}.schedule`,
]);
