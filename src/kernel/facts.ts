import type { OperationNode, WithNode } from 'kysely';

/** What a statement does, stated where it is built. Nothing reads it from the text. */
export interface Facts {
  /** A read changes no row. It needs no fence, and its commit sends no notification. */
  readonly kind: 'read' | 'write';
  /** Tables with rows that it reads. A table that it only writes is not among them. */
  readonly reads: readonly string[];
  /** Tables whose rows it inserts, updates or deletes. */
  readonly writes: readonly string[];
  /** The result depends on more than the rows of tables, such as the time, a setting or a sequence. */
  readonly isVolatile: boolean;
}

/** SQL text with its facts. */
export interface SqlText extends Facts {
  readonly text: string;
}

const none: readonly string[] = [];

/** A statement that reads these tables. */
export const readSql = (reads: readonly string[], text: string, { isVolatile = false } = {}): SqlText => ({
  text,
  kind: 'read',
  reads,
  writes: none,
  isVolatile,
});

/** A statement that writes these tables, and reads others. */
export const writeSql = (writes: readonly string[], text: string, reads: readonly string[] = none): SqlText => ({
  text,
  kind: 'write',
  reads,
  writes,
  isVolatile: true,
});

/** SQL text of a library, such as the job queue. It counts as a write, but not of a table of a record. */
export const foreignSql = (text: string): SqlText => writeSql(none, text);

/** Kind of a statement, and the tables that it writes. */
export type Effects = Pick<Facts, 'kind' | 'writes'>;

const read: Effects = { kind: 'read', writes: none };
const unknown: Effects = { kind: 'write', writes: none };

/** A node of a typed statement, with the parts that name the tables it writes. */
interface StatementNode extends OperationNode {
  readonly with?: WithNode;
  readonly into?: OperationNode;
  readonly table?: OperationNode;
  readonly from?: { readonly froms?: readonly OperationNode[] };
}

/** The name of a table, with or without an alias. */
function tableName(node: OperationNode | undefined): string | null {
  const {
    kind,
    node: aliased,
    table,
  } = (node ?? { kind: '' }) as {
    kind: string;
    node?: OperationNode;
    table?: { identifier: { name: string } };
  };
  if (kind === 'AliasNode') return tableName(aliased);
  return kind === 'TableNode' && table ? table.identifier.name : null;
}

const writing = (node: OperationNode | undefined): Effects => {
  const name = tableName(node);
  return name === null ? unknown : { kind: 'write', writes: [name] };
};

function ownEffects({ kind, into, table, from }: StatementNode): Effects {
  switch (kind) {
    case 'SelectQueryNode':
      return read;
    case 'InsertQueryNode':
      return writing(into);
    case 'UpdateQueryNode':
      return writing(table);
    case 'DeleteQueryNode':
      return writing(from?.froms?.[0]);
    default:
      return unknown;
  }
}

/** The effects of a typed statement. PostgreSQL allows writes at the top, and in the common table expressions there. */
export function effectsOf(statement: OperationNode): Effects {
  const { with: common } = statement as StatementNode;
  const effects = ownEffects(statement as StatementNode);
  if (!common) return effects;
  const parts = common.expressions.map(({ expression }) => effectsOf(expression)).filter(({ kind }) => kind === 'write');
  return parts.length === 0 ? effects : { kind: 'write', writes: [effects, ...parts].flatMap(({ writes }) => writes) };
}
