import type { BackendMessage } from 'pg-protocol/dist/messages.js';
import { type MessageCallback, Parser } from 'pg-protocol/dist/parser.js';

const dataRow = 'D'.charCodeAt(0);
const headerLength = 5;

/**
 * First two bytes of a non-ASCII character in UTF-8. Other bytes of a row, such as a length, can match by chance. In that case, each value
 * is checked separately, and the result is the same.
 */
const nonAscii = /[\xc2-\xf4][\x80-\xbf]/;

/**
 * Row message with sequential access to its values. All rows of a connection use one instance. The instance decodes the whole buffer once
 * and cuts the values from the text. This takes a sixth of the time that it takes to decode each value separately.
 */
export class RowMessage {
  readonly name = 'dataRow';
  length = 0;
  #bytes: Buffer = Buffer.of();
  #text: string | null = null;
  #isAscii = false;
  #offset = 0;

  /** Sets the buffer that contains the next rows. */
  setBuffer(bytes: Buffer): void {
    this.#bytes = bytes;
    this.#text = null;
  }

  /** Moves to the row at an offset in the buffer. */
  moveTo(offset: number, length: number): void {
    this.length = length;
    this.#offset = offset;
    if (this.#text !== null) return;
    this.#text = this.#bytes.toString('latin1');
    this.#isAscii = !nonAscii.test(this.#text);
  }

  /** Returns the next value as text. Null for SQL null. */
  next(): string | null {
    const bytes = this.#bytes;
    const length = bytes.readInt32BE(this.#offset);
    const start = this.#offset + 4;
    if (length < 0) {
      this.#offset = start;
      return null;
    }
    const end = start + length;
    this.#offset = end;
    const text = (this.#text as string).substring(start, end);
    return this.#isAscii || !nonAscii.test(text) ? text : bytes.toString('utf8', start, end);
  }

  /** Reads all values, for access by index. */
  get fields(): (string | null)[] {
    const count = this.#bytes.readInt16BE(this.#offset - 2);
    return Array.from({ length: count }, () => this.next());
  }
}

/** Splits the output of the server into messages. Parses rows, which are most of the data. pg parses all other messages. */
export class RowParser {
  readonly #defaultParser = new Parser();
  readonly #row = new RowMessage();
  /** Chunks of an incomplete message. */
  #chunks: Buffer[] = [];
  #length = 0;
  #expectedLength = 0;

  /** Parses output of the server, and calls `callback` for each complete message. */
  parse(bytes: Buffer, callback: MessageCallback): void {
    if (!this.#length) {
      this.#read(bytes, callback);
      return;
    }
    this.#append(bytes);
    if (this.#length < this.#expectedLength) return;
    const message = Buffer.concat(this.#chunks, this.#length);
    this.#chunks = [];
    this.#length = 0;
    this.#read(message, callback);
  }

  #append(bytes: Buffer): void {
    this.#chunks.push(bytes);
    this.#length += bytes.length;
  }

  #read(bytes: Buffer, callback: MessageCallback): void {
    let offset = 0;
    let end = 0;
    this.#row.setBuffer(bytes);
    for (; offset + headerLength <= bytes.length; offset = end) {
      end = offset + 1 + bytes.readInt32BE(offset + 1);
      if (end > bytes.length) break;
      if (bytes[offset] === dataRow) {
        this.#row.moveTo(offset + headerLength + 2, end - offset - 1);
        callback(this.#row as unknown as BackendMessage);
      } else this.#defaultParser.parse(bytes.subarray(offset, end), callback);
    }
    if (offset === bytes.length) return;
    this.#expectedLength = Math.max(end - offset, headerLength);
    this.#append(bytes.subarray(offset));
  }
}
