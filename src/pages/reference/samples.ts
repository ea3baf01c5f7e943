import type { ReferenceOperation } from '../../../compat/reference/operation.js';
import { curlOf, type Sample, typescriptOf } from '../../../compat/reference/samples.js';
import type { ExampleTokens } from '../../graphql/examples/index.js';

/** Origin of the service, and the tokens of the demo data, which are null if there is no demo data. */
export interface SampleSettings {
  readonly origin: string;
  readonly tokens: ExampleTokens | null;
}

type CallableOperation = Pick<ReferenceOperation, 'auth' | 'callers'>;

/** Returns which demo caller a sample uses: `admin` if the operation is limited to some users, null if it requires no token. */
const sampleCallerOf = ({ auth, callers }: CallableOperation): keyof ExampleTokens | null => {
  if (auth === 'anyone') return null;
  if (auth !== 'user') return 'platform';
  return /users with|super admins/.test(callers) ? 'admin' : 'user';
};

/** Returns the demo token for a sample. Empty if there is no demo data, and for operations that need no token. */
export const tokenFor = (operation: CallableOperation, tokens: ExampleTokens | null): string => {
  const caller = sampleCallerOf(operation);
  return (caller && tokens?.[caller]) || '';
};

/** Prints a shell command and a call to the TypeScript client. If there is demo data, they contain a demo token. */
export function samplesOf(
  operation: ReferenceOperation,
  sample: Sample,
  { origin, tokens }: SampleSettings,
): { shell: string; typescript: string } {
  const [shell, typescript] = [curlOf(operation, sample, origin), typescriptOf(operation, sample, origin)];
  const token = tokenFor(operation, tokens);
  if (!token) return { shell, typescript };
  return {
    shell: shell.replace(/"(PB-[A-Z]+-TOKEN): \$\w+"/, (_, header: string) => `'${header}: ${token}'`),
    typescript: typescript.replace(
      /, (platformToken|userToken) }/,
      (_, option: string) => `, ${option}: ${JSON.stringify(token)} }`,
    ),
  };
}
