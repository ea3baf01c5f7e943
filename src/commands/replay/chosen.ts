import type { Outcome } from '../../comparison/compare-answers.js';
import { isIdName } from '../../comparison/compare-json.js';
import { pseudonymForm } from '../traffic/pseudonyms.js';
import { collectionOf, isCounted } from './counted-ids.js';
import type { Recorded } from './recorded.js';
import type { ServerNames } from './server-names.js';

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const wholePseudonym = new RegExp(`^${pseudonymForm.source}$`);
const runs = /[\w-]{8,}/g;

/** Texts and whole numbers of JSON by their places, with the key behind which they stand. */
function leavesOf(value: unknown, key = '', place = '', found = new Map<string, { key: string; value: string }>()) {
  if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value))
      leavesOf(inner, Array.isArray(value) ? key : name, `${place}.${name}`, found);
  else if ((typeof value === 'string' && value) || Number.isSafeInteger(value)) found.set(place, { key, value: String(value) });
  return found;
}

type Leaves = ReturnType<typeof leavesOf>;

function leavesIn(json: string | null): Leaves | null {
  try {
    return json === null ? null : leavesOf(JSON.parse(json));
  } catch {
    // It is none, or nested so deep that nobody means it.
    return null;
  }
}

const answered = (outcome: Outcome): Leaves | null =>
  'failure' in outcome || outcome.status >= 400 ? null : leavesIn(outcome.body.toString());

const couldBeId = (key: string, value: string) =>
  uuid.test(value) || (isIdName(key) && (/^[\w-]{8,200}$/.test(value) || /^\d+$/.test(value)));

/** What two servers say where the file says something. */
interface Place {
  readonly key: string;
  readonly recorded: string | undefined;
  readonly old: string | undefined;
  readonly now: string | undefined;
}

/** Finds out what each server calls what it made itself. Only what is new to the file and to both of them can be such a thing. */
export class Chosen {
  readonly #old: ServerNames;
  readonly #now: ServerNames;
  /** Of requests, and of answers of the file. */
  readonly #inFile = new Set<string>();
  readonly #said = { old: new Set<string>(), now: new Set<string>() };

  constructor(old: ServerNames, now: ServerNames) {
    this.#old = old;
    this.#now = now;
  }

  /** Whether a request names what is not known yet, but may be when those that are under way have been answered. */
  waits({ named }: Recorded): boolean {
    return [...this.#namesIn(named)].some((name) => !this.#inFile.has(name));
  }

  /** What a request names was chosen by clients. */
  sent({ named }: Recorded): void {
    for (const name of this.#namesIn(named)) this.#inFile.add(name);
  }

  /** Looks at the answers of both. */
  answered(request: Recorded, old: Outcome, now: Outcome): void {
    const [recorded, before, after] = [leavesIn(request.answer), answered(old), answered(now)];
    const [ofOld, ofNow] = [before, after].map((leaves) => new Set([...(leaves ?? [])].map(([, { value }]) => value)));
    if (this.#old.begun !== null && (request.writes || recorded))
      for (const [place, { key, value }] of recorded ?? before ?? []) {
        const told = {
          key,
          recorded: recorded ? value : undefined,
          old: before?.get(place)?.value,
          now: after?.get(place)?.value,
        };
        if ([value, told.old, told.now].some((id) => id !== undefined && isCounted(id))) this.#learnCounted(told, request);
        else if (!this.#isShared(told, request, ofOld, ofNow)) this.#learn(told, request);
      }
    for (const value of ofOld ?? []) this.#said.old.add(value);
    for (const value of ofNow ?? []) this.#said.now.add(value);
    for (const [, { value }] of recorded ?? []) this.#inFile.add(value);
  }

  /** What both of them have is no choice of one. */
  #isShared({ old, now }: Place, { writes }: Recorded, ofOld?: Set<string>, ofNow?: Set<string>): boolean {
    if (old === now) return !writes;
    const isAmong = (own: string | undefined, others: (Set<string> | undefined)[]) =>
      own !== undefined && others.some((each) => each?.has(own));
    return isAmong(old, [ofNow, this.#said.now, this.#inFile]) || isAmong(now, [ofOld, this.#said.old, this.#inFile]);
  }

  #learn({ key, recorded, old, now }: Place, { writes, name }: Recorded): void {
    const inFile = recorded ?? old;
    const isToken = wholePseudonym.test(inFile ?? '');
    const fits = (id: string | undefined): id is string => id !== undefined && (isToken || couldBeId(key, id));
    if (!fits(inFile) || this.#inFile.has(inFile) || old === recorded) return;
    const collection = writes ? collectionOf(name) : null;
    if (fits(old) && old !== inFile) this.#old.learn(inFile, old, collection);
    if (fits(now) && now !== inFile) this.#now.learn(inFile, now, collection);
  }

  /** Those that are counted may be the same by chance: only a write tells of them, and only of what it was not told itself. */
  #learnCounted({ key, recorded, old, now }: Place, { writes, name, named }: Recorded): void {
    const inFile = recorded ?? old;
    const collection = collectionOf(name);
    const isOwn = /^(?:uu)?id$/i.test(key);
    const isChosen = isOwn || (isIdName(key) && recorded !== undefined && old !== recorded);
    if (!writes || inFile === undefined || collection === null || !isChosen || !couldBeId(key, inFile)) return;
    if (named.some((text) => text.split(/[^\w-]+/).includes(inFile))) return;
    if (old !== undefined && old !== inFile) this.#old.learn(inFile, old, collection);
    if (now !== undefined && now !== inFile) this.#now.learn(inFile, now, collection);
  }

  *#namesIn(texts: readonly string[]): Generator<string> {
    for (const text of texts) for (const [run] of text.matchAll(runs)) yield run;
  }
}
