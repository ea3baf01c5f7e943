import { isIdName } from '../comparison/compare-json.js';
import type { Outcome } from '../comparison/compare-responses.js';
import { pseudonymForm } from '../recording/pseudonyms.js';
import type { RecordedRequest } from './recorded.js';
import type { ServerNames } from './server-names.js';
import { collectionOf, isShort } from './short-ids.js';

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const wholePseudonym = new RegExp(`^${pseudonymForm.source}$`);
const possibleIds = /[\w-]{8,}/g;

/** Strings and integers of JSON by path, with the nearest object key. */
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
    // The text is not JSON, or it is nested too deeply.
    return null;
  }
}

const leavesOfOutcome = (outcome: Outcome): LeafValues | null =>
  'failure' in outcome || outcome.status >= 400 ? null : leavesIn(outcome.body.toString());

const couldBeId = (key: string, value: string) =>
  uuid.test(value) || (isIdName(key) && (/^[\w-]{8,200}$/.test(value) || /^\d+$/.test(value)));

/** The values at one JSON path: in the recording, and in the responses of both servers. */
interface Values {
  readonly key: string;
  readonly recorded: string | undefined;
  readonly old: string | undefined;
  readonly now: string | undefined;
}

/** Finds the IDs and tokens that each server generated. Such a value is new in the recording and in the responses of both servers. */
export class GeneratedIds {
  readonly #old: ServerNames;
  readonly #now: ServerNames;
  /** Values of earlier requests, and of earlier recorded responses. */
  readonly #inFile = new Set<string>();
  readonly #received = { old: new Set<string>(), now: new Set<string>() };

  constructor(old: ServerNames, now: ServerNames) {
    this.#old = old;
    this.#now = now;
  }

  /** Whether a request contains unknown values, which may be in the responses of pending requests. */
  mustWait({ placeholders }: RecordedRequest): boolean {
    return [...this.#namesIn(placeholders)].some((name) => !this.#inFile.has(name));
  }

  /** Registers the values in a request. The client chose them, or they are known already. */
  addRequest({ placeholders }: RecordedRequest): void {
    for (const name of this.#namesIn(placeholders)) this.#inFile.add(name);
  }

  /** Compares the responses of both servers, and registers the values that they generated. */
  addResponses(request: RecordedRequest, old: Outcome, now: Outcome): void {
    const [recorded, before, after] = [leavesIn(request.answer), leavesOfOutcome(old), leavesOfOutcome(now)];
    const [oldValues, nowValues] = [before, after].map((leaves) => new Set([...(leaves ?? [])].map(([, { value }]) => value)));
    if (this.#old.writesSince !== null && (request.writes || recorded))
      for (const [path, { key, value }] of recorded ?? before ?? []) {
        const values = {
          key,
          recorded: recorded ? value : undefined,
          old: before?.get(path)?.value,
          now: after?.get(path)?.value,
        };
        if ([value, values.old, values.now].some((id) => id !== undefined && isShort(id))) this.#addShort(values, request);
        else if (!this.#isShared(values, request, oldValues, nowValues)) this.#add(values, request);
      }
    for (const value of oldValues ?? []) this.#received.old.add(value);
    for (const value of nowValues ?? []) this.#received.now.add(value);
    for (const [, { value }] of recorded ?? []) this.#inFile.add(value);
  }

  /** Whether both servers know a value. Then neither of them generated it. */
  #isShared({ old, now }: Values, { writes }: RecordedRequest, oldValues?: Set<string>, nowValues?: Set<string>): boolean {
    if (old === now) return !writes;
    const isInAny = (value: string | undefined, sets: (Set<string> | undefined)[]) =>
      value !== undefined && sets.some((set) => set?.has(value));
    return (
      isInAny(old, [nowValues, this.#received.now, this.#inFile]) || isInAny(now, [oldValues, this.#received.old, this.#inFile])
    );
  }

  #add({ key, recorded, old, now }: Values, { writes, name }: RecordedRequest): void {
    const inFile = recorded ?? old;
    const isToken = wholePseudonym.test(inFile ?? '');
    const isUsable = (id: string | undefined): id is string => id !== undefined && (isToken || couldBeId(key, id));
    if (!isUsable(inFile) || this.#inFile.has(inFile) || old === recorded) return;
    const collection = writes ? collectionOf(name) : null;
    if (isUsable(old) && old !== inFile) this.#old.addName(inFile, old, collection);
    if (isUsable(now) && now !== inFile) this.#now.addName(inFile, now, collection);
  }

  /** Registers short IDs, such as numbers. They can be equal by chance, so only writes count, and only values that the request does not contain. */
  #addShort({ key, recorded, old, now }: Values, { writes, name, placeholders }: RecordedRequest): void {
    const inFile = recorded ?? old;
    const collection = collectionOf(name);
    const isRecordId = /^(?:uu)?id$/i.test(key);
    const isGenerated = isRecordId || (isIdName(key) && recorded !== undefined && old !== recorded);
    if (!writes || inFile === undefined || collection === null || !isGenerated || !couldBeId(key, inFile)) return;
    if (placeholders.some((text) => text.split(/[^\w-]+/).includes(inFile))) return;
    if (old !== undefined && old !== inFile) this.#old.addName(inFile, old, collection);
    if (now !== undefined && now !== inFile) this.#now.addName(inFile, now, collection);
  }

  *#namesIn(texts: readonly string[]): Generator<string> {
    for (const text of texts) for (const [id] of text.matchAll(possibleIds)) yield id;
  }
}
