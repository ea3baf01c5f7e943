import type { Context } from '../../../kernel/declare/context.js';
import { reject } from '../../../kernel/declare/errors.js';
import type { Values } from '../../../kernel/declare/fields/options.js';
import { runAsyncChecks } from '../../../kernel/declare/problems.js';
import { legacyValuesIn } from '../../../kernel/write/input-values.js';
import { internationalPhone } from './phone.js';

const earliestBirth = Date.parse('1900-01-01');

const nonEmptyText = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

const readProfile = ({ sql }: Context, userId: string) =>
  sql.first(
    sql.db
      .selectFrom('app_user')
      .select(['phone', 'phone_country_id as phoneCountryId', 'country_id as countryId', 'state_id as stateId'])
      .where('id', '=', userId),
  );
type StoredProfile = NonNullable<Awaited<ReturnType<typeof readProfile>>>;

const emptyProfile: StoredProfile = { phone: null, phoneCountryId: null, countryId: null, stateId: null };

/** Returns the new text of an input field. Null if the text is the same as the stored text, which may be invalid. */
const changedText = (input: Values, field: keyof StoredProfile, storedProfile: StoredProfile): string | null => {
  const text = nonEmptyText(input[field]);
  return text === storedProfile[field] ? null : text;
};

async function checkCountry({ sql }: Context, field: 'countryId' | 'phoneCountryId', id: string | null): Promise<void> {
  if (id === null) return;
  const country = await sql.first(sql.db.selectFrom('country').select('id').where('id', '=', id));
  if (!country) reject(`input.${field}`, 'the id of a country');
}

async function checkState({ sql }: Context, id: string | null, countryId: string | null): Promise<void> {
  if (id === null) return;
  const state = await sql.first(sql.db.selectFrom('state').select('country_id as countryId').where('id', '=', id));
  if (!state) reject('input.stateId', 'the id of a state');
  else if (countryId && state.countryId !== countryId) reject('input.stateId', 'a state of the country');
}

/** Rejects a phone number that cannot be called if the input changes the number or its country. */
async function checkPhoneNumber({ sql }: Context, input: Values, storedProfile: StoredProfile): Promise<void> {
  const phone = changedText(input, 'phone', storedProfile);
  const country = input.phoneCountryId === undefined ? storedProfile.phoneCountryId : nonEmptyText(input.phoneCountryId);
  if (phone !== null && (await internationalPhone(sql, phone, country)) === null)
    reject('input.phone', 'a phone number that can be called, such as +1 512 555 0123');
}

function checkDateOfBirth(input: Values): void {
  const legacyDateOfBirth = nonEmptyText(legacyValuesIn(input).dateOfBirth);
  const dateOfBirth = legacyDateOfBirth ?? nonEmptyText(input.dateOfBirth);
  if (dateOfBirth === null) return;
  const time = Date.parse(dateOfBirth);
  if (time < earliestBirth || time > Date.now())
    reject(`input.${legacyDateOfBirth ? 'legacy.' : ''}dateOfBirth`, 'a day from 1900-01-01 to today');
}

/** Rejects invalid phone numbers, unknown countries and states, and impossible dates of birth. */
export async function checkProfile(context: Context, userId: string, rawInput: Values): Promise<void> {
  const input = { ...rawInput, ...legacyValuesIn(rawInput) };
  const storedProfile = (await readProfile(context, userId)) ?? emptyProfile;
  const country = input.countryId === undefined ? storedProfile.countryId : nonEmptyText(input.countryId);
  await runAsyncChecks(
    () => checkPhoneNumber(context, input, storedProfile),
    () => checkCountry(context, 'phoneCountryId', changedText(input, 'phoneCountryId', storedProfile)),
    () => checkDateOfBirth(rawInput),
    () => checkCountry(context, 'countryId', changedText(input, 'countryId', storedProfile)),
    () => checkState(context, changedText(input, 'stateId', storedProfile), country),
  );
}
