import { mkdir, writeFile } from 'node:fs/promises';
import { buildSchema } from 'graphql';
import type { ContractOptions } from '../graphql/federation/contract.js';
import { audiences, isAudience } from '../graphql/federation/router-directives.js';
import { type Command, parseArguments, UsageError } from '../process/command.js';
import { StartProblem } from '../process/start-problem.js';
import { dictionaryPage } from '../transfer/dictionary/markdown.js';
import { forbiddenChanges } from './breaking-changes.js';
import { emitSchemas, supergraphOf } from './emit.js';
import { isStableRelease, schemaBefore } from './schema-before.js';

const usage = `Usage: npm run schema [-- --accept-breaking]
       npm run -s schema -- [--contract <audience>] [--hide-legacy] [--policies]

Writes the GraphQL schema, the subgraphs and the supergraph to schema/, and the data dictionary to docs/. Rejects changes that break clients,
unless the changed element is deprecated and its removal date has passed. With --contract, --hide-legacy or --policies, prints a variant of the
supergraph instead.

Options:
  --accept-breaking      Allow breaking changes. Only before version 1.0.0.
  --contract <audience>  Limit the supergraph to an audience: ${audiences.join(', ')}.
  --hide-legacy          Omit elements with the tag "legacy".
  --policies             Add @policy directives with the rights that each field requires.
  --help                 Show this help.

Examples:
  npm run schema
  npm run -s schema -- --contract public > public.graphql`;

interface SchemaOptions {
  /** Whether breaking changes, such as removed fields, are allowed. */
  acceptsBreaking: boolean;
  /** Options for printing the supergraph. If null, the files in `schema/` are written instead. */
  printOptions: { contract: ContractOptions | undefined; policies: boolean } | null;
}

/** Parses the arguments. Throws a `UsageError` if they are invalid. */
export function schemaOptions(args: string[]): SchemaOptions {
  const flag = { type: 'boolean', default: false } as const;
  const options = { contract: { type: 'string' }, 'hide-legacy': flag, policies: flag, 'accept-breaking': flag } as const;
  const {
    contract: audience,
    policies,
    'hide-legacy': hidesLegacy,
    'accept-breaking': acceptsBreaking,
  } = parseArguments({
    args,
    options,
  }).values;
  if (audience !== undefined && !isAudience(audience))
    throw new UsageError(`--contract: expected one of ${audiences.join(', ')}, but got ${JSON.stringify(audience)}.`);
  const contract = audience || hidesLegacy ? { audience, hidesLegacy } : undefined;
  const hasOutputOption = contract !== undefined || policies;
  if (hasOutputOption && acceptsBreaking)
    throw new UsageError('--accept-breaking cannot be combined with --contract, --hide-legacy or --policies.');
  return { acceptsBreaking, printOptions: hasOutputOption ? { contract, policies } : null };
}

/** Writes the schema files and the data dictionary. Throws if a change breaks clients before the removal date of the changed element. */
async function write(acceptsBreaking: boolean): Promise<void> {
  const files = emitSchemas();
  const previousSdl = await schemaBefore('.');
  const currentSdl = files.get('schema.graphql') ?? '';
  const today = new Date().toISOString().slice(0, 10);
  const forbiddenRemovals =
    previousSdl === null ? [] : await forbiddenChanges(buildSchema(previousSdl), buildSchema(currentSdl), today);
  if (forbiddenRemovals.length && !(acceptsBreaking && !(await isStableRelease('.'))))
    throw new StartProblem(
      'These changes break clients:',
      ...forbiddenRemovals.map((message) => `  ${message}`),
      'Instead of removing these parts, deprecate them with a removal date, such as "Use `title`. Removed on or after 2027-06-01."',
      'Before version 1.0.0, you can allow the changes with: npm run schema -- --accept-breaking',
    );
  await mkdir('schema', { recursive: true });
  for (const [name, text] of files) await writeFile(`schema/${name}`, text);
  await writeFile('docs/data-dictionary.md', dictionaryPage());
  console.log(`Wrote ${files.size} files to schema/, and docs/data-dictionary.md.`);
}

export const command: Command = {
  usage,
  async run(args) {
    const { printOptions, acceptsBreaking } = schemaOptions(args);
    if (printOptions) process.stdout.write(supergraphOf(printOptions));
    else await write(acceptsBreaking);
    return 0;
  },
};
