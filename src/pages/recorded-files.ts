import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Decision, Recorded, ReferenceExample } from '../../compat/reference/index.js';

// The build runs this file as it stands: it imports types only.

/** A request with its answer as a recording has it: with placeholders for what the server chooses. */
interface Recording {
  readonly request: { readonly path: string; readonly body?: unknown };
  readonly response?: { readonly status: number; readonly body: unknown };
}

/** The name of a recording that has no other. */
const usual = 'usual';

/** Longest list that an example shows whole. */
const longest = 3;

const bytesOf = (text: string) => createHash('sha256').update(text).digest();

const idOf = (text: string): string => {
  const hex = bytesOf(text).toString('hex');
  return `0198${hex.slice(0, 4)}-${hex.slice(4, 8)}-7${hex.slice(8, 11)}-8${hex.slice(11, 14)}-${hex.slice(14, 26)}`;
};

const secretOf = (text: string): string => bytesOf(text).toString('base64url');

const codeOf = (text: string): string => bytesOf(text).toString('hex').slice(0, 6).toUpperCase();

/** Words of a key, such as `blog meta title` of `blogMetaTitle`. */
const wordsOf = (key: string): string =>
  key
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();

/** What the server chose, by the key under which it stands: the same at each place of one example. */
function chosen(placeholder: string, key: string, at: string): unknown {
  const isCounted = /^\d+$/.test(key);
  switch (placeholder) {
    case '<uuid>':
      return idOf(at);
    case '<instant>':
      return /expir/i.test(key) ? '2026-12-14T17:20:00Z' : '2026-11-14T17:20:00Z';
    case '<number>':
      return /timestamp|update/i.test(key) ? 1_794_676_800 : /^RequestId$/.test(key) ? 48_213 : 1;
    default:
      return /token/i.test(key) || isCounted ? secretOf(at) : codeOf(at);
  }
}

/** A text that was made up for a recording, as somebody would have sent it. */
function believable(text: string, key: string): string {
  const [, made] = /^(\w+) of [\w-]+$/.exec(text) ?? [];
  if (made === undefined) return text;
  const words = wordsOf(made);
  if (/(url|link|logo|image|img|picture)$/.test(words.replace(/ level (?=logo)/, ' ')))
    return `https://www.example.com/${words.replaceAll(' ', '-')}`;
  if (/(uuid|id)$/.test(wordsOf(key))) return idOf(text);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const isSlug = (key: string): boolean => /slug/i.test(key);

/** Ids that were made up are uuids, but for slugs. */
const withIds = (text: string, key: string): string =>
  text.replace(/\bgolden-[\w-]*\w/g, (id) => (isSlug(key) ? id.slice('golden-'.length) : idOf(id)));

/** What a request refers to by the number of an earlier answer, or by who asks. */
const reference = /\$(\d+|user|admin)\b((?:\.\w+)*)/g;

/** Where a placeholder is that an earlier answer has, too: `$0.result.uuid` is the same in all of an example. */
function referred(text: string, key: string): string {
  return text.replace(reference, (whole, _root, path: string) =>
    /linkValue$|token$/i.test(path) ? secretOf(whole) : isSlug(`${path}${key}`) && isSlug(path) ? 'austin-open' : idOf(whole),
  );
}

function shown(value: unknown, key: string, at: string): unknown {
  if (typeof value === 'string') {
    if (/^<\w+>$/.test(value)) return chosen(value, key, at);
    return withIds(referred(believable(value, key), key), key);
  }
  if (Array.isArray(value)) return value.slice(0, longest).map((item, index) => shown(item, String(index), `${at}.${index}`));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shown(inner, name, `${at}.${name}`)]));
}

/** A recording as an example: with values in the place of what stands for them, and of long lists the beginning. */
function exampleOf(operation: string, name: string, { request, response }: Recording): ReferenceExample[] {
  if (!response) return [];
  const { status } = response;
  const at = `${operation} ${name}`;
  const slug = operation.includes('{slug}') || name.includes('slug') ? 'slug' : '';
  const path = withIds(referred(request.path, slug), slug);
  const words = name.replaceAll('_', ' ');
  const title = name === usual ? 'The usual answer' : words.charAt(0).toUpperCase() + words.slice(1);
  return [
    {
      name,
      title: status < 400 ? title : `${title} (${status})`,
      request: { path, ...(request.body === undefined ? {} : { body: shown(request.body, '', at) }) },
      response: { status, body: shown(response.body, '', at) },
    },
  ];
}

/** The examples of all operations, those that were done before those that were refused. */
function examplesIn(directory: string): Recorded['examples'] {
  const files = readdirSync(directory).toSorted((a, b) => a.length - b.length || a.localeCompare(b));
  const found = files.flatMap((file) => {
    const [operation = '', name = usual] = file.replace(/\.json$/, '').split('.');
    return exampleOf(operation, name, JSON.parse(readFileSync(join(directory, file), 'utf8'))).map((example) => ({
      operation,
      example,
    }));
  });
  const refused = ({ example }: (typeof found)[number]) => Number(example.response.status >= 400);
  const byOperation = Map.groupBy(
    found.toSorted((a, b) => refused(a) - refused(b)),
    ({ operation }) => operation,
  );
  return Object.fromEntries([...byOperation].map(([operation, all]) => [operation, all.map(({ example }) => example)]));
}

/** The decisions of their page: a heading with a number, and a text that begins with its title. */
const decisionsIn = (page: string): Decision[] =>
  [...page.matchAll(/^### Decision (\S+)\n\n(.*?)(?=^#|$(?![\s\S]))/gms)].map(([, number = '', text = '']) => ({
    number,
    title: (/\*\*(.+?)\*\*/s.exec(text)?.[1] ?? '').replace(/\s+/g, ' ').replace(/\.$/, ''),
    text,
  }));

/** What the reference tells beside its tables, from the recordings of the tests and the page of decisions. */
export const packRecorded = (root: string): Recorded => ({
  examples: examplesIn(join(root, 'test/compat/golden')),
  decisions: decisionsIn(readFileSync(join(root, 'docs/decisions.md'), 'utf8')),
});

/** The same as the build has packed it; null where it has not, because the service runs from its sources. */
export const builtRecorded = (file: string): Recorded | null =>
  existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
