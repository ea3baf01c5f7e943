import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { UsageError } from '../../src/process/command.js';
import { replayOptions } from '../../src/replay/run/options.js';

const args = ['traffic.har', '--old', 'http://localhost:4710', '--new', 'http://localhost:4711'];
const directory = mkdtempSync(join(inject('scratch'), 'tokens-'));
const file = join(directory, 'token');
writeFileSync(file, 'secret-word\n');

test('tokens come from variables and from the files that variables name', () => {
  const { tokens } = replayOptions(args, {
    REPLAY_TOKEN_PLATFORM: 'platform-token',
    REPLAY_TOKEN_OLD_USER_2_FILE: file,
    REPLAY_TOKEN_KEY: '',
  });
  expect(Object.fromEntries(tokens)).toEqual({ PLATFORM: 'platform-token', OLD_USER_2: 'secret-word' });
});

test.each<[string, Record<string, string>, string]>([
  [
    'a token in a variable and in a file',
    { REPLAY_TOKEN_USER: 'secret-word', REPLAY_TOKEN_USER_FILE: file },
    'REPLAY_TOKEN_USER and REPLAY_TOKEN_USER_FILE are both set: set only one of them.',
  ],
  [
    'a missing file',
    { REPLAY_TOKEN_USER_FILE: `${file}s` },
    `REPLAY_TOKEN_USER_FILE names the file ${file}s, which cannot be read (it does not exist): correct the path or the permissions.`,
  ],
  [
    'an unknown token',
    { REPLAY_TOKEN_PLATFROM: 'secret-word' },
    'REPLAY_TOKEN_PLATFROM: expected a name such as REPLAY_TOKEN_PLATFORM, REPLAY_TOKEN_NEW_USER_2 or REPLAY_TOKEN_KEY_FILE.',
  ],
])('%s is rejected', (_, environment, message) => {
  expect(() => replayOptions(args, environment)).toThrow(new UsageError(message));
});
