import type { BackendMessage } from 'pg-protocol/dist/messages.js';
import { type MessageCallback, Parser } from 'pg-protocol/dist/parser.js';

const dataRow = 'D'.charCodeAt(0);
const header = 5;

/** How a character beyond ASCII begins. Lengths, which stand between the texts, seldom look like it, and those that do cost no more than a look at each text. */
const beyondAscii = /[\xc2-\xf4][\x80-\xbf]/;

/**
 * A row, as a message of pg whose values are read one after the other. There is one for all rows of a connection, each of which is read before the
 * next one comes. Texts are cut from one that all of these bytes were made into, which takes a sixth of decoding each by itself.
 */
export class RowMessage {
  readonly name = 'dataRow';
  length = 0;
  #bytes: Buffer = Buffer.of();
  #text: string | null = null;
  #isPlain = false;
  #at = 0;

  /** The bytes in which the rows that follow stand. */
  in(bytes: Buffer): void {
    this.#bytes = bytes;
    this.#text = null;
  }

  /** Goes to the row of such a length at that place. */
  goTo(at: number, length: number): void {
    this.length = length;
    this.#at = at;
    if (this.#text !== null) return;
    this.#text = this.#bytes.toString('latin1');
    this.#isPlain = !beyondAscii.test(this.#text);
  }

  /** The next value as text; null where there is none. */
  next(): string | null {
    const bytes = this.#bytes;
    const length = bytes.readInt32BE(this.#at);
    const start = this.#at + 4;
    if (length < 0) {
      this.#at = start;
      return null;
    }
    const end = start + length;
    this.#at = end;
    const piece = (this.#text as string).substring(start, end);
    return this.#isPlain || !beyondAscii.test(piece) ? piece : bytes.toString('utf8', start, end);
  }

  /** All values, for who reads them by their places. */
  get fields(): (string | null)[] {
    const count = this.#bytes.readInt16BE(this.#at - 2);
    return Array.from({ length: count }, () => this.next());
  }
}

/** Cuts what PostgreSQL sends into messages, of which it reads the rows itself: they are most of it. The others are read by pg's parser. */
export class RowParser {
  readonly #others = new Parser();
  readonly #row = new RowMessage();
  /** The beginning of a message that has not come to its end, and how long it is going to be. */
  #held: Buffer[] = [];
  #length = 0;
  #wanted = 0;

  /** Calls back for each message that is complete with these bytes. */
  parse(bytes: Buffer, callback: MessageCallback): void {
    if (!this.#length) {
      this.#read(bytes, callback);
      return;
    }
    this.#hold(bytes);
    if (this.#length < this.#wanted) return;
    const whole = Buffer.concat(this.#held, this.#length);
    this.#held = [];
    this.#length = 0;
    this.#read(whole, callback);
  }

  #hold(bytes: Buffer): void {
    this.#held.push(bytes);
    this.#length += bytes.length;
  }

  #read(bytes: Buffer, callback: MessageCallback): void {
    let at = 0;
    let end = 0;
    this.#row.in(bytes);
    for (; at + header <= bytes.length; at = end) {
      end = at + 1 + bytes.readInt32BE(at + 1);
      if (end > bytes.length) break;
      if (bytes[at] === dataRow) {
        this.#row.goTo(at + header + 2, end - at - 1);
        callback(this.#row as unknown as BackendMessage);
      } else this.#others.parse(bytes.subarray(at, end), callback);
    }
    if (at === bytes.length) return;
    this.#wanted = Math.max(end - at, header);
    this.#hold(bytes.subarray(at));
  }
}
