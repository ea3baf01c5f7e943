import fc from 'fast-check';
import { escapeLiteral } from 'pg';
import { expect, test } from 'vitest';
import { withoutLiterals } from '../../src/traces/spans.js';

test('literals in the text of a statement are replaced by placeholders', () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 1, unit: 'grapheme' }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      (text, number) => {
        expect(withoutLiterals(`update "team 1" set a1 = ${escapeLiteral(text)}, b = ${number} where c = $2`)).toMatch(
          /^update "team 1" set a1 = +\?, b = -?\? where c = \$2$/,
        );
      },
    ),
  );
});

test('a literal with millions of characters is replaced', () => {
  expect(withoutLiterals(`select E'${'a'.repeat(2 ** 23)}', '${'a'.repeat(2 ** 23)}'`)).toBe('select ?, ?');
});
