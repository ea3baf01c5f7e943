import { expect, test } from 'vitest';
import { reasonOf } from '../../src/messaging/safe-reason.js';

test('the reason of an error with a megabyte of letters is a short text', () => {
  expect(reasonOf(new Error(`550 ${'a'.repeat(2 ** 20)}`))).toBe('550 …');
});
