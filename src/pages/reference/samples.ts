import type { ReferenceOperation } from '../../../compat/reference/operation.js';
import { curlOf, type Sample, sampleOf, typescriptOf } from '../../../compat/reference/samples.js';
import type { ExampleTokens } from '../../gateway/examples/index.js';

/** Where the service is reached, and the tokens of the demo season, where it is. */
export interface Site {
  readonly origin: string;
  readonly tokens: ExampleTokens | null;
}

/** Whose token a sample carries; null where none is needed. */
export const askerOf = ({ auth }: ReferenceOperation): 'platform' | 'user' | null => {
  if (auth === 'anyone') return null;
  return auth === 'user' ? 'user' : 'platform';
};

/**
 * What one tries first: records of the demo season, and of a list the first few. What was recorded with other parameters finds nothing
 * elsewhere.
 */
export function firstSample(operation: ReferenceOperation): Sample {
  const { values: recorded, body } = sampleOf(operation);
  const variables = operation.calls[0]?.variables ?? {};
  const values = operation.parameters.flatMap(({ name, in: place, required }): [string, string][] => {
    if (name === 'page_size') return [[name, '10']];
    const found = place === 'path' || required ? (variables[name] ?? recorded[name]) : undefined;
    return typeof found === 'string' || typeof found === 'number' ? [[name, String(found)]] : [];
  });
  return { values: Object.fromEntries(values), body };
}

/** A line for a shell and a call of the client, with the token of the demo season where there is one. */
export function samplesOf(
  operation: ReferenceOperation,
  sample: Sample,
  { origin, tokens }: Site,
): { shell: string; typescript: string } {
  const asker = askerOf(operation);
  const [shell, typescript] = [curlOf(operation, sample, origin), typescriptOf(operation, sample, origin)];
  const token = asker && tokens?.[asker];
  if (!token) return { shell, typescript };
  return {
    shell: shell.replace(/"(PB-[A-Z]+-TOKEN): \$\w+"/, (_, header: string) => `'${header}: ${token}'`),
    typescript: typescript.replace(
      /, (platformToken|userToken) }/,
      (_, option: string) => `, ${option}: ${JSON.stringify(token)} }`,
    ),
  };
}
