import { expect, test } from 'vitest';
import { flag, int, text, values } from '../../src/kernel/declare/fields/fields.js';

test('the compiler rejects unknown options of every kind of field', () => {
  const Size = { SMALL: 'SMALL' } as const;
  const fields = [
    text('Title.', { max: 100, required: true }),
    // @ts-expect-error: `maximum` is not an option
    text('Title.', { maximum: 100 }),
    // @ts-expect-error: also next to known options
    text('Title.', { required: true, maximum: 100 }),
    // @ts-expect-error: `minimum` is not an option
    int('Seed.', { minimum: 1 }),
    // @ts-expect-error: `optional` is not an option
    values(Size, 'Size.', { optional: true }),
    // @ts-expect-error: `preset` is not an option
    flag('Whether it is open.', { preset: true }),
  ];
  expect(fields.every((field) => typeof field === 'function')).toBe(true);
});
