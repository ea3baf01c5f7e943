import { type Config, loadConfig, variables } from '../../config/index.js';
import { StartProblem } from '../../process/start-problem.js';
import { type Finding, failed, failedWith, passed } from './finding.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** The valid settings, with defaults for invalid ones, and the findings about them. */
export interface ReadSettings {
  readonly config: Config;
  readonly findings: Finding[];
}

/** Valid settings that do not fit together. */
function conflicts({ isProduction, publicUrl, trustProxy, port }: Config): Finding[] {
  const hasProxy = trustProxy !== 0;
  return [
    ...(publicUrl?.startsWith('https:') && !hasProxy
      ? [
          failed(
            'PUBLIC_URL uses HTTPS, which needs a proxy, but TRUST_PROXY is not set, so all visitors seem to have the IP address of the proxy',
            'set TRUST_PROXY to the number of proxies, or to their networks.',
          ),
        ]
      : []),
    ...(isProduction && publicUrl === null && !hasProxy
      ? [
          failed(
            `PUBLIC_URL is not set, so links in emails start with http://localhost:${port}`,
            'set PUBLIC_URL to the URL that clients use.',
          ),
        ]
      : []),
  ];
}

/** Reads the settings. Other checks use the defaults of invalid settings. */
export function readSettings(environment: Environment): ReadSettings {
  try {
    const config = loadConfig(environment);
    const names = variables.filter(({ name }) => environment[name]).map(({ name }) => name);
    const problems = conflicts(config);
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
