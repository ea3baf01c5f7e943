import type { Services } from '../declare/context.js';
import { type GeneratedField, isGeneratedField, type Resolvers } from '../declare/fields/generated.js';
import type { RecordClass } from '../declare/meta.js';
import { declareAdministratorRole } from '../declare/policy/caller.js';
import { isInSchema, optionsOf } from '../declare/record.js';
import type { Pools, Session } from '../session.js';
import { relationsOf } from './relations.js';
import { rootFieldsOf } from './root-fields.js';
import { type Action, declareAction, viewerCanOf } from './viewer-can.js';

/** Daily job, run by one process per database. It must be idempotent and tolerate concurrent runs. */
export interface DailyJob {
  /** Lower case, with hyphens. */
  name: string;
  run(sql: Session, services: Services): Promise<unknown>;
}

/** Background work that runs as long as the process does. Several processes divide it between them. */
export interface BackgroundWork {
  /** Waits for running work to finish. */
  stop(): Promise<void>;
}

/** Declaration of a module, from which the schema and everything else is derived. */
export interface Manifest {
  /** Name of the module and of its subgraph. */
  name: string;
  description: string;
  /** Records with their own tables. The kernel generates their root fields and relations. */
  records: readonly RecordClass[];
  /** Objects without a table that this module declares. */
  values?: readonly RecordClass[];
  /** Handwritten resolver classes, and fields that the kernel generates from a declaration. */
  resolvers?: readonly Resolvers[];
  /** Title of the administrator role, which can write all records that `staff` can. Only one module sets it. */
  administratorRole?: string;
  /** Actions that records have rules for, besides `update` and `delete`. */
  actions?: readonly Action[];
  dailyJobs?: readonly DailyJob[];
  /** Starts the background work of the module. */
  startBackgroundWork?: (pools: Pools, services: Services) => BackgroundWork;
  /** The module queues mails and text messages. Processes that serve it also send them. */
  messages?: true;
}

export interface Module extends Manifest {
  /** Classes with the decorators of type-graphql. */
  readonly resolverClasses: readonly RecordClass[];
  /** Generated fields: root fields and relations of its records and values, and fields that it adds to other types. */
  readonly fields: readonly GeneratedField[];
}

/** Declares a module. */
export function module(manifest: Manifest): Module {
  const { actions = [], administratorRole, records, resolvers = [], values = [] } = manifest;
  for (const action of actions) declareAction(action);
  if (administratorRole) declareAdministratorRole(administratorRole);
  let fields: readonly GeneratedField[] | undefined;
  return {
    ...manifest,
    resolverClasses: resolvers.filter((resolver): resolver is RecordClass => !isGeneratedField(resolver)),
    get fields() {
      // Lazy, because records of other modules are declared only after all modules are imported.
      fields ??= [
        ...records.flatMap(rootFieldsOf),
        ...records.flatMap((cls) => [...relationsOf(cls), ...(isInSchema(optionsOf(cls)) ? viewerCanOf(cls) : [])]),
        ...values.flatMap(relationsOf),
        ...resolvers.filter(isGeneratedField),
      ];
      return fields;
    },
  };
}
