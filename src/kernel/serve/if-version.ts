import { GraphQLInt } from 'graphql';
import { Arg, Int } from 'type-graphql';
import type { InputValueSpec } from '../declare/fields/generated.js';

const description =
  'Expected `version` of the record. CONFLICT with `extensions.currentVersion` if the record has changed, NOT_FOUND if it does not exist.';

/** Argument `ifVersion` of generated mutations that change a versioned record, for optimistic locking. */
export const ifVersion: InputValueSpec = { type: () => GraphQLInt, description };

/** Decorator: declares the argument `ifVersion` of a handwritten mutation. */
export const ifVersionArg = (): ((target: object, method: string, index: number) => void) =>
  Arg('ifVersion', () => Int, { nullable: true, description });
