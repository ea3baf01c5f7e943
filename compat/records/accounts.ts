import { asNumber, type FieldShape, readOnly, record, sameForFields } from '../engine/index.js';

// Lookup of platforms (section 2.2).

export const platformLookup = record('PlatformLookup', {
  type: 'Platform',
  fields: 'id name domain apiKey users isActive',
  paths: { name: 'title', apiKey: 'maskedToken', users: 'userIds', isActive: 'isEnabled' },
});

// Sign-on (section 2.21).

export const contact = record('Contact', {
  input: 'ContactInput',
  fields: 'contact_reason_id name phone email details platform_id tournament_uuid',
  paths: { contact_reason_id: 'reasonId', name: 'fullName' },
});

export const login = record('Login', {
  type: 'SignOn',
  fields: 'email expiration isCompleted isSuperAdmin token uuid',
  paths: {
    email: 'user.email',
    expiration: 'expiresAt',
    isCompleted: 'user.isCompleted',
    isSuperAdmin: 'user.isSuperAdmin',
    uuid: 'user.id',
  },
});

export const token = record('Token', {
  type: 'SignOn',
  fields: 'email uuid token expiration',
  paths: { email: 'user.email', uuid: 'user.id', expiration: 'expiresAt' },
});

export const issuedToken = record('PlacedToken', {
  input: 'PlaceTokenInput',
  fields: 'email uuid token expiration',
  paths: { uuid: 'userId', expiration: 'expiresAt' },
});

export const logout = record('Logout', { type: 'SignOut', fields: 'expiration', paths: { expiration: 'expiresAt' } });

export const registration = record('AccountRegistration', {
  input: 'RegisterInput',
  fields: 'firstName lastName phone email password phoneCountryId gender custom_url country_id state_id zip dob',
  paths: { dob: 'dateOfBirth' },
  as: sameForFields('phoneCountryId country_id state_id zip', asNumber),
});

export const mailReceipt = record('MailReceipt', {
  type: 'MailReceipt',
  fields: 'mailSent',
  paths: { mailSent: 'isMailSent' },
});

// Users (decision 36).

/** Shape of a user's slug. Responses contain an empty string for a generated slug, which starts with a tilde. Requests cannot set it. */
export const userSlug: FieldShape = (field) => {
  const draft = field();
  const { encode } = draft.responseFormat;
  return {
    ...draft,
    target: null,
    responseFormat: {
      ...draft.responseFormat,
      encode: (value) => (typeof value === 'string' && value.startsWith('~') ? '' : encode ? encode(value) : value),
    },
  };
};

export const user = record('User', {
  type: 'User',
  input: 'UserInput',
  fields: `uuid email firstName lastName nameSuffix phone phoneCountryId gender dob countryId stateId city zip slug profileImage
    isCompleted`,
  owner: 'email',
  paths: { dob: 'dateOfBirth', profileImage: 'imageUrl' },
  as: { slug: userSlug, isCompleted: readOnly },
});
