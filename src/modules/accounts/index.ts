import { module } from '../../kernel/serve/module.js';
import { AuditEntry } from './audit-entry.js';
import { AuditFields } from './audit-resolver.js';
import { deleteOldAuditEntries } from './audit-sql.js';
import { CalendarLink } from './calendar-link.js';
import { CalendarResolver } from './calendar-resolver.js';
import { ContactResolver } from './contact-resolver.js';
import { ErasedUserFields } from './erased-user.js';
import { KeyResolver } from './key-resolver.js';
import { OneTimeValue } from './one-time-value.js';
import { PasswordResolver } from './password-resolver.js';
import { PersonResolver } from './person-resolver.js';
import { Platform } from './platform.js';
import { PlatformFields, PlatformResolver } from './platform-resolver.js';
import { platformUsers } from './platform-users.js';
import { PublishableKey } from './publishable-key.js';
import { RegistrationResolver } from './registration-resolver.js';
import { deleteOldLocations } from './sign-in-locations-sql.js';
import { SignOnResolver } from './sign-on-resolver.js';
import { SignOnUser } from './sign-on-values.js';
import { User } from './user.js';
import { UserFields, UserResolver } from './user-resolver.js';
import { UserToken } from './user-token.js';

/** Users, platforms, tokens, sign-on (sections 2.21, 4.20 and 5). */
export const accounts = module({
  name: 'accounts',
  description: 'Users, platforms, tokens and sign-on.',
  messages: true,
  administratorRole: 'ADMIN',
  records: [User, Platform, PublishableKey, UserToken, OneTimeValue, AuditEntry, CalendarLink],
  resolvers: [
    SignOnResolver,
    SignOnUser,
    RegistrationResolver,
    PasswordResolver,
    UserResolver,
    UserFields,
    PlatformResolver,
    PlatformFields,
    platformUsers,
    KeyResolver,
    CalendarResolver,
    ContactResolver,
    AuditFields,
    PersonResolver,
    ErasedUserFields,
  ],
  dailyJobs: [
    { name: 'forget-sign-in-places', run: deleteOldLocations },
    { name: 'forget-audit', run: deleteOldAuditEntries },
  ],
});
