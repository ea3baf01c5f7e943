import { registerEnumType } from 'type-graphql';

export const UsageCaller = { PLATFORM: 'PLATFORM', USER: 'USER', ANONYMOUS: 'ANONYMOUS', OTHERS: 'OTHERS' } as const;
export type UsageCaller = keyof typeof UsageCaller;
registerEnumType(UsageCaller, {
  name: 'UsageCaller',
  description: 'Who called a route of `/v1`.',
  valuesConfig: {
    PLATFORM: { description: 'A platform, by its token or one of its publishable keys, with or without a user.' },
    USER: { description: 'Users by their own token alone, with no platform.' },
    ANONYMOUS: { description: 'Nobody who is known: no token, or one that is unknown, expired or revoked.' },
    OTHERS: { description: 'Platforms beyond what a process can count apart while the database is away.' },
  },
});
