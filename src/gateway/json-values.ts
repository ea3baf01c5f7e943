import { isUtf8 } from 'node:buffer';
import { fail } from '../kernel/declare/errors.js';

/** Most values that a body may have: objects made of them take twenty times their bytes. */
export const maxValues = 150_000;

const [quote, backslash, comma, bracket, brace] = [...'"\\,[{'].map((sign) => sign.charCodeAt(0));

/** How many values the text of a JSON document has, about: their separators, told before anything is made of them. */
function valuesIn(text: Buffer): number {
  let values = 1;
  let isText = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (isText) {
      if (sign === backslash) at++;
      else if (sign === quote) isText = false;
    } else if (sign === quote) isText = true;
    else if (sign === comma || sign === bracket || sign === brace) values++;
  }
  return values;
}

/** BAD_INPUT for a body of too many values; what is no UTF-8 is left to who reads it. */
export function checkValues(text: Buffer): void {
  if (isUtf8(text) && valuesIn(text) > maxValues) fail('BAD_INPUT', `body: expected at most ${maxValues} values`);
}
