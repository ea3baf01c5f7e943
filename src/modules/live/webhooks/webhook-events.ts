import { type Change, changeCursor } from '../../../kernel/changes/index.js';
import { type Caller, nobody } from '../../../kernel/declare/caller.js';
import { badInput, pathIn } from '../../../kernel/declare/errors.js';
import { type RecordClass, recordMetas } from '../../../kernel/declare/meta.js';
import { isShown } from '../../../kernel/declare/record.js';
import { visibleRows } from '../../../kernel/read/visible.js';
import { paramsFor } from '../../../kernel/statement.js';

/** What events say of what happened, by what the log says. */
const happenings = { CREATED: 'created', CHANGED: 'changed', DELETED: 'deleted' } as const;

/** Most events that a webhook names. */
const most = 100;

const nameOf = (record: string): string => record.charAt(0).toLowerCase() + record.slice(1);

/** A platform of which nothing more is known. */
export const anyPlatform: Caller = { ...nobody, platform: { id: '', name: '' } };

/** Records that every platform reads. Those of which each platform sees others, such as its own keys, are not among them. */
function lookUp(): Map<string, RecordClass> {
  const caller = anyPlatform;
  const found = new Map<string, RecordClass>();
  for (const { cls, name, options } of recordMetas()) {
    if (!options || options.unlogged || !isShown(options)) continue;
    if (![options.read, options.readList ?? options.read].every((by) => by.some((policy) => policy.maybe(caller)))) continue;
    let isOwn = false;
    const param = paramsFor(() => {
      isOwn = true;
      return '';
    });
    visibleRows(cls, caller, param);
    if (!isOwn) found.set(name, cls);
  }
  return found;
}

let known: Map<string, RecordClass> | undefined;

/** By the names of their types. */
export const offeredRecords = (): ReadonlyMap<string, RecordClass> => {
  known ??= lookUp();
  return known;
};

/** `team.changed`. */
export const nameOfEvent = ({ record, kind }: Pick<Change, 'record' | 'kind'>): string => `${nameOf(record)}.${happenings[kind]}`;

const recordOf = (event: string): string => event.charAt(0).toUpperCase() + event.slice(1, event.indexOf('.'));
const isEvent = (event: string): boolean =>
  /^[a-z]\w*\.(?:created|changed|deleted|\*)$/.test(event) && offeredRecords().has(recordOf(event));

/** Rejects what are no events, each by its place, and says which there are. */
export function checkEvents(events: readonly string[]): void {
  if (events.length === 0 || events.length > most) throw badInput([{ field: 'events', expected: `1 to ${most} events` }]);
  const records = [...offeredRecords().keys()].map(nameOf).sort().join(', ');
  const expected = `a record with .${Object.values(happenings).join(', .')} or .* behind it, such as team.changed; records are ${records}`;
  const wrong = events.flatMap((event, index) => (isEvent(event) ? [] : [{ field: pathIn('events', index), expected }]));
  if (wrong.length > 0) throw badInput(wrong);
}

/** The records of which a webhook hears; those that the graph has no more are left out. */
export const recordsOf = (events: readonly string[]): string[] => [...new Set(events.filter(isEvent).map(recordOf))].sort();

/** Whether a webhook wants an event. */
export const wants = (events: readonly string[], change: Change): boolean =>
  events.includes(nameOfEvent(change)) || events.includes(`${nameOf(change.record)}.*`);

/** An event as it is kept for a webhook. */
export const toSend = (change: Change, log: string) => ({
  eventKey: `evt_${log}_${change.position.toString(36)}`,
  event: nameOfEvent(change),
  recordType: change.record,
  recordKey: change.id,
  changedFields: change.fields,
  happenedAt: change.at,
  cursor: changeCursor({ log, position: change.position }),
  position: change.position,
});
export type ToSend = ReturnType<typeof toSend>;

/** Told where the log does not have any more what came before: whoever keeps copies reads anew. */
export const missedEvent = 'changes.missed';
/** Told when somebody wants to see that deliveries arrive. */
export const pingEvent = 'webhook.ping';
