import { Arg, Int } from 'type-graphql';

/** The argument by which a writer changes only what was read, of whatever changes a versioned record. */
export const ifVersionArg = (): ((target: object, method: string, index: number) => void) =>
  Arg('ifVersion', () => Int, {
    nullable: true,
    description:
      'The `version` that was read. Where the record has another one by now nothing is changed: CONFLICT, with `extensions.currentVersion`. With it nothing is created, either: NOT_FOUND where there is none.',
  });
