import { Arg, Int } from 'type-graphql';

/** Argument `ifVersion` of mutations that change a versioned record, for optimistic locking. */
export const ifVersionArg = (): ((target: object, method: string, index: number) => void) =>
  Arg('ifVersion', () => Int, {
    nullable: true,
    description:
      'The `version` that the caller has read. CONFLICT with `extensions.currentVersion` if the record has changed since, NOT_FOUND if it does not exist.',
  });
