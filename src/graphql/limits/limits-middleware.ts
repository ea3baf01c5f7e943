import type { Request, RequestHandler } from 'express';
import { GraphQLError, type GraphQLSchema } from 'graphql';
import { createCache, validForever } from '../../kernel/caches.js';
import { codeOf } from '../../kernel/declare/errors.js';
import { countErrors } from '../errors/error-counts.js';
import type { ErrorMask } from '../errors/mask.js';
import { limitErrors, parseWithLimits } from './request-limits.js';

/** Maximum total length of cached documents in characters. */
const maxCachedCharacters = 2_000_000;

const textOf = ({ method, body, query }: Request): unknown => (method === 'POST' ? body?.query : query.query);

/** Returns errors for exceeded limits. Ignores syntax errors, because Apollo Server reports them. */
function limitErrorsOf(schema: GraphQLSchema, text: string): readonly GraphQLError[] {
  try {
    return limitErrors(schema, parseWithLimits(text, { noLocation: true }));
  } catch (error) {
    return error instanceof GraphQLError && codeOf(error) ? [error] : [];
  }
}

/**
 * Middleware that enforces the document limits before Apollo Server validates a document. Apollo Server would check the limits together
 * with the expensive rules of graphql-js.
 */
export function limitsMiddleware(schema: GraphQLSchema, mask: ErrorMask): RequestHandler {
  const acceptedDocuments = createCache<string, true>(
    {
      name: 'documents of a subgraph that are within the limits',
      limit: `1,024, and ${maxCachedCharacters / 1e6} MB of text`,
      validity: validForever,
    },
    { max: 1_024, maxSize: maxCachedCharacters, sizeCalculation: (_, { length }) => length || 1 },
  );
  return (request, response, next) => {
    const text = textOf(request);
    if (typeof text !== 'string' || acceptedDocuments.has(text)) return next();
    const errors = limitErrorsOf(schema, text);
    if (errors.length) {
      const maskedErrors = errors.map(mask);
      countErrors(maskedErrors);
      response.status(400).json({ errors: maskedErrors });
      return;
    }
    acceptedDocuments.set(text, true);
    next();
  };
}
