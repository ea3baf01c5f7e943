import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';
import { tournamentsOf } from '../support/tournaments.js';

let app: TestApp;
const { save, find, read } = tournamentsOf(() => app);
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

describe('sanctions', () => {
  const entries = 'sanctions { body isSanctioned levelTitle }';

  test('a patch changes the entries that it names', async () => {
    await save({
      id: 's1',
      sanctions: [
        { body: 'PPA', isSanctioned: true, levelTitle: 'Gold' },
        { body: 'APP', levelTitle: 'Silver' },
      ],
    });
    expect(
      await save(
        {
          id: 's1',
          sanctions: [
            { body: 'APP', isSanctioned: true },
            { body: 'MLP', levelTitle: 'Tin' },
          ],
        },
        entries,
      ),
    ).toEqual({
      sanctions: [
        { body: 'APP', isSanctioned: true, levelTitle: 'Silver' },
        { body: 'MLP', isSanctioned: false, levelTitle: 'Tin' },
        { body: 'PPA', isSanctioned: true, levelTitle: 'Gold' },
      ],
    });
  });

  test('an entry that says nothing any more goes, and an empty list clears', async () => {
    await save({
      id: 's2',
      sanctions: [
        { body: 'PPA', isSanctioned: true },
        { body: 'APP', isSanctioned: true },
      ],
    });
    const one = await save({ id: 's2', sanctions: [{ body: 'PPA', isSanctioned: false, levelTitle: null }] }, entries);
    const none = await save({ id: 's2', sanctions: [] }, entries);
    expect([one, none]).toEqual([{ sanctions: [{ body: 'APP', isSanctioned: true, levelTitle: null }] }, { sanctions: [] }]);
  });

  test('concurrent patches of different bodies all stand', async () => {
    const bodies = ['APP', 'GPA', 'MLP', 'PAA', 'PCO', 'PPA', 'SSIPA', 'USAP', 'WPF'];
    await Promise.all(bodies.map((body) => save({ id: 's3', sanctions: [{ body, isSanctioned: true }] })));
    expect((await read('s3', 'sanctions { body }')).sanctions).toEqual(bodies.map((body) => ({ body })));
  });

  test('tournaments are found by any of several bodies', async () => {
    await save({ id: 's4', platformRaw: 'bodies', sanctions: [{ body: 'PPA', isSanctioned: true }] });
    await save({ id: 's5', platformRaw: 'bodies', sanctions: [{ body: 'APP', isSanctioned: true }] });
    await save({ id: 's6', platformRaw: 'bodies', sanctions: [{ body: 'APP', levelTitle: 'Asked for' }] });
    const by = (...hasAny: string[]) => find({ platformRaw: { eq: 'bodies' }, sanctionedBy: { hasAny } });
    expect([await by('PPA', 'MLP'), await by('PPA', 'APP'), await by('MLP')]).toEqual([['s4'], ['s4', 's5'], []]);
  });

  test('an entry among the approvals is as good as the sanction, whatever its status', async () => {
    const platform = 'approvals';
    await save({
      id: 'a1',
      platformRaw: platform,
      sanctions: [{ body: 'PPA', isSanctioned: true }],
      approvals: [{ governingBodyId: '6' }],
    });
    await save({
      id: 'a2',
      platformRaw: platform,
      approvals: [{ governingBodyId: '1' }, { governingBodyId: '6', status: 'DENIED' }],
    });
    await save({ id: 'a3', platformRaw: platform, approvals: [{ governingBodyId: 'PPA' }, { governingBodyId: '66' }] });
    const by = (...hasAny: string[]) => find({ platformRaw: { eq: platform }, sanctionedBy: { hasAny } });
    expect([await by('PPA'), await by('APP'), await by('MLP'), await by('USAP', 'APP', 'PPA')]).toEqual([
      ['a1', 'a2'],
      ['a2'],
      [],
      ['a1', 'a2'],
    ]);
  });

  test('an approval knows the name of its body', async () =>
    expect(
      await save(
        { approvals: [{ governingBodyId: '6' }, { governingBodyId: 'none' }] },
        'approvals { governingBody { shortName } }',
      ),
    ).toEqual({
      approvals: [{ governingBody: { shortName: 'PPA' } }, { governingBody: null }],
    }));
});

describe('patches', () => {
  test('absent fields keep their values, null clears, codes never change', async () => {
    const fields = 'title isFeatured location { city venue } code refereeCode';
    const before = await save({ id: 'p1', title: 'One', isFeatured: true, location: { city: 'Austin', venue: 'Park' } }, fields);
    const after = await save({ id: 'p1', title: null, isFeatured: null, location: { venue: null } }, fields);
    expect(after).toEqual({ ...before, title: null, isFeatured: false, location: { city: 'Austin', venue: null } });
  });

  test('a tournament is found by its code in any case', async () => {
    const { code } = await save({ id: 'p2' }, 'code');
    const lower = code.toLowerCase();
    const byCode = (text: string) =>
      app.graphql('query ($code: String!) { tournamentByCode(code: $code) { id } }', { code: text });
    expect([
      await byCode(code),
      await byCode(lower),
      await byCode(`${lower}x`),
      await find({ code: { eq: lower } }),
      await find({ code: { in: [lower, 'none'] } }),
      await find({ code: { ne: lower }, id: { eq: 'p2' } }),
    ]).toEqual([
      { tournamentByCode: { id: 'p2' } },
      { tournamentByCode: { id: 'p2' } },
      { tournamentByCode: null },
      ['p2'],
      ['p2'],
      [],
    ]);
  });

  test.for<[object, string]>([
    [{ location: { latitude: 91 } }, 'BAD_INPUT: input.location.latitude: expected a number from -90 to 90'],
    [{ title: 'a\0b' }, 'BAD_INPUT: input.title: expected text without NUL characters'],
    [{ title: '\ud83d' }, 'BAD_INPUT: input.title: expected well-formed Unicode text'],
    [{ title: 'x'.repeat(10_001) }, 'BAD_INPUT: input.title: expected at most 10000 characters'],
    [{ sanctions: [{ isSanctioned: true }] }, 'BAD_INPUT: input.sanctions[0].body: expected a value'],
    [{ approvals: [{ statusRaw: 'a\0b' }] }, 'BAD_INPUT: input.approvals[0].statusRaw: expected text without NUL characters'],
  ])('refuses %o', async ([input, error]) => expect(await save(input)).toEqual({ errors: [error] }));
});

describe('permissions', () => {
  const mutation = 'mutation { upsertTournament(input: { title: "Mine" }) { id } }';

  test('a user reads tournaments, and only platforms write them', async () => {
    const { user } = await app.person();
    await save({ id: 'read' });
    expect([
      await app.graphql('{ tournament(id: "read") { id } }', {}, { user }),
      await app.graphql(mutation, {}, { user }),
    ]).toEqual([{ tournament: { id: 'read' } }, { errors: ['FORBIDDEN: only for: platform or permission ADMIN'] }]);
  });

  test('nobody does nothing', async () =>
    expect(await app.graphql(mutation, {}, { platform: '' })).toEqual({
      errors: ['UNAUTHENTICATED: a token is needed: platform or permission ADMIN'],
    }));
});
