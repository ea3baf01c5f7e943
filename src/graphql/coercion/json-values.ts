import { isUtf8 } from 'node:buffer';
import { fail } from '../../kernel/declare/errors.js';

/** Maximum number of values in a body. Parsed objects take twenty times as much memory as their text. */
export const maxValues = 150_000;

const [quote, backslash, comma, bracket, brace] = [...'"\\,[{'].map((character) => character.charCodeAt(0));

/** Approximate number of values in a JSON text, counted by separators without parsing. */
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

/** Throws BAD_INPUT if a body has too many values. The parser reports bodies that are not UTF-8. */
export function checkValues(text: Buffer): void {
  if (isUtf8(text) && countValues(text) > maxValues) fail('BAD_INPUT', `body: expected at most ${maxValues} values`);
}
