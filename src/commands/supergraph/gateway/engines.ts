import { StartProblem } from '../../../process/start-problem.js';
import type { Engine, EngineOptions, StartEngine } from './engine.js';
import { EngineNotInstalled } from './test-tools.js';

/**
 * Engines, keyed by name, fastest first. Each engine is loaded only when it is used, because it may be missing. A production install
 * includes no engine. `hive` needs a native module that some platforms lack. `apollo` is installed only in `test/tools`.
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

/** Returns an engine and its fallbacks, in the order in which they are tried. */
export const candidatesFrom = (name: EngineName): [string, Load][] => Object.entries(engines).slice(engineNames.indexOf(name));

/** Whether an import failed because the package is not installed, or not built for this platform. */
export const isMissingPackageError = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && /MODULE_NOT_FOUND|ERR_DLOPEN_FAILED/.test(String(error.code))) || /native binding/.test(error.message));

export const notInstalledMessage =
  'The gateway engines and the composition library are development dependencies and are not installed. To install them, run "npm install".';

/** Starts the first available engine. Calls `warn` for each unavailable engine. */
export async function startFirstEngine(
  candidates: readonly (readonly [name: string, load: Load])[],
  supergraph: string,
  options: EngineOptions,
  warn: (message: string) => void,
): Promise<{ name: string; engine: Engine }> {
  for (const [name, load] of candidates) {
    try {
      const start = await load();
      return { name, engine: await start(supergraph, options) };
    } catch (error) {
      if (error instanceof EngineNotInstalled) warn(`The engine ${name} is not installed. To install it, run "${error.remedy}".`);
      else if (isMissingPackageError(error)) warn(`The engine ${name} is not installed or not built for this platform.`);
      else throw error;
    }
  }
  throw new StartProblem(notInstalledMessage);
}
