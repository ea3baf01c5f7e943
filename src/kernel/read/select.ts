import {
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  getNamedType,
  isAbstractType,
  isObjectType,
  type SelectionSetNode,
} from 'graphql';
import { isLegacy } from '../declare/fields/legacy-fields.js';
import { groupOf, metaOf, type RecordClass, type RecordMeta } from '../declare/meta.js';
import { columnsForVisibility } from './conditions/restriction.js';
import { relationProperty, Selection, selectionFor } from './selection.js';

export { allColumns } from './selection.js';

/** Columns that a query on a list selects, and whether it selects cursors, rows and the total count. */
export interface ListSelection {
  selection: Selection;
  cursors: boolean;
  rows: boolean;
  total?: boolean;
}

type VisitField = (name: string, node: FieldNode, parent: GraphQLObjectType) => void;

/** Whether a fragment with this type condition applies to a type. */
function appliesTo({ schema }: GraphQLResolveInfo, type: GraphQLObjectType, condition: string | undefined): boolean {
  if (condition === undefined || condition === type.name) return true;
  const conditionType = schema.getType(condition);
  return isAbstractType(conditionType) && schema.isSubType(conditionType, type);
}

/** Calls `visitField` for every selected field of a type, including fields in fragments. Visits each named fragment only once. */
function visit(
  selectionSet: SelectionSetNode | undefined,
  parent: GraphQLObjectType,
  info: GraphQLResolveInfo,
  visitField: VisitField,
  visitedFragments = new Set<string>(),
): void {
  for (const node of selectionSet?.selections ?? []) {
    if (node.kind === 'Field') visitField(node.name.value, node, parent);
    else if (node.kind === 'InlineFragment') {
      if (appliesTo(info, parent, node.typeCondition?.name.value))
        visit(node.selectionSet, parent, info, visitField, visitedFragments);
    } else if (!visitedFragments.has(node.name.value)) {
      visitedFragments.add(node.name.value);
      const fragment = info.fragments[node.name.value];
      if (appliesTo(info, parent, fragment?.typeCondition.name.value))
        visit(fragment?.selectionSet, parent, info, visitField, visitedFragments);
    }
  }
}

const typeOf = (parent: GraphQLObjectType, name: string): GraphQLObjectType | null => {
  const type = parent.getFields()[name]?.type;
  const namedType = type ? getNamedType(type) : null;
  return isObjectType(namedType) ? namedType : null;
};

/** Columns and relations that a selection on a record requires. */
interface RequiredFields {
  readonly keys: Set<string>;
  /** Selected to-one relations, keyed by name. */
  readonly relations: Map<string, { nodes: FieldNode[]; foreignKey: string; target: RecordClass }>;
  /** Names of to-one relations that have a directive such as `@include`. If their resolvers run, they load the related rows. */
  readonly conditionalRelations: Set<string>;
}

interface FieldExtensions {
  readsColumns?: readonly string[];
  foreignKey?: string;
  /** Related record of a to-one relation. */
  target?: RecordClass;
}

function collectFields(
  meta: RecordMeta,
  prefix: string,
  nodes: readonly FieldNode[],
  type: GraphQLObjectType,
  info: GraphQLResolveInfo,
  requiredFields: RequiredFields,
) {
  for (const node of nodes) {
    visit(node.selectionSet, type, info, (name, child) => {
      const field = meta.fields.get(name);
      const graphField = type.getFields()[name];
      const legacyType = graphField && isLegacy(graphField) ? typeOf(type, name) : null;
      if (legacyType) return collectFields(meta, prefix, [child], legacyType, info, requiredFields);
      const { readsColumns = [], foreignKey, target }: FieldExtensions = graphField?.extensions ?? {};
      if (foreignKey) requiredFields.keys.add(prefix + foreignKey);
      if (foreignKey && child.directives?.length) requiredFields.conditionalRelations.add(name);
      if (foreignKey && target && prefix === '') {
        const relation = requiredFields.relations.get(name) ?? { nodes: [], foreignKey, target };
        relation.nodes.push(child);
        requiredFields.relations.set(name, relation);
      }
      if (field?.private) for (const key of meta.options?.privateFieldColumns ?? []) requiredFields.keys.add(key);
      for (const key of [...readsColumns, ...columnsForVisibility(meta, foreignKey ?? name)])
        requiredFields.keys.add(prefix + key);
      if (field?.kind === 'group') {
        const groupType = typeOf(type, name);
        if (groupType) collectFields(groupOf(field), `${prefix}${name}.`, [child], groupType, info, requiredFields);
      } else if (field && !field.secret) requiredFields.keys.add(prefix + name);
    });
  }
}

/** Cached selections, keyed by field node and record. A node on a union or interface selects from several records. */
const selections = new WeakMap<FieldNode, Map<RecordClass, Selection>>();

/**
 * Returns the columns that a query on a record selects: selected fields, foreign keys of relations, columns that computed fields read, and
 * the ID.
 */
export function querySelection(
  cls: RecordClass,
  info: GraphQLResolveInfo,
  nodes: readonly FieldNode[] = info.fieldNodes,
): Selection {
  const [singleNode] = nodes.length === 1 ? nodes : [];
  const cached = singleNode && selections.get(singleNode)?.get(cls);
  if (cached) return cached;
  const requiredFields: RequiredFields = { keys: new Set(['id']), relations: new Map(), conditionalRelations: new Set() };
  const type = info.schema.getType(cls.name);
  if (isObjectType(type)) collectFields(metaOf(cls), '', nodes, type, info, requiredFields);
  const preloadedRelations = [...requiredFields.relations].filter(([name]) => !requiredFields.conditionalRelations.has(name));
  const relations = preloadedRelations.map(([name, { nodes: relationNodes, foreignKey, target }]) => ({
    property: relationProperty(name),
    foreignKey,
    target,
    selection: querySelection(target, info, relationNodes),
  }));
  const selection = relations.length
    ? new Selection(cls, [...requiredFields.keys], relations)
    : selectionFor(cls, [...requiredFields.keys]);
  if (singleNode) selections.set(singleNode, (selections.get(singleNode) ?? new Map()).set(cls, selection));
  return selection;
}

/** Returns the keys of the columns that a query selects, for resolvers that add columns. */
export const selectedColumns = (cls: RecordClass, info: GraphQLResolveInfo): readonly string[] => querySelection(cls, info).keys;

const listSelections = new WeakMap<FieldNode, ListSelection>();

/** Returns the selection of a query on a connection. */
export function listSelectionOf(cls: RecordClass, info: GraphQLResolveInfo): ListSelection {
  const [singleNode] = info.fieldNodes.length === 1 ? info.fieldNodes : [];
  const cached = singleNode && listSelections.get(singleNode);
  if (cached) return cached;
  const nodes: FieldNode[] = [];
  let cursors = false;
  let rows = false;
  let total = false;
  const connection = getNamedType(info.returnType);
  if (isObjectType(connection)) {
    for (const field of info.fieldNodes) {
      visit(field.selectionSet, connection, info, (name, node, parent) => {
        if (name === 'totalCount') total = true;
        else if (!name.startsWith('__') && name !== 'csvUrl') rows = true;
        if (name === 'nodes') nodes.push(node);
        // Type conditions of fragments in `pageInfo` and `edges` refer to the types of these fields.
        const type = name === 'pageInfo' || name === 'edges' ? typeOf(parent, name) : null;
        if (!type) return;
        visit(node.selectionSet, type, info, (childName, child) => {
          if (childName === 'cursor' || childName.endsWith('Cursor')) cursors = true;
          if (childName === 'node') nodes.push(child);
        });
      });
    }
  }
  const listSelection = { selection: querySelection(cls, info, nodes), cursors, rows, total };
  if (singleNode) listSelections.set(singleNode, listSelection);
  return listSelection;
}
