import { type Change, type ChangePosition, changeCursor } from '../../../kernel/changes/index.js';
import { badInputError, pathIn } from '../../../kernel/declare/errors.js';
import { mainRow } from '../../../kernel/declare/expression.js';
import { type RecordClass, recordMetas } from '../../../kernel/declare/meta.js';
import { anonymousCaller, type Caller } from '../../../kernel/declare/policy/caller.js';
import { isInSchema } from '../../../kernel/declare/record.js';
import { visibleRows } from '../../../kernel/read/conditions/visible.js';

/** Suffixes of event names, keyed by the kind of change. */
const eventSuffixes = { CREATED: 'created', CHANGED: 'changed', DELETED: 'deleted' } as const;

/** Maximum number of events per webhook. */
const maxEvents = 100;

const eventPrefix = (record: string): string => record.charAt(0).toLowerCase() + record.slice(1);

/** Caller with the rights that every platform has. */
export const anyPlatform: Caller = { ...anonymousCaller, platform: { id: '', name: '' } };

/** Finds the records whose rows are the same for all platforms. Excludes records such as keys, which only one platform can see. */
function findWebhookRecords(): Map<string, RecordClass> {
  const caller = anyPlatform;
  const records = new Map<string, RecordClass>();
  for (const { cls, name, options } of recordMetas()) {
    if (!options || options.unlogged || !isInSchema(options)) continue;
    if (
      ![options.read, options.readList ?? options.read].every((policies) =>
        policies.some((policy) => policy.permitsCaller(caller)),
      )
    )
      continue;
    // All parameters of the condition are values of the caller. Without parameters, all platforms see the same rows.
    if (!visibleRows(cls, caller, mainRow)?.hasParameters) records.set(name, cls);
  }
  return records;
}

let cachedRecords: Map<string, RecordClass> | undefined;

/** Returns the records that webhooks can subscribe to, keyed by type name. */
export const webhookRecords = (): ReadonlyMap<string, RecordClass> => {
  cachedRecords ??= findWebhookRecords();
  return cachedRecords;
};

/** Returns the name of the event for a change, such as `team.changed`. */
const eventName = ({ record, kind }: Pick<Change, 'record' | 'kind'>): string => `${eventPrefix(record)}.${eventSuffixes[kind]}`;

const recordOf = (event: string): string => event.charAt(0).toUpperCase() + event.slice(1, event.indexOf('.'));
const isEvent = (event: string): boolean =>
  /^[a-z]\w*\.(?:created|changed|deleted|\*)$/.test(event) && webhookRecords().has(recordOf(event));

/** Returns the names of records as they appear in event names, such as `team` in `team.changed`. */
export const eventRecords = (): string[] => [...webhookRecords().keys()].map(eventPrefix).sort();

/** Rejects unknown events. The error names the index of each unknown event and lists the available records. */
export function checkEvents(events: readonly string[]): void {
  if (events.length === 0 || events.length > maxEvents)
    throw badInputError([{ field: 'events', expected: `1 to ${maxEvents} events` }]);
  const records = eventRecords().join(', ');
  const expected = `a record followed by .${Object.values(eventSuffixes).join(', .')} or .*, such as team.changed; the records are ${records}`;
  const problems = events.flatMap((event, index) => (isEvent(event) ? [] : [{ field: pathIn('events', index), expected }]));
  if (problems.length > 0) throw badInputError(problems);
}

/** Returns the names of the records that a webhook's events are about. Omits records that the schema no longer contains. */
export const recordNamesOf = (events: readonly string[]): string[] => [...new Set(events.filter(isEvent).map(recordOf))].sort();

/** Whether a change is one of the events that a webhook subscribes to. */
export const includesChange = (events: readonly string[], change: Change): boolean =>
  events.includes(eventName(change)) || events.includes(`${eventPrefix(change.record)}.*`);

/** Returns the queue entry for a change at a position. Its key contains `lineage`, the log ID that survives a failover. */
export const toQueuedEvent = (change: Change, position: ChangePosition, lineage: string) => ({
  eventKey: `evt_${lineage}_${change.position.toString(36)}`,
  event: eventName(change),
  recordType: change.record,
  recordKey: change.id,
  changedFields: change.fields,
  happenedAt: change.at,
  cursor: changeCursor(position),
  position: change.position,
});
export type QueuedEvent = ReturnType<typeof toQueuedEvent>;

/** Returns the body of a delivery: the event and the ID of the record. Receivers query the API for the current values. */
export function deliveryBody({
  event,
  happenedAt,
  recordType,
  recordKey,
  changedFields,
  cursor,
}: Omit<QueuedEvent, 'eventKey' | 'position' | 'cursor'> & { readonly cursor: string | null }): string {
  return JSON.stringify({
    type: event,
    timestamp: happenedAt,
    data: { record: recordType, id: recordKey, changedFields, ...(cursor ? { cursor } : {}) },
  });
}

/** Event that is sent if the change log no longer contains all changes. Receivers that replicate data must read all records again. */
export const missedEvent = 'changes.missed';
/** Event that platforms can request to test whether deliveries arrive. */
export const pingEvent = 'webhook.ping';
