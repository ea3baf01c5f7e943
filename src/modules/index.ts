import 'reflect-metadata';
import type { Module } from '../kernel/serve/module.js';
import { accounts } from './accounts/index.js';
import { checkout } from './checkout/index.js';
import { engagement } from './engagement/index.js';
import { leagues } from './leagues/index.js';
import { live } from './live/index.js';
import { media } from './media/index.js';
import { type ModuleName, moduleNames } from './module-names.js';
import { news } from './news/index.js';
import { officiating } from './officiating/index.js';
import { rankings } from './rankings/index.js';
import { reference } from './reference/index.js';
import { scheduler } from './scheduler/index.js';
import { tournaments } from './tournaments/index.js';
import { usage } from './usage/index.js';

const modulesByName: Readonly<Record<ModuleName, Module>> = {
  reference,
  accounts,
  tournaments,
  rankings,
  leagues,
  news,
  media,
  checkout,
  officiating,
  engagement,
  scheduler,
  usage,
  live,
};

/** All modules of the service. The GraphQL schema, the tables and the subgraphs are derived from this list. */
export const modules: readonly Module[] = moduleNames.map((name) => modulesByName[name]);
