import { expect, test } from 'vitest';
import { isKnown, tagOf } from '../../src/gateway/entity-tag.js';

const tag = tagOf('content');

test('the same content has the same tag, as text and as bytes, and other content another', () => {
  expect(tag).toMatch(/^"[\w-]{27}"$/);
  expect([tagOf(Buffer.from('content')) === tag, tagOf('Content') === tag]).toEqual([true, false]);
});

test.each([
  [undefined, false],
  ['', false],
  ['"other"', false],
  [tag, true],
  [`W/${tag}`, true],
  [`"other" , W/${tag}`, true],
  [' * ', true],
  ['"other", *', false],
])('If-None-Match: %s names a tag: %s', (header, known) => {
  expect([isKnown(header, tag), isKnown(header, `W/${tag}`)]).toEqual([known, known]);
});
