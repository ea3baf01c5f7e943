import { isUtf8 } from 'node:buffer';
import type { SentRequest } from '../../comparison/ask.js';
import type { Outcome } from '../../comparison/compare-answers.js';
import { jsonTextOf } from '../../comparison/json-tree.js';
import { pseudonymForm } from '../traffic/pseudonyms.js';
import { CountedIds, isCounted } from './counted-ids.js';
import { withoutNow } from './instants.js';
import type { Tokens } from './tokens.js';

const uuids = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi;
const runs = /[\w-]{8,}/g;
/** Also where what is before or behind an id looks like a part of it, as `%22` does. */
const within = (run: string, known: ReadonlyMap<string, string>) => run.replace(uuids, (id) => known.get(id) ?? id);

/** How a value is written where it stands. */
type Written = (value: string) => string;

const asIs: Written = (value) => value;
const inText: Written = (value) => JSON.stringify(value).slice(1, -1);

const isForm = ({ headers }: SentRequest) => headers.some((each) => /^application\/x-www-form-urlencoded/i.test(each));

/** What one server calls what the file calls otherwise: tokens, and the ids that the server chose itself. */
export class ServerNames {
  readonly #tokens: Tokens;
  readonly #own = new Map<string, string>();
  readonly #inFile = new Map<string, string>();
  readonly #counted = { own: new CountedIds(), inFile: new CountedIds() };
  /** Since when what it tells of the present is its own; null while nothing was changed. */
  begun: number | null = null;

  constructor(tokens: Tokens) {
    this.#tokens = tokens;
  }

  /** It calls that so; what is short is meant in that collection only. */
  learn(inFile: string, own: string, collection: string | null): void {
    if (!isCounted(inFile) && !isCounted(own)) {
      this.#own.set(inFile, own);
      // What it calls alike stays what it was first.
      if (!this.#inFile.has(own)) this.#inFile.set(own, inFile);
    } else if (collection !== null) {
      this.#counted.own.learn(collection, inFile, own);
      this.#counted.inFile.learn(collection, own, inFile);
    }
  }

  /** A request of the file, as this server understands it. */
  into(sent: SentRequest, route: string): SentRequest {
    const { headers, body } = sent;
    const text = body && isUtf8(body) ? body.toString() : null;
    const path = this.#counted.own.isEmpty ? sent.path : this.#counted.own.inPath(sent.path, route);
    return {
      ...sent,
      path: this.#named(path, encodeURIComponent),
      headers: headers.map((value) => this.#named(value, asIs)),
      body: text === null ? body : Buffer.from(this.#bodyInto(text, route, isForm(sent))),
    };
  }

  /** An answer of this server, in the words of the file. */
  from(outcome: Outcome, route: string): Outcome {
    if (this.begun === null || 'failure' in outcome) return outcome;
    const { headers, body } = outcome;
    const told = (text: string) => withoutNow(this.#filed(text), this.begun ?? 0);
    const known = Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? told(value) : value]);
    if (!isUtf8(body)) return { ...outcome, headers: Object.fromEntries(known) };
    const text = told(body.toString());
    const counted = this.#counted.inFile;
    const isPlain = counted.isEmpty || !jsonTextOf(text);
    return {
      ...outcome,
      headers: Object.fromEntries(known),
      body: Buffer.from(isPlain ? text : counted.inJson(text, route)),
    };
  }

  #bodyInto(text: string, route: string, isInForm: boolean): string {
    if (isInForm) return this.#named(text, encodeURIComponent);
    if (!jsonTextOf(text)) return this.#named(text, asIs);
    const counted = this.#counted.own;
    return this.#named(counted.isEmpty ? text : counted.inJson(text, route), inText);
  }

  #named(text: string, written: Written): string {
    const token = (pseudonym: string) => {
      const given = this.#own.get(pseudonym) ?? this.#tokens.of(pseudonym);
      return given === undefined ? pseudonym : written(given);
    };
    if (this.#own.size === 0) return text.replace(pseudonymForm, token);
    return text.replace(runs, (run) => {
      const own = this.#own.get(run);
      return own === undefined ? within(run, this.#own).replace(pseudonymForm, token) : written(own);
    });
  }

  #filed(text: string): string {
    const known = this.#inFile;
    return known.size === 0 ? text : text.replace(runs, (run) => known.get(run) ?? within(run, known));
  }
}
