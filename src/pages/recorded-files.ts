import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Decision, RecordedExchanges, ReferenceExample } from '../../compat/reference/index.js';

// The build runs this file without compiling it, so it may import only types and Node.js modules.

/** A recorded request with its response. Placeholders such as `<uuid>` replace values that the server generates. */
interface Recording {
  readonly request: { readonly path: string; readonly body?: unknown };
  readonly response?: { readonly status: number; readonly body: unknown };
}

/** Name of a recording whose file name contains only the operation. */
const defaultName = 'defaultName';

/** Maximum number of list items in an example. Longer lists are shortened. */
const maxItems = 3;

const bytesOf = (text: string) => createHash('sha256').update(text).digest();

const idOf = (text: string): string => {
  const hex = bytesOf(text).toString('hex');
  return `0198${hex.slice(0, 4)}-${hex.slice(4, 8)}-7${hex.slice(8, 11)}-8${hex.slice(11, 14)}-${hex.slice(14, 26)}`;
};

const secretOf = (text: string): string => bytesOf(text).toString('base64url');

const codeOf = (text: string): string => bytesOf(text).toString('hex').slice(0, 6).toUpperCase();

/** Splits a key into words: `blogMetaTitle` becomes `blog meta title`. */
const wordsOf = (key: string): string =>
  key
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();

/** Returns the value for a placeholder. The same path in an example always gets the same value. */
function generatedValue(placeholder: string, key: string, path: string): unknown {
  const isListIndex = /^\d+$/.test(key);
  switch (placeholder) {
    case '<uuid>':
      return idOf(path);
    case '<instant>':
      return /expir/i.test(key) ? '2026-12-14T17:20:00Z' : '2026-11-14T17:20:00Z';
    case '<number>':
      return /timestamp|update/i.test(key) ? 1_794_676_800 : /^RequestId$/.test(key) ? 48_213 : 1;
    default:
      return /token/i.test(key) || isListIndex ? secretOf(path) : codeOf(path);
  }
}

/** Replaces test values such as `title of team-1` with realistic text. */
function realisticText(text: string, key: string): string {
  const [, property] = /^(\w+) of [\w-]+$/.exec(text) ?? [];
  if (property === undefined) return text;
  const words = wordsOf(property);
  if (/(url|link|logo|image|img|picture)$/.test(words.replace(/ level (?=logo)/, ' ')))
    return `https://www.example.com/${words.replaceAll(' ', '-')}`;
  if (/(uuid|id)$/.test(wordsOf(key))) return idOf(text);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const isSlug = (key: string): boolean => /slug/i.test(key);

/** Replaces test IDs such as `golden-team` with UUIDs or, in slugs, with words. */
const withIds = (text: string, key: string): string =>
  text.replace(/\bgolden-[\w-]*\w/g, (id) => (isSlug(key) ? id.slice('golden-'.length) : idOf(id)));

/** Matches a reference to a value of an earlier response, such as `$0.result.uuid`, or of the caller, such as `$user.id`. */
const reference = /\$(\d+|user|admin)\b((?:\.\w+)*)/g;

/** Replaces references to earlier responses. The same reference always gets the same value. */
function resolveReferences(text: string, key: string): string {
  return text.replace(reference, (match, _root, path: string) =>
    /linkValue$|token$/i.test(path) ? secretOf(match) : isSlug(`${path}${key}`) && isSlug(path) ? 'austin-open' : idOf(match),
  );
}

function exampleValue(value: unknown, key: string, path: string): unknown {
  if (typeof value === 'string') {
    if (/^<\w+>$/.test(value)) return generatedValue(value, key, path);
    return withIds(resolveReferences(realisticText(value, key), key), key);
  }
  if (Array.isArray(value))
    return value.slice(0, maxItems).map((item, index) => exampleValue(item, String(index), `${path}.${index}`));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, property]) => [name, exampleValue(property, name, `${path}.${name}`)]),
  );
}

/** Converts a recording to an example: replaces placeholders and shortens lists. Returns an empty list if there is no response. */
function exampleOf(operation: string, name: string, { request, response }: Recording): ReferenceExample[] {
  if (!response) return [];
  const { status } = response;
  const root = `${operation} ${name}`;
  const slug = operation.includes('{slug}') || name.includes('slug') ? 'slug' : '';
  const path = withIds(resolveReferences(request.path, slug), slug);
  const words = name.replaceAll('_', ' ');
  const title = name === defaultName ? 'Typical exchange' : words.charAt(0).toUpperCase() + words.slice(1);
  return [
    {
      name,
      title: status < 400 ? title : `${title} (${status})`,
      request: { path, ...(request.body === undefined ? {} : { body: exampleValue(request.body, '', root) }) },
      response: { status, body: exampleValue(response.body, '', root) },
    },
  ];
}

/** Returns the examples, grouped by operation. Successful examples come first. */
function examplesIn(directory: string): RecordedExchanges['examples'] {
  const files = readdirSync(directory).toSorted((a, b) => a.length - b.length || a.localeCompare(b));
  const recordings = files.flatMap((file) => {
    const [operation = '', name = defaultName] = file.replace(/\.json$/, '').split('.');
    return exampleOf(operation, name, JSON.parse(readFileSync(join(directory, file), 'utf8'))).map((example) => ({
      operation,
      example,
    }));
  });
  const isError = ({ example }: (typeof recordings)[number]) => Number(example.response.status >= 400);
  const byOperation = Map.groupBy(
    recordings.toSorted((a, b) => isError(a) - isError(b)),
    ({ operation }) => operation,
  );
  return Object.fromEntries([...byOperation].map(([operation, examples]) => [operation, examples.map(({ example }) => example)]));
}

/** Parses the decisions in `docs/decisions.md`: a numbered heading, then text that starts with a bold title. */
const decisionsIn = (page: string): Decision[] =>
  [...page.matchAll(/^### Decision (\S+)\n\n(.*?)(?=^#|$(?![\s\S]))/gms)].map(([, number = '', text = '']) => ({
    number,
    title: (/\*\*(.+?)\*\*/s.exec(text)?.[1] ?? '').replace(/\s+/g, ' ').replace(/\.$/, ''),
    text,
  }));

/** Reads the examples and decisions for the `/v1` reference from the golden files of the tests and from the documentation. */
export const readRecordedExchanges = (root: string): RecordedExchanges => ({
  examples: examplesIn(join(root, 'test/compat/golden')),
  decisions: decisionsIn(readFileSync(join(root, 'docs/decisions.md'), 'utf8')),
});

/** Reads the examples and decisions from a file that the build created. Null if the service runs from its sources. */
export const readBuiltExchanges = (file: string): RecordedExchanges | null =>
  existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
