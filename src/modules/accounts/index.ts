import { module } from '../../kernel/serve/module.js';
import { AuditEntry, AuditFields } from './audit/audit-entry.js';
import { deleteOldAuditEntries } from './audit/audit-sql.js';
import { CalendarLink } from './calendar/calendar-link.js';
import { CalendarResolver } from './calendar/calendar-resolver.js';
import { ContactResolver } from './contact/contact-resolver.js';
import { PasswordResolver } from './passwords/password-resolver.js';
import { PublishableKeyResolver } from './platforms/key-resolver.js';
import { Platform } from './platforms/platform.js';
import { PlatformLimitFields } from './platforms/platform-limits.js';
import { PlatformFields, PlatformResolver, platformUsers } from './platforms/platform-resolver.js';
import { PublishableKey } from './platforms/publishable-key.js';
import { RegistrationResolver } from './registration/registration-resolver.js';
import { deleteOldLocations } from './sign-in/sign-in-locations-sql.js';
import { SignOnResolver } from './sign-in/sign-on-resolver.js';
import { SignOnUser } from './sign-in/sign-on-values.js';
import { OneTimeValue } from './tokens/one-time-value.js';
import { SessionResolver } from './tokens/session-resolver.js';
import { UserToken, UserTokenFields } from './tokens/user-token.js';
import { LockResolver } from './users/lock-resolver.js';
import { PersonResolver } from './users/person-resolver.js';
import { User } from './users/user.js';
import { UserFields, UserResolver } from './users/user-resolver.js';

/** Users, platforms, tokens and sign-in (sections 2.21, 4.20 and 5). */
export const accounts = module({
  name: 'accounts',
  description: 'Users, platforms, tokens and sign-in.',
  messages: true,
  administratorRole: 'ADMIN',
  records: [User, Platform, PublishableKey, UserToken, OneTimeValue, AuditEntry, CalendarLink],
  resolvers: [
    SignOnResolver,
    SignOnUser,
    SessionResolver,
    UserTokenFields,
    RegistrationResolver,
    PasswordResolver,
    UserResolver,
    UserFields,
    PlatformResolver,
    PlatformFields,
    PlatformLimitFields,
    platformUsers,
    PublishableKeyResolver,
    CalendarResolver,
    ContactResolver,
    AuditFields,
    PersonResolver,
    LockResolver,
  ],
  actions: [
    {
      name: 'administer',
      description: 'Whether the caller can lock, unlock and erase another user, and end the sessions of that user.',
    },
  ],
  dailyJobs: [
    { name: 'forget-sign-in-places', run: deleteOldLocations },
    { name: 'forget-audit', run: deleteOldAuditEntries },
  ],
});
