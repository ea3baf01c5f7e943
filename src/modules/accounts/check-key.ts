import { reject } from '../../kernel/errors.js';
import type { Values } from '../../kernel/record.js';
import { isAnyLocalPort, isOrigin } from './origins.js';

/** They are kept in memory with the key and compared at every request of a page. */
const mostOrigins = 100;

/** Holds the origins of a key to the form in which browsers send theirs. */
export function checkKey(values: Values): Values {
  const origins = Array.isArray(values.allowedOrigins) ? values.allowedOrigins : [];
  if (origins.length > mostOrigins) reject('allowedOrigins', `at most ${mostOrigins} origins`);
  for (const [index, origin] of origins.entries()) {
    if (!isOrigin(origin) && !isAnyLocalPort(origin))
      reject(
        `allowedOrigins.${index}`,
        'an origin such as https://www.example.com or http://localhost:3000, without a path, or http://localhost:*',
      );
  }
  return values;
}
