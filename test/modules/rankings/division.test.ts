import { expect, test } from 'vitest';
import { divisionOf } from '../../../src/modules/rankings/division.js';

test.each([
  ["Women's Singles", 'WOMENS_SINGLES'],
  ['Mens Singles 5.0', 'MENS_SINGLES'],
  ['PRO MIXED DOUBLES', 'MIXED_DOUBLES'],
  ['Doubles, Women’s, 50+', 'WOMENS_DOUBLES'],
  ["Men's Doubles - Open", 'MENS_DOUBLES'],
  ['Mixed Singles', 'OTHER'],
  ['Womenfolk Singles', 'OTHER'],
  ['Ladies Doubles 4.0', 'WOMENS_DOUBLES'],
  ["Ladies' Singles", 'WOMENS_SINGLES'],
  ["Gentlemen's Singles", 'MENS_SINGLES'],
  ['Male Doubles', 'MENS_DOUBLES'],
  ['Female Singles 35+', 'WOMENS_SINGLES'],
  ['Mixed', 'MIXED_DOUBLES'],
  ['Mixed 4.0 - Pro', 'MIXED_DOUBLES'],
  ['MS', 'MENS_SINGLES'],
  ['WS 5.0', 'WOMENS_SINGLES'],
  ['Pro (MD)', 'MENS_DOUBLES'],
  ['WD50+', 'WOMENS_DOUBLES'],
  ['xd 3.5', 'MIXED_DOUBLES'],
  ["Annapolis, MD: Women's Singles", 'WOMENS_SINGLES'],
  ['MD Open, Doubles', 'OTHER'],
  ['Ms Smith Cup', 'OTHER'],
  ['Men 4.0', 'OTHER'],
  ['Maleficent Doubles', 'OTHER'],
  [null, 'OTHER'],
])('the division of "%s" is %s', (title, division) => {
  expect(divisionOf(title)).toBe(division);
});
