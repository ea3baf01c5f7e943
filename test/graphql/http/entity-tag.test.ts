import { expect, test } from 'vitest';
import { entityTagOf, matchesTag } from '../../../src/graphql/http/entity-tag.js';

const tag = entityTagOf('content');

test('a tag has 27 URL-safe characters in quotes', () => {
  expect(tag).toMatch(/^"[\w-]{27}"$/);
});

test('equal content has the same tag, as text and as bytes', () => {
  expect(entityTagOf(Buffer.from('content'))).toBe(tag);
});

test('different content has different tags', () => {
  expect(entityTagOf('Content')).not.toBe(tag);
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
])('If-None-Match: %s matches the tag: %s', (header, matches) => {
  expect({ strong: matchesTag(header, tag), weak: matchesTag(header, `W/${tag}`) }).toEqual({ strong: matches, weak: matches });
});
