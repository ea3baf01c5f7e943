import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ImportedFile, importRecords } from '../../../src/transfer/records/import-records.js';
import { directoryWith } from '../../support/fixtures/record-files.js';
import { startApp, type TestApp, type Tokens } from '../../support/servers/app.js';

let app: TestApp;
let admin: Tokens;
beforeAll(async () => {
  app = await startApp();
  admin = { user: (await app.person({ isSuperAdmin: true })).user };
});
afterAll(() => app.close());

const imported = async (row: { id: string; token: string; [column: string]: unknown }): Promise<ImportedFile | undefined> => {
  const rows = [{ title: row.id, ...row }];
  const [result] = await importRecords(app.databaseUrl, await directoryWith({ 'platform.ndjson': rows }));
  return result;
};

const isAccepted = async (token: string): Promise<boolean> =>
  !('errors' in (await app.graphql('{ tournaments { totalCount } }', {}, { platform: token })));

async function renew(id: string, hours: number): Promise<string> {
  const mutation = 'mutation ($id: ID!, $hours: Int!) { renewPlatformToken(id: $id, hours: $hours) { token } }';
  const { renewPlatformToken } = await app.graphql(mutation, { id, hours }, admin);
  return renewPlatformToken.token;
}

const storedTokens = (id: string): Promise<unknown[]> =>
  app.sql.rows(
    'select token_hash, token_hint, previous_token_hash, previous_token_ends_at, token_changed_at from platform where id = $1',
    [id],
  );

test.each([0, 48])('a repeated import keeps a renewed token whose previous token stays valid for %i hours', async (hours) => {
  const row = { id: `renewed-${hours}`, token: `token-of-the-other-system-${hours}` };
  await imported(row);
  const token = await renew(row.id, hours);
  const before = await storedTokens(row.id);
  const repeated = await imported({ ...row, previous_token: `older-${hours}`, previous_token_ends_at: '2999-01-01' });
  const changed = await imported({ ...row, domain: 'new.example' });
  expect({
    written: [repeated?.writtenRows, changed?.writtenRows],
    isUnchanged: before,
    accepted: { renewed: await isAccepted(token), replaced: await isAccepted(row.token) },
  }).toEqual({
    written: [0, 1],
    isUnchanged: await storedTokens(row.id),
    accepted: { renewed: true, replaced: hours > 0 },
  });
});

test('an import does not restore a previous token that was ended', async () => {
  const row = {
    id: 'ended',
    token: 'current-token-of-ended',
    previous_token: 'previous-token-of-ended',
    previous_token_ends_at: '2999-01-01',
  };
  await imported(row);
  const wasAccepted = await isAccepted(row.previous_token);
  const ended = await app.graphql('mutation { endPreviousPlatformToken(id: "ended") { id } }', {}, admin);
  const repeated = await imported(row);
  expect({ wasAccepted, ended, written: repeated?.writtenRows, tokens: await storedTokens(row.id) }).toEqual({
    wasAccepted: true,
    ended: { endPreviousPlatformToken: { id: 'ended' } },
    written: 0,
    tokens: [expect.objectContaining({ previous_token_hash: null, previous_token_ends_at: null })],
  });
  await expect.poll(() => isAccepted(row.previous_token)).toBe(false);
});

test('an import replaces a token that was renewed earlier than the imported one', async () => {
  const row = { id: 'later', token: 'token-before-later' };
  await imported(row);
  await renew(row.id, 0);
  const newer = { ...row, token: 'token-after-later', token_changed_at: '2999-01-01' };
  await imported(newer);
  await expect.poll(() => isAccepted(newer.token)).toBe(true);
});
