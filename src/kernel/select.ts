import {
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  getNamedType,
  isObjectType,
  type SelectionSetNode,
} from 'graphql';
import { columnsOf, groupOf, metaOf, type RecordClass, type RecordMeta } from './meta.js';
import { readsOf } from './restriction.js';

/** What a query asks of a list: the columns of its rows, and whether a cursor, a count or rows are asked for at all. */
export interface Wanted {
  columns: string[];
  cursors: boolean;
  rows: boolean;
}

type Visit = (name: string, node: FieldNode, parent: GraphQLObjectType) => void;

function visit(set: SelectionSetNode | undefined, parent: GraphQLObjectType, info: GraphQLResolveInfo, see: Visit): void {
  for (const node of set?.selections ?? []) {
    if (node.kind === 'Field') see(node.name.value, node, parent);
    else if (node.kind === 'InlineFragment') visit(node.selectionSet, parent, info, see);
    else visit(info.fragments[node.name.value]?.selectionSet, parent, info, see);
  }
}

const typeOf = (parent: GraphQLObjectType, name: string): GraphQLObjectType | null => {
  const type = parent.getFields()[name]?.type;
  const named = type ? getNamedType(type) : null;
  return isObjectType(named) ? named : null;
};

function addColumns(
  meta: RecordMeta,
  prefix: string,
  nodes: readonly FieldNode[],
  type: GraphQLObjectType,
  info: GraphQLResolveInfo,
  into: Set<string>,
) {
  for (const node of nodes) {
    visit(node.selectionSet, type, info, (name, child) => {
      const field = meta.fields.get(name);
      const extensions = type.getFields()[name]?.extensions as { needs?: readonly string[]; foreignKey?: string } | undefined;
      if (extensions?.foreignKey) into.add(prefix + extensions.foreignKey);
      for (const key of [...(extensions?.needs ?? []), ...readsOf(meta, extensions?.foreignKey ?? name)]) into.add(prefix + key);
      if (field?.kind === 'group') {
        const inner = typeOf(type, name);
        if (inner) addColumns(groupOf(field), `${prefix}${name}.`, [child], inner, info, into);
      } else if (field && !field.secret) into.add(prefix + name);
    });
  }
}

const columnCache = new WeakMap<FieldNode, string[]>();

/** The columns that a selection on a record needs: the fields named, the keys of its relations, what computed fields read, and the id. */
export function columnsWanted(
  cls: RecordClass,
  info: GraphQLResolveInfo,
  nodes: readonly FieldNode[] = info.fieldNodes,
): string[] {
  const [only] = nodes.length === 1 ? nodes : [];
  const known = only && columnCache.get(only);
  if (known) return known;
  const into = new Set<string>(['id']);
  const type = info.schema.getType(cls.name);
  if (isObjectType(type)) addColumns(metaOf(cls), '', nodes, type, info, into);
  const columns = [...into];
  if (only) columnCache.set(only, columns);
  return columns;
}

/** Every column that the graph shows, for answers whose selection is not known. */
export const allColumns = (cls: RecordClass): string[] =>
  [...columnsOf(metaOf(cls)).values()].filter(({ field }) => !field.secret).map(({ key }) => key);

const wantedCache = new WeakMap<FieldNode, Wanted>();

/** What the selection on a connection asks for. */
export function wantedOf(cls: RecordClass, info: GraphQLResolveInfo): Wanted {
  const [only] = info.fieldNodes.length === 1 ? info.fieldNodes : [];
  const known = only && wantedCache.get(only);
  if (known) return known;
  const nodes: FieldNode[] = [];
  let cursors = false;
  let rows = false;
  const connection = getNamedType(info.returnType);
  if (isObjectType(connection)) {
    for (const field of info.fieldNodes) {
      visit(field.selectionSet, connection, info, (name, node, parent) => {
        if (name !== 'totalCount' && !name.startsWith('__')) rows = true;
        if (name === 'nodes') nodes.push(node);
        if (name === 'pageInfo')
          visit(node.selectionSet, parent, info, (part) => {
            if (part.endsWith('Cursor')) cursors = true;
          });
        if (name !== 'edges') return;
        visit(node.selectionSet, parent, info, (part, inner) => {
          if (part === 'cursor') cursors = true;
          if (part === 'node') nodes.push(inner);
        });
      });
    }
  }
  const wanted = { columns: columnsWanted(cls, info, nodes), cursors, rows };
  if (only) wantedCache.set(only, wanted);
  return wanted;
}
