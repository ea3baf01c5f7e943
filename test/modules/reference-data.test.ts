import { readdirSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import countries from '../../src/modules/reference/data/countries.json' with { type: 'json' };
import currencies from '../../src/modules/reference/data/currencies.json' with { type: 'json' };
import governingBodies from '../../src/modules/reference/data/governingBodies.json' with { type: 'json' };
import roles from '../../src/modules/reference/data/roles.json' with { type: 'json' };
import states from '../../src/modules/reference/data/states.json' with { type: 'json' };
import systemTextNumbers from '../../src/modules/reference/data/systemTextNumbers.json' with { type: 'json' };
import timezones from '../../src/modules/reference/data/timezones.json' with { type: 'json' };
import { generatedLookups } from '../../src/modules/reference/generate/lookups.js';
import { states as numberStates } from '../../src/modules/reference/generate/states.js';
import { timezones as numberZones } from '../../src/modules/reference/generate/timezones.js';

const data = 'src/modules/reference/data';
const files = readdirSync(data);
const rowsOf = (file: string): Record<string, unknown>[] => JSON.parse(readFileSync(`${data}/${file}`, 'utf8'));
const ids = (rows: { id: string }[]) => new Set(rows.map(({ id }) => id));
const statesOf = (alpha2: string) =>
  states.filter(({ code }) => code.startsWith(`${alpha2}-`)).map(({ abbreviation }) => abbreviation);

/** The year whose clock changes the rows tell. */
const year = Number(timezones.find(({ ianaName }) => ianaName === 'America/New_York')?.daylightChange?.slice(0, 4));

describe('every lookup', () => {
  it.each(files)('%s has rows, all of one shape, each with an id of its own', (file) => {
    const rows = rowsOf(file);
    const keys = rows.map(({ id }) => id);
    const shapes = rows.map((row) =>
      Object.keys(row)
        .filter((key) => key !== 'lengthInMinutes')
        .join(),
    );
    expect({ ids: new Set(keys).size, shapes: new Set(shapes).size }).toEqual({ ids: rows.length || 'at least one', shapes: 1 });
  });

  it('is of text, numbers, flags and nulls, nothing empty, and all together weigh less than a megabyte', () => {
    const empty = files.flatMap((file) =>
      rowsOf(file).filter((row) => Object.values(row).some((value) => value === '' || Number.isNaN(value))),
    );
    const bytes = files.reduce((sum, file) => sum + statSync(`${data}/${file}`).size, 0);
    expect({ empty, small: bytes < 1_000_000 }).toEqual({ empty: [], small: true });
  });

  it('refers only to rows that exist', () => {
    const [country, text, role] = [ids(countries), ids(systemTextNumbers), ids(roles)];
    expect({
      states: states.filter(({ countryId }) => !country.has(countryId)),
      countries: countries.filter(({ systemTextNumberId }) => !text.has(systemTextNumberId)),
      roles: roles.filter(({ inheritedIds }) => !inheritedIds.every((id) => role.has(id))),
    }).toEqual({ states: [], countries: [], roles: [] });
  });
});

describe('the generated lookups', () => {
  it('are what the generator makes, so that running it again changes nothing', () => {
    expect(generatedLookups({ states, timezones }, year)).toEqual({ countries, currencies, states, timezones });
  });

  it('cover the world', () => {
    expect(countries.length).toBeGreaterThanOrEqual(249);
    expect(currencies.length).toBeGreaterThanOrEqual(170);
    expect([statesOf('CA').length, statesOf('AU').length, statesOf('MX').length]).toEqual([13, 8, 32]);
    expect(statesOf('US').sort().join(' ')).toBe(
      'AK AL AR AS AZ CA CO CT DC DE FL GA GU HI IA ID IL IN KS KY LA MA MD ME MI MN MO MP MS MT NC ND NE NH NJ NM NV NY OH OK OR PA PR RI SC SD TN TX UM UT VA VI VT WA WI WV WY',
    );
  });

  it('tell countries and currencies by their ISO numbers', () => {
    expect([
      countries.find(({ alpha2 }) => alpha2 === 'US'),
      currencies.find(({ abbreviation }) => abbreviation === 'ALL'),
    ]).toEqual([
      {
        id: '840',
        abbreviation: 'USA',
        title: 'United States',
        callingCode: '1',
        stateTitle: 'State',
        zipCodeTitle: 'ZIP Code',
        systemTextNumberId: '1',
        alpha2: 'US',
        regionId: 3,
      },
      { id: '8', title: 'Albanian Lek', abbreviation: 'ALL' },
    ]);
  });

  it('write calling codes in digits, the same for all countries of one numbering plan', () => {
    const codes = Object.fromEntries(countries.map(({ alpha2, callingCode }) => [alpha2, callingCode]));
    expect([codes.CA, codes.PR, codes.DO, codes.GB, codes.RU, codes.XK]).toEqual(['1', '1', '1', '44', '7', '383']);
    expect(Object.values(codes).filter((code) => !/^[1-9]\d{0,2}$/.test(code))).toEqual([]);
  });
});

describe('states', () => {
  it('are numbered from Alabama on: United States, Canada, Australia, Mexico, then the rest', () => {
    const firsts = ['US', 'CA', 'AU', 'MX', 'AD'].map((alpha2) => states.find(({ code }) => code.startsWith(alpha2)));
    expect(firsts.map((state) => [state?.id, state?.code])).toEqual([
      ['1', 'US-AL'],
      ['58', 'CA-AB'],
      ['71', 'AU-ACT'],
      ['79', 'MX-AGU'],
      ['111', 'AD-07'],
    ]);
  });

  it('keep their numbers when the list grows', () => {
    const known = [
      { id: '7', code: 'US-TX' },
      { id: '9', code: 'US-ZZ' },
    ];
    expect(numberStates(known).slice(0, 3)).toEqual([
      { id: '7', code: 'US-TX', abbreviation: 'TX', title: 'Texas', countryId: '840' },
      { id: '10', code: 'US-AL', abbreviation: 'AL', title: 'Alabama', countryId: '840' },
      { id: '11', code: 'US-AK', abbreviation: 'AK', title: 'Alaska', countryId: '840' },
    ]);
  });
});

describe('time zones', () => {
  const offsetIn = (timeZone: string) => {
    const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
    return (at: number) => {
      const offset = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
      const [, sign, hours = 0, minutes = 0] = /GMT(?:([+-])(\d+):(\d+))?/.exec(offset) ?? [];
      return (Number(hours) * 3600 + Number(minutes) * 60) * (sign === '-' ? -1 : 1);
    };
  };
  const told = ({ utcOffset, daylightUtcOffset, daylightChange, standardChange }: (typeof timezones)[number], at: number) => {
    if (!daylightChange || !standardChange) return utcOffset;
    const [begins, ends] = [Date.parse(daylightChange), Date.parse(standardChange)];
    const daylight = begins < ends ? at >= begins && at < ends : at >= begins || at < ends;
    return daylight ? daylightUtcOffset : utcOffset;
  };

  it('are all that Intl knows, and the links that people still send', () => {
    const names = new Set(timezones.map(({ ianaName }) => ianaName));
    const links = ['UTC', 'US/Eastern', 'Asia/Kolkata', 'Asia/Calcutta', 'Etc/GMT+5', 'EST5EDT', 'Europe/Kyiv', 'Europe/Kiev'];
    expect([...Intl.supportedValuesOf('timeZone'), ...links].filter((name) => !names.has(name))).toEqual([]);
  });

  it("have Intl's offsets, before and after every change of the year", () => {
    const end = Date.UTC(year + 1) - 1;
    const wrong = timezones.filter((zone) => {
      const changes = [zone.daylightChange, zone.standardChange].flatMap((change) =>
        change ? [Date.parse(change) - 1, Date.parse(change)] : [],
      );
      const moments = zone.hasDst ? [Date.UTC(year), ...changes, Date.UTC(year, 6), end] : [end];
      const offset = offsetIn(zone.ianaName);
      return moments.some((at) => told(zone, at) !== offset(at));
    });
    expect(wrong, `Node knows other rules (tz ${process.versions.tz}): run npm run reference`).toEqual([]);
  });

  it('say when their clocks change and what they are called before and after', () => {
    expect(timezones.find(({ ianaName }) => ianaName === 'America/New_York')).toEqual({
      id: expect.stringMatching(/^\d+$/),
      utcOffset: -18000,
      title: 'Eastern Time',
      abbreviation: 'EST',
      fullName: 'Eastern Standard Time',
      hasDst: true,
      ianaName: 'America/New_York',
      daylightChange: expect.stringMatching(/-03-\d\dT07:00:00Z$/),
      standardChange: expect.stringMatching(/-11-\d\dT06:00:00Z$/),
      daylightAbbreviation: 'EDT',
      daylightUtcOffset: -14400,
    });
  });

  it('keep their numbers when the list grows', () => {
    const [first, second] = numberZones([{ id: '700', ianaName: 'UTC' }], year);
    expect([first, second].map((zone) => [zone?.id, zone?.ianaName])).toEqual([
      ['700', 'UTC'],
      ['701', 'Africa/Abidjan'],
    ]);
  });
});

describe('roles', () => {
  const titlesOf = (inherited: string[]) => roles.filter(({ id }) => inherited.includes(id)).map(({ title }) => title);

  it('are the nine of the interface, and each names all that it inherits, however far', () => {
    const everyone =
      'ADMIN NEWS_ADMIN USER USERS_PROFILES_EDITOR REFEREE CONTENT_CREATOR MANAGE_VIEWER NEWS_CREATOR CONTENT_CONFIRMER'.split(
        ' ',
      );
    const missing = roles.flatMap(({ title, inheritedIds }) =>
      roles
        .filter(({ id }) => inheritedIds.includes(id))
        .flatMap((role) => role.inheritedIds.filter((id) => !inheritedIds.includes(id)).map((id) => `${title} ${id}`)),
    );
    expect({ titles: roles.map(({ title }) => title), missing }).toEqual({ titles: everyone, missing: [] });
  });

  it('give an admin everything, and confirming does not include creating', () => {
    const inherited = Object.fromEntries(roles.map(({ title, inheritedIds }) => [title, titlesOf(inheritedIds)]));
    expect([inherited.ADMIN?.length, inherited.NEWS_ADMIN, inherited.CONTENT_CONFIRMER, inherited.USER]).toEqual([
      8,
      ['USER', 'CONTENT_CREATOR', 'NEWS_CREATOR', 'CONTENT_CONFIRMER'],
      ['USER'],
      [],
    ]);
  });
});

it('the governing bodies are those of the per-body fields, each with its search parameter', () => {
  expect(Object.fromEntries(governingBodies.map(({ code, filterSearchParam }) => [code, filterSearchParam]))).toEqual({
    APP: 'sanction_app',
    GPA: 'sanction_gpa',
    MLP: 'sanction_mlp',
    PAA: 'sanction_paa',
    PCO: 'sanction_pco',
    PPA: 'sanction_ppa',
    SSIPA: 'sanction_ssipa',
    USAP: 'sanction_usapa',
    WPF: 'sanction_wpf',
  });
});
