import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { schemaBefore } from '../../src/commands/schema-before.js';
import { missingPrograms, requires } from '../support/prerequisites.js';

const missingGit = missingPrograms('git');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'courtside-schema-'));
  mkdirSync(join(folder, 'schema'));
  write('in the folder');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=Ana', '-c', 'user.email=ana@example.com', ...args], { cwd: folder, encoding: 'utf8' });

function write(schema: string, version = '1.0.0'): void {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ version }));
  writeFileSync(join(folder, 'schema/schema.graphql'), schema);
}

function commit(schema: string): void {
  write(schema);
  git('add', '.');
  git('commit', '-q', '--no-gpg-sign', '-m', schema);
}

/** Creates three commits and an uncommitted change. */
function createHistory(): void {
  git('init', '-q');
  for (const schema of ['first', 'second', 'third']) commit(schema);
  write('changed');
}

test('without git, the previous schema is the schema in the folder', async () => {
  expect(await schemaBefore(folder)).toBe('in the folder');
});

test('without a remote main branch, the previous schema is the schema of the previous commit', requires(missingGit), async () => {
  createHistory();
  expect(await schemaBefore(folder)).toBe('second');
});

test('on a branch, the previous schema is the schema at the merge base with main', requires(missingGit), async () => {
  createHistory();
  git('checkout', '-qf', '-b', 'other', 'HEAD~2');
  commit('elsewhere');
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  git('checkout', '-q', '-');
  expect(await schemaBefore(folder)).toBe('first');
});

test('on the main branch, the previous schema is the schema of the previous commit', requires(missingGit), async () => {
  createHistory();
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  expect(await schemaBefore(folder)).toBe('second');
});

test('with at most one commit, the previous schema is the schema in the folder', requires(missingGit), async () => {
  git('init', '-q');
  const withoutCommit = await schemaBefore(folder);
  commit('only');
  const withOneCommit = await schemaBefore(folder);
  expect({ withoutCommit, withOneCommit }).toEqual({ withoutCommit: 'in the folder', withOneCommit: 'only' });
});

test(
  'before version 1.0.0, which allows breaking changes, the previous schema is the schema in the folder',
  requires(missingGit),
  async () => {
    createHistory();
    write('changed', '0.9.0');
    expect(await schemaBefore(folder)).toBe('changed');
  },
);

test('without a schema in the folder, the previous schema is null', async () => {
  rmSync(join(folder, 'schema'), { recursive: true });
  expect(await schemaBefore(folder)).toBe(null);
});
