import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Library directory of the machine's architecture in Debian and its derivatives. */
const places = (): string[] => [
  '/usr/lib',
  ...readdirSync('/usr/lib', { withFileTypes: true }).flatMap((each) =>
    each.isDirectory() ? [join('/usr/lib', each.name)] : [],
  ),
];

/** Path of a library to preload. Null if it is not installed. */
export const libraryAt = (name: string): string | null =>
  places()
    .map((place) => join(place, name))
    .find((path) => existsSync(path)) ?? null;
