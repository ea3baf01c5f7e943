import { isIdName } from '../comparison/compare-json.js';
import type { Outcome } from '../comparison/compare-responses.js';
import { pseudonymPattern } from '../recording/pseudonyms.js';
import type { RecordedRequest } from './recorded.js';
import type { ServerTranslator } from './server-translator.js';
import { collectionOf, isShort } from './short-ids.js';

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const wholePseudonym = new RegExp(`^${pseudonymPattern.source}$`);
const possibleIds = /[\w-]{8,}/g;

/** Returns the strings and integers in a JSON value, keyed by path, each with the nearest object key. */
function leavesOf(value: unknown, key = '', path = '', leaves = new Map<string, { key: string; value: string }>()) {
  if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value))
      leavesOf(inner, Array.isArray(value) ? key : name, `${path}.${name}`, leaves);
  else if ((typeof value === 'string' && value) || Number.isSafeInteger(value)) leaves.set(path, { key, value: String(value) });
  return leaves;
}

type LeafValues = ReturnType<typeof leavesOf>;

function leavesIn(json: string | null): LeafValues | null {
  try {
    return json === null ? null : leavesOf(JSON.parse(json));
  } catch {
    // The text is not JSON, or is nested too deeply.
    return null;
  }
}

const leavesOfOutcome = (outcome: Outcome): LeafValues | null =>
  'failure' in outcome || outcome.status >= 400 ? null : leavesIn(outcome.body.toString());

const couldBeId = (key: string, value: string) =>
  uuid.test(value) || (isIdName(key) && (/^[\w-]{8,200}$/.test(value) || /^\d+$/.test(value)));

/** Values at the same JSON path in the recorded response and in the responses of both servers. */
interface ComparedValues {
  readonly key: string;
  readonly recorded: string | undefined;
  readonly oldValue: string | undefined;
  readonly newValue: string | undefined;
}

/** Finds the IDs and tokens that each server generates. A generated value does not occur in earlier requests and responses. */
export class GeneratedIds {
  readonly #oldTranslator: ServerTranslator;
  readonly #newTranslator: ServerTranslator;
  /** Values of earlier requests, and of earlier recorded responses. */
  readonly #recordedValues = new Set<string>();
  /** Values in earlier responses of the servers. */
  readonly #receivedValues = { old: new Set<string>(), new: new Set<string>() };

  constructor(oldTranslator: ServerTranslator, newTranslator: ServerTranslator) {
    this.#oldTranslator = oldTranslator;
    this.#newTranslator = newTranslator;
  }

  /** Whether a request contains unknown values. Pending requests may return them. */
  mustWait({ textsWithIds }: RecordedRequest): boolean {
    return [...this.#possibleIdsIn(textsWithIds)].some((id) => !this.#recordedValues.has(id));
  }

  /** Registers the values in a request. No server can generate them afterwards. */
  addRequest({ textsWithIds }: RecordedRequest): void {
    for (const id of this.#possibleIdsIn(textsWithIds)) this.#recordedValues.add(id);
  }

  /** Compares the responses of both servers, and registers the values that the servers generated. */
  addResponses(request: RecordedRequest, oldOutcome: Outcome, newOutcome: Outcome): void {
    const [recordedLeaves, oldLeaves, newLeaves] = [
      leavesIn(request.recordedResponse),
      leavesOfOutcome(oldOutcome),
      leavesOfOutcome(newOutcome),
    ];
    const [oldValues, newValues] = [oldLeaves, newLeaves].map(
      (leaves) => new Set([...(leaves ?? [])].map(([, { value }]) => value)),
    );
    if (this.#oldTranslator.firstWriteAt !== null && (request.isWrite || recordedLeaves))
      for (const [path, { key, value }] of recordedLeaves ?? oldLeaves ?? []) {
        const values = {
          key,
          recorded: recordedLeaves ? value : undefined,
          oldValue: oldLeaves?.get(path)?.value,
          newValue: newLeaves?.get(path)?.value,
        };
        if ([value, values.oldValue, values.newValue].some((id) => id !== undefined && isShort(id)))
          this.#addShort(values, request);
        else if (!this.#isKnownToBoth(values, request, oldValues, newValues)) this.#add(values, request);
      }
    for (const value of oldValues ?? []) this.#receivedValues.old.add(value);
    for (const value of newValues ?? []) this.#receivedValues.new.add(value);
    for (const [, { value }] of recordedLeaves ?? []) this.#recordedValues.add(value);
  }

  /** Whether both servers know a value, so that neither of them generated it. */
  #isKnownToBoth(
    { oldValue, newValue }: ComparedValues,
    { isWrite }: RecordedRequest,
    oldValues?: Set<string>,
    newValues?: Set<string>,
  ): boolean {
    if (oldValue === newValue) return !isWrite;
    const isInAny = (value: string | undefined, sets: (Set<string> | undefined)[]) =>
      value !== undefined && sets.some((set) => set?.has(value));
    return (
      isInAny(oldValue, [newValues, this.#receivedValues.new, this.#recordedValues]) ||
      isInAny(newValue, [oldValues, this.#receivedValues.old, this.#recordedValues])
    );
  }

  #add({ key, recorded, oldValue, newValue }: ComparedValues, { isWrite, name }: RecordedRequest): void {
    const recordedId = recorded ?? oldValue;
    const isToken = wholePseudonym.test(recordedId ?? '');
    const isUsable = (id: string | undefined): id is string => id !== undefined && (isToken || couldBeId(key, id));
    if (!isUsable(recordedId) || this.#recordedValues.has(recordedId) || oldValue === recorded) return;
    const collection = isWrite ? collectionOf(name) : null;
    if (isUsable(oldValue) && oldValue !== recordedId) this.#oldTranslator.addId(recordedId, oldValue, collection);
    if (isUsable(newValue) && newValue !== recordedId) this.#newTranslator.addId(recordedId, newValue, collection);
  }

  /**
   * Registers short IDs, such as numbers. Short IDs can be equal by chance, so only responses to writes count, and only values that the
   * request does not contain.
   */
  #addShort({ key, recorded, oldValue, newValue }: ComparedValues, { isWrite, name, textsWithIds }: RecordedRequest): void {
    const recordedId = recorded ?? oldValue;
    const collection = collectionOf(name);
    const isRecordId = /^(?:uu)?id$/i.test(key);
    const isGenerated = isRecordId || (isIdName(key) && recorded !== undefined && oldValue !== recorded);
    if (!isWrite || recordedId === undefined || collection === null || !isGenerated || !couldBeId(key, recordedId)) return;
    if (textsWithIds.some((text) => text.split(/[^\w-]+/).includes(recordedId))) return;
    if (oldValue !== undefined && oldValue !== recordedId) this.#oldTranslator.addId(recordedId, oldValue, collection);
    if (newValue !== undefined && newValue !== recordedId) this.#newTranslator.addId(recordedId, newValue, collection);
  }

  *#possibleIdsIn(texts: readonly string[]): Generator<string> {
    for (const text of texts) for (const [id] of text.matchAll(possibleIds)) yield id;
  }
}
