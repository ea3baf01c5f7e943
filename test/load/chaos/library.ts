import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Where Debian and its children put the libraries of a machine's kind. */
const places = (): string[] => [
  '/usr/lib',
  ...readdirSync('/usr/lib', { withFileTypes: true }).flatMap((each) =>
    each.isDirectory() ? [join('/usr/lib', each.name)] : [],
  ),
];

/** The path of a library that is loaded before all others; null where it is not installed. */
export const libraryAt = (name: string): string | null =>
  places()
    .map((place) => join(place, name))
    .find((path) => existsSync(path)) ?? null;
