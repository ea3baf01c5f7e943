import type { OperationNode, WithNode } from 'kysely';
import { type StatedDependencies, writeTime } from './declare/expression.js';

/**
 * Facts about a statement: the tables that it reads and writes, and what else its result depends on. These facts are never derived from SQL
 * text.
 */
export interface StatementFacts {
  /** Whether the statement only reads rows or may also change rows. */
  readonly kind: 'read' | 'write';
  /** Tables that the statement reads. Excludes tables that it only writes. */
  readonly readTables: readonly string[];
  /** Tables in which the statement inserts, updates or deletes rows. */
  readonly writtenTables: readonly string[];
  /** What the result depends on other than rows, such as the time, a setting or a sequence. Null if it depends only on rows. */
  readonly otherDependency: string | null;
}

/** SQL text, with the tables and other dependencies that its author states. */
export interface SqlText extends StatementFacts {
  readonly text: string;
}

const noTables: readonly string[] = [];

/** Returns SQL text that reads tables. */
export const sqlForReading = (
  readTables: readonly string[],
  text: string,
  { otherDependency = null }: Partial<Pick<StatementFacts, 'otherDependency'>> = {},
): SqlText => ({ text, kind: 'read', readTables, writtenTables: noTables, otherDependency });

/** Returns SQL text that writes tables and may read others. */
export const sqlForWriting = (
  writtenTables: readonly string[],
  text: string,
  readTables: readonly string[] = noTables,
): SqlText => ({
  text,
  kind: 'write',
  readTables,
  writtenTables,
  otherDependency: 'a write',
});

/** Wraps SQL text that a library, such as the job queue, generates. The text is treated as a write that changes no table. */
export const librarySql = (text: string): SqlText => sqlForWriting(noTables, text);

/** Kind of statement, and the tables that it writes. */
export type StatementEffects = Pick<StatementFacts, 'kind' | 'writtenTables'>;

const readEffects: StatementEffects = { kind: 'read', writtenTables: noTables };
const unknownEffects: StatementEffects = { kind: 'write', writtenTables: noTables };

/** Node of a typed statement. These properties can contain the tables that the statement writes. */
interface StatementNode extends OperationNode {
  readonly with?: WithNode;
  readonly into?: OperationNode;
  readonly table?: OperationNode;
  readonly from?: { readonly froms?: readonly OperationNode[] };
}

/** Returns the table name in a node for a table or for a table alias. Null for other nodes. */
function tableName(node: OperationNode | undefined): string | null {
  const {
    kind,
    node: aliasedNode,
    table,
  } = (node ?? { kind: '' }) as {
    kind: string;
    node?: OperationNode;
    table?: { identifier: { name: string } };
  };
  if (kind === 'AliasNode') return tableName(aliasedNode);
  return kind === 'TableNode' && table ? table.identifier.name : null;
}

const writeEffects = (node: OperationNode | undefined): StatementEffects => {
  const name = tableName(node);
  return name === null ? unknownEffects : { kind: 'write', writtenTables: [name] };
};

function topLevelEffects({ kind, into, table, from }: StatementNode): StatementEffects {
  switch (kind) {
    case 'SelectQueryNode':
      return readEffects;
    case 'InsertQueryNode':
      return writeEffects(into);
    case 'UpdateQueryNode':
      return writeEffects(table);
    case 'DeleteQueryNode':
      return writeEffects(from?.froms?.[0]);
    default:
      return unknownEffects;
  }
}

/** Returns the effects of a typed statement. PostgreSQL allows writes only at the top level and in its common table expressions. */
export function effectsOf(statement: OperationNode): StatementEffects {
  const { with: ctes } = statement as StatementNode;
  const effects = topLevelEffects(statement as StatementNode);
  if (!ctes) return effects;
  const writes = ctes.expressions.map(({ expression }) => effectsOf(expression)).filter(({ kind }) => kind === 'write');
  return writes.length === 0
    ? effects
    : { kind: 'write', writtenTables: [effects, ...writes].flatMap(({ writtenTables }) => writtenTables) };
}

/** Dependencies found so far in the nodes of a typed statement. */
interface CollectedDependencies {
  readonly tables: Set<string>;
  /** Names of common table expressions. References to them look like tables. */
  readonly cteNames: Set<string>;
  otherDependency: string | null;
}

const isNode = (value: unknown): value is OperationNode & Record<string, unknown> =>
  typeof value === 'object' && value !== null && 'kind' in value && typeof value.kind === 'string';

function collectDependencies(value: unknown, writtenTable: OperationNode | undefined, facts: CollectedDependencies): void {
  if (Array.isArray(value)) for (const item of value) collectDependencies(item, writtenTable, facts);
  if (!isNode(value) || value === writtenTable) return;
  switch (value.kind) {
    // These nodes contain aliases instead of tables.
    case 'SelectAllNode':
    case 'SelectModifierNode':
      break;
    case 'ReferenceNode':
      collectDependencies(value.column, writtenTable, facts);
      break;
    case 'TableNode':
      addName(facts.tables, value);
      break;
    case 'CommonTableExpressionNode':
      addName(facts.cteNames, (value.name as { table?: OperationNode }).table);
      collectDependencies(value.expression, writtenTableOf(value.expression), facts);
      break;
    default:
      addStatedDependencies(value, facts);
      for (const part of Object.values(value)) collectDependencies(part, writtenTable, facts);
  }
}

function addName(names: Set<string>, node: OperationNode | undefined): void {
  const name = tableName(node);
  if (name !== null) names.add(name);
}

/** Adds the dependencies of a node, but not those of its child nodes. */
function addStatedDependencies(
  { kind, name, func, statedDependencies }: OperationNode & Record<string, unknown>,
  facts: CollectedDependencies,
): void {
  if (kind === 'IdentifierNode' && name === writeTime) facts.otherDependency ??= writeTime;
  if (kind === 'FunctionNode' && (func === 'now' || func === 'clock_timestamp')) facts.otherDependency ??= func;
  if (kind !== 'RawNode' || !statedDependencies) return;
  const { tables, otherDependency } = statedDependencies as StatedDependencies;
  for (const table of tables) facts.tables.add(table);
  facts.otherDependency ??= otherDependency;
}

function writtenTableOf(node: unknown): OperationNode | undefined {
  const { kind, into, table, from } = node as StatementNode;
  if (kind === 'InsertQueryNode') return into;
  if (kind === 'UpdateQueryNode') return table;
  return kind === 'DeleteQueryNode' ? from?.froms?.[0] : undefined;
}

/** Returns the tables that a node reads, and its other dependencies. Includes the stated dependencies of SQL text in the node. */
export function dependenciesOf(node: OperationNode): StatedDependencies {
  const facts: CollectedDependencies = { tables: new Set(), cteNames: new Set(), otherDependency: null };
  collectDependencies(node, writtenTableOf(node), facts);
  const tables = [...facts.tables].filter((table) => !facts.cteNames.has(table));
  return { tables, otherDependency: facts.otherDependency };
}

/** Determines the tables that a typed statement reads and writes, and its other dependencies, from its syntax tree. */
export function statementFactsOf(statement: OperationNode): StatementFacts {
  const effects = effectsOf(statement);
  const { tables, otherDependency } = dependenciesOf(statement);
  return { ...effects, readTables: tables, otherDependency: effects.kind === 'write' ? 'a write' : otherDependency };
}
