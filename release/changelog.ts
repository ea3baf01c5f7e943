import { StartProblem } from '../src/process/start-problem.ts';

const unreleased = '## [Unreleased]\n';

/** Returns the unreleased entries of the changelog. Throws a StartProblem if there are none. */
export function unreleasedEntries(changelog: string): string {
  const start = changelog.indexOf(unreleased);
  if (start < 0)
    throw new StartProblem('CHANGELOG.md has no section "## [Unreleased]": add it, with the changes of the release.');
  const [entries = ''] = changelog.slice(start + unreleased.length).split(/^## /m);
  if (!/^- /m.test(entries))
    throw new StartProblem('The section "Unreleased" of CHANGELOG.md is empty: add the changes of the release.');
  return entries;
}

/** Returns the changelog with the unreleased entries under a version. `date` is an ISO date. */
export function changelogWith(changelog: string, version: string, date: string): string {
  const entries = unreleasedEntries(changelog);
  return changelog.replace(unreleased + entries, () => `${unreleased}\n## [${version}] - ${date}\n${entries}`);
}
