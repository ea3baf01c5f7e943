/** Names of all modules, in their order in the schema. The configuration imports this file, because loading the modules is slow. */
export const moduleNames = [
  'reference',
  'accounts',
  'tournaments',
  'rankings',
  'leagues',
  'news',
  'media',
  'checkout',
  'officiating',
  'engagement',
  'scheduler',
  'usage',
  'live',
] as const;

export type ModuleName = (typeof moduleNames)[number];
