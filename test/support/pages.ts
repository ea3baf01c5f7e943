import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The pages that people read, by their paths: the README, and what it leads to. */
export const pages: ReadonlyMap<string, string> = new Map(
  [
    'README.md',
    ...readdirSync('docs')
      .filter((name) => name.endsWith('.md'))
      .map((name) => join('docs', name)),
  ].map((path): [string, string] => [path, readFileSync(path, 'utf8')]),
);

/** The text of one of them. */
export const pageOf = (path: string): string => pages.get(path) ?? '';

/** All of them in one text. */
export const allPages: string = [...pages.values()].join('\n');
