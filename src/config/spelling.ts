import { environment } from './environment.js';
import { fileVariableOf, secretNames } from './secret-files.js';

/** Names of all variables, including the `<name>_FILE` variables. */
const knownNames = [...Object.keys(environment.shape), ...[...secretNames].map(fileVariableOf)];

/** Minimum length of names that are compared. Other programs use names that are similar to short names, such as `PORTS` and `HOSTS`. */
const minLength = 7;

/** Whether two texts differ by at most one insertion, deletion, substitution or transposition of adjacent characters. */
function isOneEditApart(a: string, b: string): boolean {
  if (a.length > b.length) return isOneEditApart(b, a);
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  const [restOfA, restOfB] = [a.slice(start), b.slice(start)];
  if (a.length < b.length) return restOfA === restOfB.slice(1);
  const isTransposed = restOfA[0] === restOfB[1] && restOfA[1] === restOfB[0] && restOfA.slice(2) === restOfB.slice(2);
  return restOfA.slice(1) === restOfB.slice(1) || isTransposed;
}

/** Minimum length of names without an underscore that are compared. Shorter names are common, such as `LOGLEVEL`. */
const minJoinedLength = 12;

/**
 * Whether a name is probably a misspelled variable. Each word may have one error, but not in the first character of the name. These limits
 * exclude variables of other programs, such as `DATABASE_PORT` and `EMAIL_FROM`.
 */
function isMisspelled(name: string, knownName: string): boolean {
  if (name[0] !== knownName[0]) return false;
  const [words, knownWords] = [name.split(/[_-]/), knownName.split('_')];
  return words.length === knownWords.length
    ? words.every((word, index) => isOneEditApart(word, knownWords[index] ?? ''))
    : name.length >= minJoinedLength && isOneEditApart(name, knownName);
}

/** Returns a warning for each unknown variable whose name is similar to a known name. */
export const spellingWarnings = (names: readonly string[]): string[] =>
  names
    .filter((name) => name.length >= minLength && !knownNames.includes(name))
    .flatMap((name) => {
      const intendedName = knownNames.find(
        (knownName) => knownName.length >= minLength && isMisspelled(name.toUpperCase(), knownName),
      );
      return intendedName ? [`${name} is not a variable of Courtside: did you mean ${intendedName}?`] : [];
    });
