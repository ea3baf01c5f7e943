import { isUtf8 } from 'node:buffer';
import type { Outcome } from '../comparison/compare-responses.js';
import { parseJsonText } from '../comparison/json-text.js';
import type { SentRequest } from '../comparison/server.js';
import { pseudonymPattern } from '../recording/pseudonyms.js';
import { isShortId, ShortIds } from './short-ids.js';

const uuids = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi;
const possibleIds = /[\w-]{8,}/g;
/** Replaces UUIDs within a longer word, such as after `%22`. */
const replaceUuids = (word: string, ids: ReadonlyMap<string, string>) => word.replace(uuids, (id) => ids.get(id) ?? id);

/** Tokens that replace the pseudonyms of a recording. */
export interface Tokens {
  /** Returns the token that replaces a pseudonym. Undefined if no token was given for the pseudonym. */
  tokenFor(pseudonym: string): string | undefined;
  /** Returns the pseudonyms in a text that have no token. */
  missingTokens(text: string): string[];
}

const variableName = (pseudonym: string) => pseudonym.replace('redacted-', '').toUpperCase().replace('-', '_');

export type ReplaySide = 'old' | 'new';

/**
 * Returns the tokens for one server. Tokens for one server (`OLD_PLATFORM`) or one pseudonym (`PLATFORM_2`) take precedence over general
 * tokens (`PLATFORM`).
 */
export function tokensOf(tokens: ReadonlyMap<string, string>, side: ReplaySide): Tokens {
  const find = (name: string) => tokens.get(`${side.toUpperCase()}_${name}`) ?? tokens.get(name);
  const tokenOf = (pseudonym: string) => find(variableName(pseudonym)) ?? find(variableName(pseudonym).replace(/_\d+$/, ''));
  return {
    tokenFor: tokenOf,
    missingTokens: (text) => (text.match(pseudonymPattern) ?? []).filter((pseudonym) => tokenOf(pseudonym) === undefined),
  };
}

const instants = /\b(\d{4}-\d\d-\d\d)([T ])(\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?(?!\d)/g;

/** Assumed maximum difference between the clocks of the servers and the clock of this process, in milliseconds. */
const toleranceMs = 60_000;

/**
 * Replaces timestamps between `startedAt` and now, because they differ between two servers. The replacement contains the separator and the
 * time zone, so that differences in format are still found.
 */
export function replaceRecentTimestamps(text: string, startedAt: number): string {
  const [first, last] = [startedAt - toleranceMs, Date.now() + toleranceMs];
  return text.replace(instants, (match, day: string, separator: string, time: string, zone: string | undefined) => {
    const timestamp = Date.parse(`${day}T${time}${zone ?? 'Z'}`);
    return timestamp >= first && timestamp <= last ? `now, as ${separator}${zone ?? ''}`.trimEnd() : match;
  });
}

/** Encodes a value for the format of the surrounding text, such as a URL. */
type Encode = (value: string) => string;

const withoutEncoding: Encode = (value) => value;
const encodeInJson: Encode = (value) => JSON.stringify(value).slice(1, -1);

const isForm = ({ headers }: SentRequest) => headers.some((each) => /^application\/x-www-form-urlencoded/i.test(each));

/**
 * Translates requests and responses between a recording and one server. Pseudonyms become tokens. Recorded IDs become the IDs that the
 * server generated.
 */
export class ServerTranslator {
  readonly #tokens: Tokens;
  readonly #serverIds = new Map<string, string>();
  readonly #recordedIds = new Map<string, string>();
  readonly #shortIds = { toServer: new ShortIds(), toRecording: new ShortIds() };
  /**
   * Time of the first write, in milliseconds since the Unix epoch. Null before the first write. The server may have generated timestamps
   * after this time.
   */
  firstWriteAt: number | null = null;

  constructor(tokens: Tokens) {
    this.#tokens = tokens;
  }

  /** Maps a recorded ID to the server's ID. Short IDs are unique only within their collection. */
  addId(recordedId: string, serverId: string, collection: string | null): void {
    if (!isShortId(recordedId) && !isShortId(serverId)) {
      this.#serverIds.set(recordedId, serverId);
      // Several recorded IDs can map to the same server ID. In responses, the server ID is translated to the first recorded ID.
      if (!this.#recordedIds.has(serverId)) this.#recordedIds.set(serverId, recordedId);
    } else if (collection !== null) {
      this.#shortIds.toServer.add(collection, recordedId, serverId);
      this.#shortIds.toRecording.add(collection, serverId, recordedId);
    }
  }

  /** Translates a recorded request for this server. */
  requestToServer(request: SentRequest, route: string): SentRequest {
    const { headers, body } = request;
    const text = body && isUtf8(body) ? body.toString() : null;
    const path = this.#shortIds.toServer.isEmpty ? request.path : this.#shortIds.toServer.inPath(request.path, route);
    return {
      ...request,
      path: this.#translate(path, encodeURIComponent),
      headers: headers.map((value) => this.#translate(value, withoutEncoding)),
      body: text === null ? body : Buffer.from(this.#bodyToServer(text, route, isForm(request))),
    };
  }

  /** Translates a response of this server to the IDs of the recording. */
  responseToRecording(outcome: Outcome, route: string): Outcome {
    if (this.firstWriteAt === null || 'failure' in outcome) return outcome;
    const { headers, body } = outcome;
    const toRecordedText = (text: string) => replaceRecentTimestamps(this.#restoreIds(text), this.firstWriteAt ?? 0);
    const translatedHeaders = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? toRecordedText(value) : value]),
    );
    if (!isUtf8(body)) return { ...outcome, headers: translatedHeaders };
    const text = toRecordedText(body.toString());
    const shortIds = this.#shortIds.toRecording;
    const isTranslated = shortIds.isEmpty || !parseJsonText(text);
    return {
      ...outcome,
      headers: translatedHeaders,
      body: Buffer.from(isTranslated ? text : shortIds.inJson(text, route)),
    };
  }

  #bodyToServer(text: string, route: string, isFormBody: boolean): string {
    if (isFormBody) return this.#translate(text, encodeURIComponent);
    if (!parseJsonText(text)) return this.#translate(text, withoutEncoding);
    const shortIds = this.#shortIds.toServer;
    return this.#translate(shortIds.isEmpty ? text : shortIds.inJson(text, route), encodeInJson);
  }

  #translate(text: string, encode: Encode): string {
    const tokenOf = (pseudonym: string) => {
      const token = this.#serverIds.get(pseudonym) ?? this.#tokens.tokenFor(pseudonym);
      return token === undefined ? pseudonym : encode(token);
    };
    if (this.#serverIds.size === 0) return text.replace(pseudonymPattern, tokenOf);
    return text.replace(possibleIds, (word) => {
      const id = this.#serverIds.get(word);
      return id === undefined ? replaceUuids(word, this.#serverIds).replace(pseudonymPattern, tokenOf) : encode(id);
    });
  }

  #restoreIds(text: string): string {
    const ids = this.#recordedIds;
    return ids.size === 0 ? text : text.replace(possibleIds, (word) => ids.get(word) ?? replaceUuids(word, ids));
  }
}
