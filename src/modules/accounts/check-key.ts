import { reject } from '../../kernel/declare/errors.js';
import type { Values } from '../../kernel/declare/options.js';
import { Problems } from '../../kernel/declare/problems.js';
import { isAnyLocalPort, isOrigin } from './origins.js';

/** They are kept in memory with the key and compared at every request of a page. */
const mostOrigins = 100;

const form = 'an origin such as https://www.example.com or http://localhost:3000, without a path, or http://localhost:*';

/** Holds the origins of a key to the form in which browsers send theirs. */
export function checkKey(values: Values): Values {
  const origins = Array.isArray(values.allowedOrigins) ? values.allowedOrigins : [];
  if (origins.length > mostOrigins) reject('input.allowedOrigins', `at most ${mostOrigins} origins`);
  const problems = new Problems();
  for (const [index, origin] of origins.entries()) {
    if (!isOrigin(origin) && !isAnyLocalPort(origin)) problems.add(`input.allowedOrigins[${index}]`, form);
  }
  problems.refuse();
  return values;
}
