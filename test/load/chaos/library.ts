import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the directories in which Debian and its derivatives may install a library. */
const places = (): string[] => [
  '/usr/lib',
  ...readdirSync('/usr/lib', { withFileTypes: true }).flatMap((each) =>
    each.isDirectory() ? [join('/usr/lib', each.name)] : [],
  ),
];

/** Returns the path of a library to preload. Null if it is not installed. */
export const libraryAt = (name: string): string | null =>
  places()
    .map((place) => join(place, name))
    .find((path) => existsSync(path)) ?? null;
