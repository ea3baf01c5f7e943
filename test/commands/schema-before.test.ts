import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { schemaBefore } from '../../src/commands/schema-before.js';

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

/** Three commits, and changes since. */
function history(): void {
  git('init', '-q');
  for (const schema of ['first', 'second', 'third']) commit(schema);
  write('changed');
}

test('without git it is the schema in the folder', async () => {
  expect(await schemaBefore(folder)).toBe('in the folder');
});

test('without a main branch elsewhere it is that of the commit before', async () => {
  history();
  expect(await schemaBefore(folder)).toBe('second');
});

test('on a branch it is the one from which the branch started, whatever main has become', async () => {
  history();
  git('checkout', '-qf', '-b', 'other', 'HEAD~2');
  commit('elsewhere');
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  git('checkout', '-q', '-');
  expect(await schemaBefore(folder)).toBe('first');
});

test('on the main branch itself it is that of the commit before', async () => {
  history();
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  expect(await schemaBefore(folder)).toBe('second');
});

test('with a first commit alone, or none, it is the schema in the folder', async () => {
  git('init', '-q');
  const none = await schemaBefore(folder);
  commit('only');
  expect([none, await schemaBefore(folder)]).toEqual(['in the folder', 'only']);
});

test('before the first release it is the schema in the folder: breaking changes are committed with it', async () => {
  history();
  write('changed', '0.9.0');
  expect(await schemaBefore(folder)).toBe('changed');
});

test('it is null where there is none', async () => {
  rmSync(join(folder, 'schema'), { recursive: true });
  expect(await schemaBefore(folder)).toBe(null);
});
