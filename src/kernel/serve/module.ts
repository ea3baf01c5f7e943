import type { Services } from '../declare/context.js';
import { type GeneratedField, isGeneratedField, type Resolvers } from '../declare/fields/generated.js';
import type { RecordClass } from '../declare/meta.js';
import { declareAdministratorRole } from '../declare/policy/caller.js';
import { isInSchema, optionsOf } from '../declare/record.js';
import type { Pools, Session } from '../session.js';
import { relationsOf } from './relations.js';
import { rootFieldsOf } from './root-fields.js';
import { type Action, declareAction, viewerCanOf } from './viewer-can.js';

/** Daily job. Usually, only one process per database runs it, but it must be idempotent and tolerate concurrent runs. */
interface DailyJob {
  /** Name in lower case with hyphens. */
  name: string;
  run(sql: Session, services: Services): Promise<unknown>;
}

/** Background work that runs until the process stops. If several processes run it, they share the work. */
export interface BackgroundWork {
  /** Stops the work and waits until running work has finished. */
  stop(): Promise<void>;
}

/** Declaration of a module. The schema and all interfaces are derived from it. */
export interface Manifest {
  /** Name of the module and of its subgraph. */
  name: string;
  description: string;
  /** Records. The kernel generates their root fields and relations. */
  records: readonly RecordClass[];
  /** Classes with the decorator `value`, which have no table. */
  values?: readonly RecordClass[];
  /** Handwritten resolver classes, and declarations of generated fields. */
  resolvers?: readonly Resolvers[];
  /** Title of the administrator role, which has the permissions of `staffPolicies` for all records. Only one module sets it. */
  administratorRole?: string;
  /** Actions other than `update` and `delete` that records have rules for. */
  actions?: readonly Action[];
  dailyJobs?: readonly DailyJob[];
  /** Starts the background work of the module. */
  startBackgroundWork?: (pools: Pools, services: Services) => BackgroundWork;
  /** Whether the module enqueues emails and text messages. Processes that serve the module also send these messages. */
  messages?: true;
}

export interface Module extends Manifest {
  /** Classes with the decorators of type-graphql. */
  readonly resolverClasses: readonly RecordClass[];
  /** Generated fields: root fields and relations of the records and values, and the fields that the module adds to other types. */
  readonly fields: readonly GeneratedField[];
}

export function module(manifest: Manifest): Module {
  const { actions = [], administratorRole, records, resolvers = [], values = [] } = manifest;
  for (const action of actions) declareAction(action);
  if (administratorRole) declareAdministratorRole(administratorRole);
  let fields: readonly GeneratedField[] | undefined;
  return {
    ...manifest,
    resolverClasses: resolvers.filter((resolver): resolver is RecordClass => !isGeneratedField(resolver)),
    get fields() {
      // Created on first use, because the records of other modules exist only after all modules have been imported.
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
