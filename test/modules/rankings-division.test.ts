import { expect, test } from 'vitest';
import { divisionOf } from '../../src/modules/rankings/division.js';

test.each([
  ["Women's Singles", 'WOMENS_SINGLES'],
  ['Mens Singles 5.0', 'MENS_SINGLES'],
  ['PRO MIXED DOUBLES', 'MIXED_DOUBLES'],
  ['Doubles, Women’s, 50+', 'WOMENS_DOUBLES'],
  ["Men's Doubles - Open", 'MENS_DOUBLES'],
  ['Mixed Singles', 'OTHER'],
  ['Womenfolk Singles', 'OTHER'],
  [null, 'OTHER'],
])('the division of "%s" is %s', (title, division) => {
  expect(divisionOf(title)).toBe(division);
});
