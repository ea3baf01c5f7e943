import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { actions, command as admin, options } from '../../src/commands/admin.js';
import { courtside } from '../../src/commands/courtside.js';
import { UsageError } from '../../src/process/command.js';

/** Valid arguments of each command. The names of files and directories are unused, because each test adds an invalid argument. */
const unused = join(inject('scratch'), 'unused');
const validArguments: Readonly<Record<string, string[]>> = {
  start: [],
  migrate: [],
  doctor: [],
  admin: ['platform', 'list'],
  jobs: ['list'],
  export: [unused],
  import: [unused],
  record: ['--upstream', 'http://localhost:4000', '--out', unused],
  replay: [unused, '--old', 'http://localhost:4001', '--new', 'http://localhost:4002'],
  sdk: [unused],
};

/** Returns the error message for invalid arguments. Throws other errors. */
async function usageErrorOf(name: string, args: string[]): Promise<string | null> {
  const { command } = (await courtside.commands[name]?.load()) ?? expect.fail(`unknown command ${name}`);
  return command.run(args).then(
    () => null,
    (error: unknown) => (error instanceof UsageError ? error.message : Promise.reject(error)),
  );
}

describe.each(Object.keys(courtside.commands))('%s', (name) => {
  const args = validArguments[name] ?? expect.fail(`${name} has no valid arguments`);

  test('rejects an unknown option and an additional argument', async () => {
    expect({
      option: await usageErrorOf(name, [...args, '--nonsense']),
      argument: await usageErrorOf(name, [...args, 'nonsense']),
    }).toEqual({ option: expect.stringContaining('--nonsense'), argument: expect.any(String) });
  });
});

const otherOptions = Object.entries(actions).flatMap(([action, { argumentCount, options: ownOptions }]) =>
  Object.entries(options)
    .filter(([option]) => option !== 'database-url' && !ownOptions.some((own) => own === option))
    .map(([option, { type }]) => ({
      action,
      option,
      args: [...action.split(' '), ...Array(argumentCount).fill('x'), `--${option}`, ...(type === 'string' ? ['5'] : [])],
    })),
);

test('admin rejects the options of other actions', async () => {
  const messages = await Promise.all(otherOptions.map(({ args }) => usageErrorOf('admin', args)));
  expect(messages).toEqual(
    otherOptions.map(({ action, option }) => `${action}: the option --${option} does not apply to this action.`),
  );
});

test('the help of admin lists all actions and options', () => {
  const names = [...Object.keys(actions), ...Object.keys(options).map((option) => `--${option}`)];
  expect(names.filter((name) => !admin.usage.includes(`  ${name} `))).toEqual([]);
});

test('migrate rejects --grants with --to, because it would not grant anything', async () => {
  expect(await usageErrorOf('migrate', ['--to', '2', '--grants', 'reader'])).toBe(
    '--grants cannot be combined with --to, which skips the steps after the migrations.',
  );
});

test('import rejects --dictionary with other options', async () => {
  expect(await usageErrorOf('import', ['--dictionary', '--dry-run'])).toBe('--dictionary cannot be combined with other options.');
});

test.each(['export', 'import'])('%s rejects an empty directory name', async (name) => {
  expect(await usageErrorOf(name, [''])).toBe('Expected a directory, but the argument is empty.');
});

test('import rejects an invalid --database-url before it reads the old interface', async () => {
  const args = [unused, '--from', 'https://old.example/v1', '--database-url', ''];
  expect(await usageErrorOf('import', args)).toMatch(/^--database-url must be a URL/);
});

test.each(['admin', 'export', 'import'])('%s rejects an invalid --database-url without repeating it', async (name) => {
  const messageFor = (url: string) => usageErrorOf(name, [...(validArguments[name] ?? []), '--database-url', url]);
  expect({ empty: await messageFor(''), port: await messageFor('postgresql://ana:secret-word@db:99999/courtside') }).toEqual({
    empty: '--database-url must be a URL such as postgresql://user:password@host:5432/database.',
    port: '--database-url must have a port from 1 to 65535.',
  });
});

test('export rejects a time in the future and other text as --since', async () => {
  const messageFor = (time: string) => usageErrorOf('export', [unused, '--since', time]);
  expect({
    day: await messageFor('2099-01-01'),
    time: await messageFor('2099-01-01T00:00:00+02:00'),
    words: await messageFor('yesterday'),
  }).toEqual({
    day: '--since: expected a time in the past, but 2099-01-01 is in the future.',
    time: '--since: expected a time in the past, but 2099-01-01T00:00:00+02:00 is in the future.',
    words: '--since: expected an RFC 3339 timestamp such as 2026-03-01T09:30:00Z, or a day such as 2026-03-01.',
  });
});
