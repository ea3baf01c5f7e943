import { parseArgs } from 'node:util';
import { audiences, isAudience } from '../gateway/audiences.js';
import type { ContractOptions } from '../gateway/contract.js';
import { StartProblem } from '../start-problem.js';

const usage = `npm run -s schema -- [--accept-breaking], or -- [--contract ${audiences.join(' | ')}] [--hide-legacy] [--policies]`;

export interface SchemaOptions {
  /** Allows breaking changes, such as removed fields. */
  acceptsBreaking: boolean;
  /** Supergraph to print, instead of writing `schema/`. */
  printed: { contract: ContractOptions | undefined; policies: boolean } | null;
}

/** Parses the command line. */
export function schemaOptions(args: string[]): SchemaOptions {
  const { contract: audience, policies, 'hide-legacy': hidesLegacy, 'accept-breaking': acceptsBreaking } = valuesOf(args);
  if (audience !== undefined && !isAudience(audience))
    throw new StartProblem(`There is no contract ${JSON.stringify(audience)}.`, usage);
  const contract = audience || hidesLegacy ? { audience, hidesLegacy } : undefined;
  const prints = contract !== undefined || policies;
  if (prints && acceptsBreaking)
    throw new StartProblem('--accept-breaking cannot be combined with --contract, --hide-legacy or --policies.', usage);
  return { acceptsBreaking, printed: prints ? { contract, policies } : null };
}

function valuesOf(args: string[]) {
  const flag = { type: 'boolean', default: false } as const;
  try {
    const options = { contract: { type: 'string' }, 'hide-legacy': flag, policies: flag, 'accept-breaking': flag } as const;
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new StartProblem(error instanceof Error ? error.message : String(error), usage);
  }
}
