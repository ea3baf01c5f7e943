import { expect, test } from 'vitest';
import { labelOfName } from '../../../src/console/records/words.js';

test('labels are in sentence case, with abbreviations in capital letters', () => {
  const names = ['registrationOpensAt', 'isCanceled', 'detailsUrl', 'linksSms', 'usap', 'lifeTime'];
  expect(Object.fromEntries(names.map((name) => [name, labelOfName(name)]))).toEqual({
    registrationOpensAt: 'Registration opens at',
    isCanceled: 'Canceled',
    detailsUrl: 'Details URL',
    linksSms: 'Links SMS',
    usap: 'USAP',
    lifeTime: 'Life time',
  });
});
