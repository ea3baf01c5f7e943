import { isUtf8 } from 'node:buffer';
import { fail } from '../../kernel/declare/errors.js';

/** Maximum number of values in a request body of more than 64 KB. Parsed objects take up to twenty times as much memory as their text. */
export const maxValues = 150_000;

const [quote, backslash, comma, bracket, brace] = [...'"\\,[{'].map((character) => character.charCodeAt(0));

/** Returns the approximate number of values in a JSON text. Counts separators without parsing the text. */
function countValues(text: Buffer): number {
  let values = 1;
  let isInString = false;
  for (let index = 0; index < text.length; index++) {
    const byte = text[index];
    if (isInString) {
      if (byte === backslash) index++;
      else if (byte === quote) isInString = false;
    } else if (byte === quote) isInString = true;
    else if (byte === comma || byte === bracket || byte === brace) values++;
  }
  return values;
}

/** Throws BAD_INPUT if a body has too many values. Skips bodies that are not UTF-8, which the parser reports. */
export function checkValueCount(text: Buffer): void {
  if (isUtf8(text) && countValues(text) > maxValues) fail('BAD_INPUT', `body: expected at most ${maxValues} values`);
}
