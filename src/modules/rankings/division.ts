import { registerEnumType } from 'type-graphql';

export const Division = {
  WOMENS_SINGLES: 'WOMENS_SINGLES',
  MENS_SINGLES: 'MENS_SINGLES',
  MIXED_DOUBLES: 'MIXED_DOUBLES',
  WOMENS_DOUBLES: 'WOMENS_DOUBLES',
  MENS_DOUBLES: 'MENS_DOUBLES',
  OTHER: 'OTHER',
} as const;
export type Division = keyof typeof Division;

registerEnumType(Division, {
  name: 'Division',
  description: 'A division of the rankings. The title of an event tells its division.',
  valuesConfig: {
    WOMENS_SINGLES: { description: "Women's singles." },
    MENS_SINGLES: { description: "Men's singles." },
    MIXED_DOUBLES: { description: 'Mixed doubles.' },
    WOMENS_DOUBLES: { description: "Women's doubles." },
    MENS_DOUBLES: { description: "Men's doubles." },
    OTHER: { description: 'The title of the event names none of the others.' },
  },
});

const divisions: Readonly<Record<string, Division>> = {
  'women singles': 'WOMENS_SINGLES',
  'men singles': 'MENS_SINGLES',
  'mixed doubles': 'MIXED_DOUBLES',
  'women doubles': 'WOMENS_DOUBLES',
  'men doubles': 'MENS_DOUBLES',
};

/** The division that an event's title names, as in `Women's Doubles - Pro` (decision 25). */
export function divisionOf(title: string | null): Division {
  const [, who] = /\b(women|men|mixed)(?:['’]?s)?\b/i.exec(title ?? '') ?? [];
  const [, what] = /\b(singles|doubles)\b/i.exec(title ?? '') ?? [];
  return divisions[`${who} ${what}`.toLowerCase()] ?? 'OTHER';
}
