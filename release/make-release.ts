import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseArguments, UsageError } from '../src/process/command.ts';
import { StartProblem } from '../src/process/start-problem.ts';
import { artifactsFolder, hasDocker, imageCommand, writeArtifacts } from './artifacts.ts';
import { unreleasedEntries } from './changelog.ts';
import { addRelease, checkVersion, currentVersion, setVersion } from './edits.ts';
import { checkClean, checkRepository, git, timeOf } from './git.ts';

const usage = `Usage: npm run release -- <version> [--dry-run]
       npm run release -- --artifacts

Makes a release on the branch main: runs quick checks, sets the version, moves the unreleased changes of CHANGELOG.md to it, regenerates
the schema, writes the dump of test/release, commits, tags, and builds the artifacts in ${artifactsFolder}. Pushes nothing.

Options:
  --dry-run    Do everything except the commit and the tag, and restore all files. The artifacts remain.
  --artifacts  Only build the artifacts of the current commit.
  --help       Show this help.

Examples:
  npm run release -- 0.2.0 --dry-run
  npm run release -- 0.2.0`;

const directory = '.';

/** Checks that run before and after the files change. The complete tests are part of CI. */
const checksBefore = ['npm run types', 'npm run lint'];
const checksAfter = [
  'npm run lint',
  'npx vitest run --project core test/release test/database test/architecture.test.ts test/contributing.test.ts test/docs.test.ts test/readme.test.ts test/schema.test.ts test/compat/golden.test.ts',
];

function run(command: string): void {
  console.log(`\n$ ${command}`);
  const [program = '', ...args] = command.split(' ');
  try {
    execFileSync(program, args, { cwd: directory, stdio: 'inherit' });
  } catch {
    throw new StartProblem(`"${command}" failed.`);
  }
}

function buildArtifacts(commit: string, version: string): void {
  const seconds = timeOf(directory, commit);
  console.log(`\nBuilding the artifacts of ${commit.slice(0, 12)}`);
  for (const name of writeArtifacts(directory, version, seconds)) console.log(`  ${artifactsFolder}/${name}`);
  const command = imageCommand(commit, version, seconds);
  if (!hasDocker()) {
    console.log(`\nDocker is not available. To build the image, run:\n  ${command}`);
    return;
  }
  console.log(`\n$ ${command}`);
  execFileSync('sh', ['-c', command], { cwd: directory, stdio: 'inherit' });
}

/** Changes the files for a release and checks them. Stages the changes. */
function prepare(version: string): void {
  setVersion(directory, version, new Date().toISOString().slice(0, 10));
  run('npm run -s schema');
  run(`npm run -s dump -- ${version}`);
  addRelease(directory, version);
  git(directory, 'add', '--all');
  for (const check of checksAfter) run(check);
}

function release(version: string, isDryRun: boolean): void {
  checkVersion(version, currentVersion(directory));
  checkRepository(directory, version);
  unreleasedEntries(readFileSync('CHANGELOG.md', 'utf8'));
  for (const check of checksBefore) run(check);
  let isCommitted = false;
  try {
    prepare(version);
    if (isDryRun) {
      buildArtifacts(git(directory, 'stash', 'create'), version);
      return;
    }
    git(directory, 'commit', '--message', `chore(release): ${version}`);
    isCommitted = true;
  } finally {
    // Discards only changes of this run: the working directory had no uncommitted changes before.
    if (!isCommitted) git(directory, 'reset', '--hard');
  }
  git(directory, 'tag', '--annotate', `v${version}`, '--message', `Courtside ${version}`);
  buildArtifacts(git(directory, 'rev-parse', 'HEAD'), version);
  console.log(`\nRelease ${version} is committed and tagged. To publish it, run:\n  git push --follow-tags origin main`);
}

function main(args: string[]): void {
  const { values, positionals } = parseArguments({
    args,
    allowPositionals: true,
    options: {
      'dry-run': { type: 'boolean', default: false },
      artifacts: { type: 'boolean', default: false },
      help: { type: 'boolean' },
    },
  });
  const [version, ...rest] = positionals;
  if (values.help) console.log(usage);
  else if (values.artifacts && version === undefined) {
    checkClean(directory);
    buildArtifacts(git(directory, 'rev-parse', 'HEAD'), currentVersion(directory));
  } else if (version === undefined || rest.length > 0 || values.artifacts)
    throw new UsageError('Expected a version, such as 0.2.0, or --artifacts.');
  else release(version, values['dry-run']);
}

try {
  main(process.argv.slice(2));
} catch (error) {
  if (error instanceof UsageError) console.error(`${error.message}\n\n${usage}`);
  else if (error instanceof StartProblem) console.error(error.message);
  else throw error;
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
