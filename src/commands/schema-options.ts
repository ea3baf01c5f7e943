import { parseArgs } from 'node:util';
import { type Audience, audiences, isAudience } from '../gateway/audiences.js';
import { StartProblem } from '../start-problem.js';

const usage = `npm run -s schema -- [--accept-breaking], or -- [--contract ${audiences.join(' | ')}] [--policies]`;

export interface SchemaOptions {
  /** Lets what clients may use go at once. */
  acceptsBreaking: boolean;
  /** The supergraph to print, where schema/ is not to be written. */
  printed: { contract: Audience | undefined; policies: boolean } | null;
}

/** What the command line asks for. */
export function schemaOptions(args: string[]): SchemaOptions {
  const { contract, policies, 'accept-breaking': acceptsBreaking } = valuesOf(args);
  const prints = contract !== undefined || policies;
  if (contract !== undefined && !isAudience(contract))
    throw new StartProblem(`There is no contract ${JSON.stringify(contract)}.`, usage);
  if (prints && acceptsBreaking) throw new StartProblem('--accept-breaking is for what is written, and this prints.', usage);
  return { acceptsBreaking, printed: prints ? { contract, policies } : null };
}

function valuesOf(args: string[]) {
  const flag = { type: 'boolean', default: false } as const;
  try {
    return parseArgs({ args, options: { contract: { type: 'string' }, policies: flag, 'accept-breaking': flag } }).values;
  } catch (error) {
    throw new StartProblem(error instanceof Error ? error.message : String(error), usage);
  }
}
