import { registerEnumType } from 'type-graphql';

export const UsageCaller = { PLATFORM: 'PLATFORM', USER: 'USER', ANONYMOUS: 'ANONYMOUS', OTHERS: 'OTHERS' } as const;
export type UsageCaller = keyof typeof UsageCaller;
registerEnumType(UsageCaller, {
  name: 'UsageCaller',
  description: 'Kind of caller of a route of `/v1`.',
  valuesConfig: {
    PLATFORM: { description: 'Platform with its token or a publishable key, with or without a user token.' },
    USER: { description: 'Users with a user token only.' },
    ANONYMOUS: { description: 'Callers without a valid token.' },
    OTHERS: { description: 'Platforms beyond the number that a process can count separately while the database is unreachable.' },
  },
});
