import type { Values } from '../../kernel/declare/options.js';
import { Problems } from '../../kernel/declare/problems.js';
import { isOrigin } from './origins.js';

/** Holds allowed origins to their form, because links are compared with them letter by letter. */
export function checkPlatform(values: Values): Values {
  const origins = Array.isArray(values.allowedOrigins) ? values.allowedOrigins : [];
  const problems = new Problems();
  for (const [index, origin] of origins.entries()) {
    if (!isOrigin(origin)) problems.add(`input.allowedOrigins[${index}]`, 'an origin such as https://www.example.com');
  }
  if (values.name === '') problems.add('input.name', 'a name');
  problems.refuse();
  return values;
}
