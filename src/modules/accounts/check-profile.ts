import type { Context } from '../../kernel/declare/context.js';
import { reject } from '../../kernel/declare/errors.js';
import type { Values } from '../../kernel/declare/options.js';
import { allOfThese } from '../../kernel/declare/problems.js';
import { legacyIn } from '../../kernel/write/input-values.js';
import { callable } from './phone.js';

const earliest = Date.parse('1900-01-01');

const textIn = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

const before = ({ sql }: Context, userId: string) =>
  sql.first(
    sql.db
      .selectFrom('app_user')
      .select(['phone', 'phone_country_id as phoneCountryId', 'country_id as countryId', 'state_id as stateId'])
      .where('id', '=', userId),
  );
type Before = NonNullable<Awaited<ReturnType<typeof before>>>;

const unknown: Before = { phone: null, phoneCountryId: null, countryId: null, stateId: null };

/** The text of an input where it is another one than before: what was kept as it was sent once may stay. */
const changed = (input: Values, field: keyof Before, was: Before): string | null => {
  const text = textIn(input[field]);
  return text === was[field] ? null : text;
};

async function checkCountry({ sql }: Context, field: 'countryId' | 'phoneCountryId', id: string | null): Promise<void> {
  if (id === null) return;
  const found = await sql.first(sql.db.selectFrom('country').select('id').where('id', '=', id));
  if (!found) reject(`input.${field}`, 'the id of a country');
}

async function checkState({ sql }: Context, id: string | null, countryId: string | null): Promise<void> {
  if (id === null) return;
  const found = await sql.first(sql.db.selectFrom('state').select('country_id as countryId').where('id', '=', id));
  if (!found) reject('input.stateId', 'the id of a state');
  else if (countryId && found.countryId !== countryId) reject('input.stateId', 'a state of the country');
}

/** Rejects a phone number that cannot be called, if the input changes the number or its country. */
async function checkNumber({ sql }: Context, input: Values, was: Before): Promise<void> {
  const phone = changed(input, 'phone', was);
  const country = input.phoneCountryId === undefined ? was.phoneCountryId : textIn(input.phoneCountryId);
  if (phone !== null && (await callable(sql, phone, country)) === null)
    reject('input.phone', 'a phone number that can be called, such as +1 512 555 0123');
}

function checkBirth(input: Values): void {
  const stored = textIn(legacyIn(input).dateOfBirth);
  const birth = stored ?? textIn(input.dateOfBirth);
  if (birth === null) return;
  const at = Date.parse(birth);
  if (at < earliest || at > Date.now()) reject(`input.${stored ? 'legacy.' : ''}dateOfBirth`, 'a day from 1900-01-01 to today');
}

/** Rejects invalid profiles: phone numbers that cannot be called, unknown places, impossible dates of birth. */
export async function checkProfile(context: Context, userId: string, input: Values): Promise<void> {
  const was = (await before(context, userId)) ?? unknown;
  const country = input.countryId === undefined ? was.countryId : textIn(input.countryId);
  await allOfThese(
    () => checkNumber(context, input, was),
    () => checkCountry(context, 'phoneCountryId', changed(input, 'phoneCountryId', was)),
    () => checkBirth(input),
    () => checkCountry(context, 'countryId', changed(input, 'countryId', was)),
    () => checkState(context, changed(input, 'stateId', was), country),
  );
}
