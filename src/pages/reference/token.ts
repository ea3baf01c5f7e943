import type { ReferenceOperation } from '../../../compat/reference/operation.js';
import type { ExampleTokens } from '../../gateway/examples/index.js';

type Asked = Pick<ReferenceOperation, 'auth' | 'callers'>;

/** Whose token a sample carries; null where none is needed. Where only some users may call it, it is the admin's. */
export const askerOf = ({ auth, callers }: Asked): keyof ExampleTokens | null => {
  if (auth === 'anyone') return null;
  if (auth !== 'user') return 'platform';
  return /users with|super admins/.test(callers) ? 'admin' : 'user';
};

/** The token of the demo season that it carries; empty where there is none. */
export const tokenFor = (operation: Asked, tokens: ExampleTokens | null): string => {
  const asker = askerOf(operation);
  return (asker && tokens?.[asker]) || '';
};
