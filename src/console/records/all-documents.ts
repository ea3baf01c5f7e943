import type { FieldType, RequiredRoles } from 'courtside-console/catalog';
import catalog from 'courtside-console/catalog';
import type { Viewer } from '../data/index.ts';
import { recordTypeOf, recordTypes } from './catalog.ts';
import {
  countsDocument,
  listDocument,
  partDocument,
  recordDocument,
  relatedListDocument,
  removeDocument,
  saveDocument,
  searchDocument,
} from './documents.ts';
import { labelSelectionOf } from './record.ts';
import { relatedListsOf } from './selection.ts';

/** Returns one viewer for each combination of the roles that determine which fields are selected. */
function allViewers(): readonly Viewer[] {
  const fields: readonly FieldType[] = [
    ...recordTypes.flatMap(([, { fields }]) => fields),
    ...Object.values(catalog.objects).flat(),
  ];
  const titles = new Set<RequiredRoles[number]>(fields.flatMap(({ roles }) => roles ?? []));
  titles.delete('super admin');
  const combinations: string[][] = [[]];
  for (const title of titles) combinations.push(...combinations.map((roles) => [...roles, title]));
  const viewerOf = (isSuperAdmin: boolean, roles: readonly string[]): Viewer => ({
    id: '',
    firstName: null,
    lastName: null,
    email: null,
    isSuperAdmin,
    roles: roles.map((title) => ({ id: title, title })),
  });
  return [viewerOf(true, []), ...combinations.map((roles) => viewerOf(false, roles))];
}

/** Composes all documents that the records task can send, for viewers with any roles. */
export function composeAllDocuments(): void {
  for (const viewer of allViewers())
    for (const [name, type] of recordTypes) {
      listDocument(viewer, name, type);
      recordDocument(viewer, type);
      countsDocument(viewer, type);
      if (!type.requires) searchDocument(name, type);
      partDocument(type, labelSelectionOf(name));
      for (const relation of relatedListsOf(viewer, type)) {
        const relatedType = recordTypeOf(relation.type);
        if (relatedType) relatedListDocument(viewer, type, labelSelectionOf(name), relation, relatedType);
      }
      for (const mutation of [type.create, type.update]) if (mutation) saveDocument(viewer, type, mutation);
      if (type.remove) removeDocument(type.remove);
    }
}
