import { declareAdministratorRole } from '../declare/caller.js';
import type { Services } from '../declare/context.js';
import { type GeneratedField, isGeneratedField, type Resolvers } from '../declare/generated.js';
import type { RecordClass } from '../declare/meta.js';
import { isShown, optionsOf } from '../declare/record.js';
import type { Pools, Session } from '../session.js';
import { relationsOf } from './relations.js';
import { rootFieldsOf } from './root-fields.js';
import { type Action, declareAction, viewerCanOf } from './viewer-can.js';

/** Work that is done once a day, by one of the processes on a database. Done again, or twice at the same moment, it changes nothing. */
export interface Daily {
  /** Lower case, with hyphens. */
  name: string;
  run(sql: Session, services: Services): Promise<unknown>;
}

/** Work that goes on as long as the process does background jobs; several processes share it. */
export interface Ongoing {
  /** Lets what is on its way come to its end. */
  stop(): Promise<void>;
}

/** What a module is made of; everything else derives from it. */
export interface Manifest {
  /** Name of the module and of its subgraph. */
  name: string;
  description: string;
  /** Tables with a type of their own; the kernel opens their rootFields and relations. */
  records: readonly RecordClass[];
  /** Objects without a table that this module declares. */
  values?: readonly RecordClass[];
  /** Handwritten resolver classes, and fields that the kernel generates from a declaration. */
  resolvers?: readonly Resolvers[];
  /** Title of the role of administrators, who write all records that `staff` does. One module states it. */
  administratorRole?: string;
  /** Actions that records have rules for, besides `update` and `delete`. */
  actions?: readonly Action[];
  daily?: readonly Daily[];
  /** Begins its work beside requests. */
  ongoing?: (pools: Pools, services: Services) => Ongoing;
  /** It leaves mails and text messages: processes that serve it take part in sending them. */
  messages?: true;
}

export interface Module extends Manifest {
  /** Classes with the decorators of type-graphql. */
  readonly resolverClasses: readonly RecordClass[];
  /** Generated fields: root fields and relations of its records and values, and those that it adds to other types. */
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
    resolverClasses: resolvers.filter((one): one is RecordClass => !isGeneratedField(one)),
    get fields() {
      // Records of other modules are not declared before all modules are imported.
      fields ??= [
        ...records.flatMap(rootFieldsOf),
        ...records.flatMap((cls) => [...relationsOf(cls), ...(isShown(optionsOf(cls)) ? viewerCanOf(cls) : [])]),
        ...values.flatMap(relationsOf),
        ...resolvers.filter(isGeneratedField),
      ];
      return fields;
    },
  };
}
