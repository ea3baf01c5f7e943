import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { release } from '../../process/release.js';
import { typeDescriptions } from './column-type.js';
import { dictionary } from './dictionary.js';

/** Name of the dictionary in an export. Imports ignore it. */
export const dictionaryFile = 'dictionary.json';

export const dictionaryJson = (): string =>
  `${JSON.stringify({ release, types: typeDescriptions, tables: dictionary() }, null, 2)}\n`;

/** Writes the dictionary next to the files of an export. */
export const writeDictionary = (directory: string): Promise<void> =>
  writeFile(join(directory, dictionaryFile), dictionaryJson(), { mode: 0o600 });
