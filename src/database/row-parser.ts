import type { BackendMessage } from 'pg-protocol/dist/messages.js';
import { type MessageCallback, Parser } from 'pg-protocol/dist/parser.js';

const dataRow = 'D'.charCodeAt(0);
const header = 5;
const beyondAscii = /[\x80-\xff]/;

/** The values of a row as texts, null where there is none. One text is cut in pieces, which takes a sixth of decoding each by itself. */
function valuesOf(bytes: Buffer, start: number): (string | null)[] {
  const count = bytes.readInt16BE(start);
  const from = start + 2;
  const fields = new Array<string | null>(count);
  const text = bytes.toString('latin1', from, start - 4 + bytes.readInt32BE(start - 4));
  const isPlain = !beyondAscii.test(text);
  let at = from;
  for (let index = 0; index < count; index++) {
    const length = bytes.readInt32BE(at);
    at += 4;
    if (length < 0) {
      fields[index] = null;
      continue;
    }
    const piece = text.substring(at - from, at - from + length);
    fields[index] = isPlain || !beyondAscii.test(piece) ? piece : bytes.toString('utf8', at, at + length);
    at += length;
  }
  return fields;
}

/** Cuts what PostgreSQL sends into messages, of which it reads the rows itself: they are most of it. The others are read by pg's parser. */
export class RowParser {
  readonly #others = new Parser();
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
    for (; at + header <= bytes.length; at = end) {
      end = at + 1 + bytes.readInt32BE(at + 1);
      if (end > bytes.length) break;
      if (bytes[at] === dataRow)
        callback({ name: 'dataRow', length: end - at - 1, fields: valuesOf(bytes, at + header) } as BackendMessage);
      else this.#others.parse(bytes.subarray(at, end), callback);
    }
    if (at === bytes.length) return;
    this.#wanted = Math.max(end - at, header);
    this.#hold(bytes.subarray(at));
  }
}
