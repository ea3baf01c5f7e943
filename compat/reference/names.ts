import type { Method } from '../engine/route.js';

/** Returns a word with a capital first letter. */
export const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Returns the unique name of an operation, such as `getDataTeamsUuid` for `GET /v1/data/teams/{uuid}`. */
export const operationName = (method: Method, path: string): string =>
  method.toLowerCase() +
  path
    .replace(/^\/v1\//, '/')
    .split(/[^A-Za-z0-9]+/)
    .map(capitalize)
    .join('');
