import type { ReferenceOperation } from '../../../compat/reference/operation.js';
import { curlOf, type Sample, typescriptOf } from '../../../compat/reference/samples.js';
import type { ExampleTokens } from '../../graphql/examples/index.js';
import { tokenFor } from './token.js';

/** Origin of the service, and the tokens of the demo data. Null without demo data. */
export interface Site {
  readonly origin: string;
  readonly tokens: ExampleTokens | null;
}

/** Prints a shell command and a call of the TypeScript client. With demo data, they contain a demo token. */
export function samplesOf(
  operation: ReferenceOperation,
  sample: Sample,
  { origin, tokens }: Site,
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
