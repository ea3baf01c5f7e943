import { readFileSync } from 'node:fs';
import { errorCode } from '../kernel/database-errors.js';
import { environment } from './environment.js';

/** Environment variables of a process that have a non-empty value. */
export type DefinedVariables = Readonly<Record<string, string>>;

/** Names of the variables that can contain a secret. `<name>_FILE` names a file that contains the value. */
export const secretNames: ReadonlySet<string> = new Set(
  Object.entries(environment.shape).flatMap(([name, schema]) => (schema.meta()?.isSecret === true ? [name] : [])),
);

export const fileVariableOf = (name: string): string => `${name}_FILE`;

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'the user of the service has no permission',
  EISDIR: 'it is a directory',
};

/**
 * Reads the file whose path is in an environment variable. Returns its content without the trailing newline. If the content is not a valid
 * value, returns the reason.
 */
export function readSecretFile(variable: string, path: string): { value: string } | { problem: string } {
  const problemOf = (reason: string) => ({ problem: `${variable} names the file ${path}, which ${reason}.` });
  try {
    const value = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
    if (value.trim() === '') return problemOf('is empty: write the value into the file');
    return /[\r\n]/.test(value) ? problemOf('has several lines: write the value on one line') : { value };
  } catch (error) {
    const code = errorCode(error);
    return problemOf(`cannot be read (${reasons[code] ?? code}): correct the path or the permissions`);
  }
}

/** Returns the message for a variable that is set both directly and through a file. */
export const bothSetProblem = (name: string): string => `${name} and ${fileVariableOf(name)} are both set: set only one of them.`;

interface SecretFiles {
  /** All variables. The value of a variable with a readable file is the content of the file. */
  readonly variables: DefinedVariables;
  /** Variables with an unreadable file. Their values are empty. */
  readonly unreadable: DefinedVariables;
  /** One line per problem. */
  readonly problems: string[];
}

/** Reads the files that `<name>_FILE` variables name. */
export function readSecretFiles(variables: DefinedVariables): SecretFiles {
  const values: Record<string, string> = { ...variables };
  const unreadable: Record<string, string> = {};
  const problems: string[] = [];
  for (const name of secretNames) {
    const fileVariable = fileVariableOf(name);
    const path = variables[fileVariable];
    if (path === undefined) continue;
    if (variables[name] !== undefined) {
      problems.push(bothSetProblem(name));
      continue;
    }
    const result = readSecretFile(fileVariable, path);
    if ('value' in result) {
      values[name] = result.value;
      continue;
    }
    unreadable[name] = '';
    problems.push(result.problem);
  }
  return { variables: values, unreadable, problems };
}
