import { StartProblem } from '../../start-problem.js';
import type { Engine, Opening, StartEngine } from './engine.js';

/**
 * The engines, the quickest first. Each is loaded when it is asked for: they are development dependencies, and one has a native part that
 * not every platform has.
 */
const engines = {
  hive: async () => (await import('./hive.js')).startHive,
  apollo: async () => (await import('./apollo.js')).startApollo,
  'hive-js': async () => (await import('./hive.js')).startHiveJs,
} satisfies Record<string, Load>;

type Load = () => Promise<StartEngine>;
export type EngineName = keyof typeof engines;

export const isEngine = (name: string): name is EngineName => Object.hasOwn(engines, name);
export const engineNames: readonly EngineName[] = Object.keys(engines).filter(isEngine);

/** An engine and those behind it, which stand in for it. */
export const candidatesFrom = (name: EngineName): [string, Load][] => Object.entries(engines).slice(engineNames.indexOf(name));

/** Whether something cannot be loaded because it was not installed, or not built for this platform. */
export const isNotThere = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && /MODULE_NOT_FOUND|ERR_DLOPEN_FAILED/.test(String(error.code))) || /native binding/.test(error.message));

/** What to do where none is there. */
export const notInstalled =
  'The engines of gateways and the composition are development dependencies, and not installed here: npm install brings them.';

/** Starts the first of these engines that is there; `tell` hears of those that are not. */
export async function startFirst(
  candidates: readonly (readonly [name: string, load: Load])[],
  supergraph: string,
  opening: Opening,
  tell: (sentence: string) => void,
): Promise<{ name: string; engine: Engine }> {
  for (const [name, load] of candidates) {
    try {
      const start = await load();
      return { name, engine: await start(supergraph, opening) };
    } catch (error) {
      if (!isNotThere(error)) throw error;
      tell(`The engine ${name} is not installed or not built for this platform.`);
    }
  }
  throw new StartProblem(notInstalled);
}
