import type { Request, RequestHandler } from 'express';
import { GraphQLError, type GraphQLSchema } from 'graphql';
import { bounded, forGood } from '../kernel/bounded.js';
import { codeOf } from '../kernel/declare/errors.js';
import { beyondLimits, parseWithin } from './limits.js';
import type { Mask } from './mask.js';

/** Characters of the documents that are known to keep the limits. */
const keptCharacters = 2_000_000;

const textOf = ({ method, body, query }: Request): unknown => (method === 'POST' ? body?.query : query.query);

/** Why a text is too much; what cannot be parsed, or has too many tokens to be, is left to those behind. */
function refusalsOf(schema: GraphQLSchema, text: string): readonly GraphQLError[] {
  try {
    return beyondLimits(schema, parseWithin(text, { noLocation: true }));
  } catch (error) {
    return error instanceof GraphQLError && codeOf(error) ? [error] : [];
  }
}

/** Has documents refused that are too much before Apollo Server looks at them: it runs all rules at once, ours beside those of graphql-js. */
export function limitsFirst(schema: GraphQLSchema, mask: Mask): RequestHandler {
  const kept = bounded<string, true>(
    {
      what: 'documents of a subgraph that keep the limits',
      most: `1,024, and ${keptCharacters / 1e6} MB of text`,
      until: forGood,
    },
    { max: 1_024, maxSize: keptCharacters, sizeCalculation: (_, { length }) => length || 1 },
  );
  return (request, response, next) => {
    const text = textOf(request);
    if (typeof text !== 'string' || kept.has(text)) return next();
    const refusals = refusalsOf(schema, text);
    if (refusals.length) {
      response.status(400).json({ errors: refusals.map(mask) });
      return;
    }
    kept.set(text, true);
    next();
  };
}
