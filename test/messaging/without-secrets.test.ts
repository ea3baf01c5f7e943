import { expect, test } from 'vitest';
import { reasonOf } from '../../src/messaging/safe-reason.js';

test('an error message with a megabyte of letters is shortened', () => {
  expect(reasonOf(new Error(`550 ${'a'.repeat(2 ** 20)}`))).toBe('550 …');
});
