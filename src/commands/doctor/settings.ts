import { type Config, configWarnings, loadConfig, variables } from '../../config/index.js';
import { mode } from '../../config/values.js';
import { StartProblem } from '../../process/start-problem.js';
import { checkAdminPassword, checkTrustedDocuments } from '../../server/lifecycle/check-config.js';
import { type Finding, failedFinding, findingFromMessage, passedFinding } from './finding.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Configuration, in which defaults replace invalid settings, and the findings about the settings. */
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
      failedFinding(
        'PUBLIC_URL uses HTTPS, but TRUST_PROXY is not set, so all requests appear to come from the proxy',
        'set TRUST_PROXY to the number of proxies, or to their networks.',
      ),
    isProduction &&
      publicUrl === null &&
      !hasProxy &&
      failedFinding(
        `PUBLIC_URL is not set, so links in emails start with http://localhost:${port}`,
        'set PUBLIC_URL to the URL that clients use.',
      ),
  ].filter((problem) => problem !== false);
}

const spellingFindings = (environment: Environment): Finding[] =>
  configWarnings(environment).map((warning) =>
    failedFinding(warning.replace(/\?$/, ''), 'correct the name of the variable, or remove it.'),
  );

/** Reads the settings. Invalid settings are replaced with their defaults, so that the other checks can run. */
export async function readSettings(environment: Environment): Promise<ReadSettings> {
  const warnings = spellingFindings(environment);
  try {
    const config = loadConfig(environment);
    await checkAdminPassword(config);
    await checkTrustedDocuments(config);
    const names = variables
      .flatMap(({ name, isSecret }) => (isSecret ? [name, `${name}_FILE`] : [name]))
      .filter((name) => environment[name]);
    const problems = [...conflictFindings(config), ...warnings];
    return {
      config,
      findings: problems.length
        ? problems
        : [passedFinding(names.length ? `valid: ${names.join(', ')}` : 'none are set, so all have their defaults')],
    };
  } catch (error) {
    if (!(error instanceof StartProblem)) throw error;
    const spellingWarnings = configWarnings(environment);
    const sentences = error.sentences.filter((sentence) => !spellingWarnings.includes(sentence));
    const invalidNames = new Set(sentences.flatMap((sentence) => sentence.match(/\b[A-Z][A-Z_]{3,}\b/g) ?? []));
    const validSettings = Object.fromEntries(Object.entries(environment).filter(([name]) => !invalidNames.has(name)));
    return {
      config: readOrDefault(validSettings),
      findings: [
        ...sentences.map(findingFromMessage).map((finding) => ({
          fix: 'correct the value. docs/configuration.md describes all settings.',
          ...finding,
        })),
        ...warnings,
      ],
    };
  }
}

/**
 * Reads the valid settings. Does not apply the rules for production, because a violated rule would replace all settings with their
 * defaults.
 */
function readOrDefault({ NODE_ENV = '', ...environment }: Environment): Config {
  const isProduction = mode.safeParse(NODE_ENV).data === 'production';
  try {
    return { ...loadConfig(environment), isProduction };
  } catch {
    return { ...loadConfig({}), isProduction };
  }
}
