import { expect, test } from 'vitest';
import { formatMoney } from '../../../src/console/elements/amounts.ts';

test.each([
  ['12.5', 'USD', '$12.50'],
  ['12.5', 'AUD', 'A$12.50'],
  ['12.345', 'CAD', 'CA$12.345'],
  ['1250.5', 'JPY', '¥1,250.5'],
  ['-3', 'EUR', '-€3.00'],
])('%s in %s is shown as %s', (amount, currency, text) => {
  expect(formatMoney(amount, currency)).toBe(text);
});
