import type { ReferenceOperation } from '../../../compat/reference/operation.js';
import { curlOf, type Sample, sampleOf, typescriptOf } from '../../../compat/reference/samples.js';
import { seasonValueAt } from '../../../compat/reference/season-values.js';
import type { ExampleTokens } from '../../gateway/examples/index.js';
import { tokenFor } from './token.js';

/** Where the service is reached, and the tokens of the demo season, where it is. */
export interface Site {
  readonly origin: string;
  readonly tokens: ExampleTokens | null;
}

/**
 * What one tries first: records of the demo season, and of a list the first few. What was recorded with other parameters finds nothing
 * elsewhere.
 */
export function firstSample(operation: ReferenceOperation): Sample {
  const { values: recorded, body } = sampleOf(operation);
  const variables = operation.calls[0]?.variables ?? {};
  const values = operation.parameters.flatMap(({ name, in: place, required, coordinate, schema }): [string, string][] => {
    if (name === 'page_size') return [[name, '10']];
    const known = operation.method === 'GET' ? seasonValueAt(coordinate) : undefined;
    // What has words of its own here is, in the season, the first of them.
    const written = known !== undefined && Array.isArray(schema.enum) ? schema.enum[0] : known;
    const found = place === 'path' || required ? (written ?? variables[name] ?? recorded[name]) : undefined;
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
