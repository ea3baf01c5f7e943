import { Field, ID, InputType } from 'type-graphql';
import { reject } from '../../../kernel/declare/errors.js';
import { asLegacyType } from '../../../kernel/declare/fields/legacy-fields.js';
import type { Values } from '../../../kernel/declare/fields/options.js';
import { validatedBy } from '../../../kernel/declare/input-rules.js';
import { metaOf } from '../../../kernel/declare/meta.js';
import { runChecks } from '../../../kernel/declare/problems.js';
import { checkEmail } from '../../../kernel/declare/scalars/email.js';
import { Day, Instant } from '../../../kernel/declare/scalars/scalars.js';
import { valuesOf } from '../../../kernel/write/input-values.js';
import { checkUrl, customUrlDescription } from '../links.js';
import { checkPassword } from '../passwords/password.js';
import { checkPhone } from '../users/phone.js';
import { Gender, User } from '../users/user.js';

/** Returns the values that are not null, undefined or empty strings. */
const nonEmptyValues = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined && value !== ''));

/** Returns the profile values of a registration. Omits unset values, so that values that a platform has set stay unchanged. */
export function profileOf({ email: _, password: __, customUrl: ___, legacy, ...profile }: Partial<RegisterInput>): Values {
  const legacyValues = nonEmptyValues({ ...legacy });
  return { ...nonEmptyValues(profile), ...(Object.keys(legacyValues).length > 0 && { legacy: legacyValues }) };
}

/** Validates a registration. Throws one error that lists all problems. Does not check the origin of `customUrl`. */
export function checkRegistration(input: Partial<RegisterInput>, path: string): void {
  const { email, customUrl, password, phone } = input;
  const legacyDateOfBirth = input.legacy?.dateOfBirth;
  const dateOfBirth = legacyDateOfBirth || input.dateOfBirth;
  runChecks(
    () => email === undefined || checkEmail(email, `${path}email`),
    () => customUrl && checkUrl(customUrl, `${path}customUrl`),
    () => password === undefined || checkPassword(password, `${path}password`),
    () => phone && checkPhone(phone, `${path}phone`),
    () =>
      Date.parse(dateOfBirth ?? '') > Date.now() &&
      reject(`${path}${legacyDateOfBirth ? 'legacy.' : ''}dateOfBirth`, 'a date in the past'),
    () => valuesOf(metaOf(User), profileOf(input), path),
  );
}

@asLegacyType
@InputType({ description: 'Fields of `RegisterInput` in legacy `/v1` format.' })
export class RegisterLegacyInput {
  @Field(() => Instant, {
    nullable: true,
    description: 'Date of birth, as a time on that day in UTC. Do not set both this field and `RegisterInput.dateOfBirth`.',
  })
  dateOfBirth?: string | null;

  @Field(() => ID, { nullable: true, description: '`phoneCountryId`, stored without validation.' })
  phoneCountryId?: string | null;

  @Field(() => ID, { nullable: true, description: '`countryId`, stored without validation.' })
  countryId?: string | null;

  @Field(() => ID, { nullable: true, description: '`stateId`, stored without validation.' })
  stateId?: string | null;
}

@validatedBy(checkRegistration)
@InputType({ description: 'Data for registering a user.' })
export class RegisterInput {
  @Field(() => String, { description: 'Email address with which the user signs in.' })
  email!: string;

  @Field(() => String, { description: 'Password of 8 to 200 characters. Passwords that are easy to guess are rejected.' })
  password!: string;

  @Field(() => String, { nullable: true, description: 'First name.' })
  firstName?: string | null;

  @Field(() => String, { nullable: true, description: 'Last name.' })
  lastName?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Phone number, in international format or in the national format of `phoneCountryId`. At most 50 characters.',
  })
  phone?: string | null;

  @Field(() => ID, { nullable: true, description: 'ID of the country of the phone number. Defaults to the United States.' })
  phoneCountryId?: string | null;

  @Field(() => Gender, { nullable: true, description: 'Category of play.' })
  gender?: 'F' | 'M' | null;

  @Field(() => Day, { nullable: true, description: 'Date of birth.' })
  dateOfBirth?: string | null;

  @Field(() => ID, { nullable: true, description: 'ID of the country of residence.' })
  countryId?: string | null;

  @Field(() => ID, { nullable: true, description: 'ID of the state of residence.' })
  stateId?: string | null;

  @Field(() => String, { nullable: true, description: 'Postal code.' })
  zip?: string | null;

  @Field(() => String, { nullable: true, description: customUrlDescription })
  customUrl?: string | null;

  @Field(() => RegisterLegacyInput, { nullable: true, description: 'Fields in legacy `/v1` format.' })
  legacy?: RegisterLegacyInput | null;
}
