import { type Config, loadConfig, variables } from '../../config.js';
import { StartProblem } from '../../start-problem.js';
import { type Finding, right, wrong, wrongAsTold } from './finding.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** The settings as far as they can be read, and what is wrong with them. */
export interface ReadSettings {
  readonly config: Config;
  readonly findings: Finding[];
}

/** What is right by itself and does not fit together. */
function misfits({ isProduction, publicUrl, trustProxy, port }: Config): Finding[] {
  const isBehind = trustProxy !== 0;
  return [
    ...(publicUrl?.startsWith('https:') && !isBehind
      ? [
          wrong(
            'PUBLIC_URL is https, so a proxy is in front, and TRUST_PROXY is unset: all visitors have one address',
            'set TRUST_PROXY to the number of proxies in front, or to their networks.',
          ),
        ]
      : []),
    ...(isProduction && publicUrl === null && !isBehind
      ? [
          wrong(
            `PUBLIC_URL is unset: links in mails lead to http://localhost:${port}`,
            'set PUBLIC_URL to the address that clients use.',
          ),
        ]
      : []),
  ];
}

/** Reads the settings; those that cannot be read count as unset for what is looked at further. */
export function readSettings(environment: Environment): ReadSettings {
  try {
    const config = loadConfig(environment);
    const set = variables.filter(({ name }) => environment[name]).map(({ name }) => name);
    const found = misfits(config);
    return {
      config,
      findings: found.length ? found : [right(set.length ? `${set.join(', ')} can be read` : 'none is set: the defaults hold')],
    };
  } catch (error) {
    if (!(error instanceof StartProblem)) throw error;
    const named = new Set(error.sentences.flatMap((sentence) => sentence.match(/\b[A-Z][A-Z_]{3,}\b/g) ?? []));
    const others = Object.fromEntries(Object.entries(environment).filter(([name]) => !named.has(name)));
    return {
      config: readOrDefault(others),
      findings: error.sentences.map((sentence) =>
        sentence.includes(': ')
          ? wrongAsTold(sentence)
          : wrong(sentence.replace(/\.$/, ''), 'correct it; docs/configuration.md lists all settings.'),
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
