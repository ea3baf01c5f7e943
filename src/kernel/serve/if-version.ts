import { GraphQLInt } from 'graphql';
import { Arg, Int } from 'type-graphql';
import type { InputValueSpec } from '../declare/fields/generated.js';

const description =
  'The `version` that the caller has read. CONFLICT with `extensions.currentVersion` if the record has changed since, NOT_FOUND if it does not exist.';

/** Argument `ifVersion` of generated mutations that change a versioned record, for optimistic locking. */
export const ifVersion: InputValueSpec = { type: () => GraphQLInt, description };

/** The same for handwritten mutations. */
export const ifVersionArg = (): ((target: object, method: string, index: number) => void) =>
  Arg('ifVersion', () => Int, { nullable: true, description });
