import { Arg, Int } from 'type-graphql';

/** The argument by which a writer changes only what was read, of whatever changes a versioned record. */
export const ifVersionArg = (): ((target: object, method: string, index: number) => void) =>
  Arg('ifVersion', () => Int, {
    nullable: true,
    description:
      'The `version` that was read. CONFLICT with `extensions.currentVersion` if the record has another one by now, NOT_FOUND if there is no record.',
  });
