import type { ReferenceOperation } from '../../../compat/reference/operation.js';
import type { ExampleTokens } from '../../graphql/examples/index.js';

type CallableOperation = Pick<ReferenceOperation, 'auth' | 'callers'>;

/** Caller of the demo data that a sample uses. Null if it needs no token. `admin` for operations that only some users may call. */
export const sampleCallerOf = ({ auth, callers }: CallableOperation): keyof ExampleTokens | null => {
  if (auth === 'anyone') return null;
  if (auth !== 'user') return 'platform';
  return /users with|super admins/.test(callers) ? 'admin' : 'user';
};

/** Demo token of a sample. Empty if it needs none, or without demo data. */
export const tokenFor = (operation: CallableOperation, tokens: ExampleTokens | null): string => {
  const caller = sampleCallerOf(operation);
  return (caller && tokens?.[caller]) || '';
};
