import type { ReferenceOperation } from '../../../compat/reference/operation.js';
import type { ExampleTokens } from '../../graphql/examples/index.js';

type CallableOperation = Pick<ReferenceOperation, 'auth' | 'callers'>;

/** Returns the caller of the demo data for a sample: `admin` if the operation is limited to some users, null if it needs no token. */
export const sampleCallerOf = ({ auth, callers }: CallableOperation): keyof ExampleTokens | null => {
  if (auth === 'anyone') return null;
  if (auth !== 'user') return 'platform';
  return /users with|super admins/.test(callers) ? 'admin' : 'user';
};

/** Returns the demo token for a sample. Empty without demo data, and for operations that need no token. */
export const tokenFor = (operation: CallableOperation, tokens: ExampleTokens | null): string => {
  const caller = sampleCallerOf(operation);
  return (caller && tokens?.[caller]) || '';
};
