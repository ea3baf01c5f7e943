import { type Config, loadConfig, variables } from '../../config/index.js';
import { StartProblem } from '../../process/start-problem.js';
import { type Finding, failed, failedWith, passed } from './finding.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Configuration, with defaults in place of invalid settings, and the findings about the settings. */
interface ReadSettings {
  readonly config: Config;
  readonly findings: Finding[];
}

/** Finds settings that are valid individually but do not work together. */
function conflictFindings({ isProduction, publicUrl, trustProxy, port }: Config): Finding[] {
  const hasProxy = trustProxy !== 0;
  return [
    publicUrl?.startsWith('https:') === true &&
      !hasProxy &&
      failed(
        'PUBLIC_URL uses HTTPS, but TRUST_PROXY is not set, so all requests appear to come from the proxy',
        'set TRUST_PROXY to the number of proxies, or to their networks.',
      ),
    isProduction &&
      publicUrl === null &&
      !hasProxy &&
      failed(
        `PUBLIC_URL is not set, so links in emails start with http://localhost:${port}`,
        'set PUBLIC_URL to the URL that clients use.',
      ),
  ].filter((problem) => problem !== false);
}

/** Reads the settings. Invalid settings are replaced by their defaults, so that the other checks can run. */
export function readSettings(environment: Environment): ReadSettings {
  try {
    const config = loadConfig(environment);
    const names = variables.filter(({ name }) => environment[name]).map(({ name }) => name);
    const problems = conflictFindings(config);
    return {
      config,
      findings: problems.length
        ? problems
        : [passed(names.length ? `valid: ${names.join(', ')}` : 'none are set, so all have their defaults')],
    };
  } catch (error) {
    if (!(error instanceof StartProblem)) throw error;
    const invalidNames = new Set(error.sentences.flatMap((sentence) => sentence.match(/\b[A-Z][A-Z_]{3,}\b/g) ?? []));
    const validSettings = Object.fromEntries(Object.entries(environment).filter(([name]) => !invalidNames.has(name)));
    return {
      config: readOrDefault(validSettings),
      findings: error.sentences.map((sentence) =>
        sentence.includes(': ')
          ? failedWith(sentence)
          : failed(sentence.replace(/\.$/, ''), 'correct the value. docs/configuration.md describes all settings.'),
      ),
    };
  }
}

function readOrDefault(environment: Environment): Config {
  try {
    return loadConfig(environment);
  } catch {
    return { ...loadConfig({}), isProduction: environment.NODE_ENV === 'production' };
  }
}
