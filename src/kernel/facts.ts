import type { OperationNode, WithNode } from 'kysely';
import { type StatedFacts, writeTime } from './declare/expression.js';

/** Effects and dependencies of a statement. They are stated where the statement is built, and never derived from its text. */
export interface Facts {
  /** Whether the statement only reads rows or may change some. */
  readonly kind: 'read' | 'write';
  /** Tables that the statement reads. Excludes tables that it only writes. */
  readonly readTables: readonly string[];
  /** Tables in which the statement inserts, updates or deletes rows. */
  readonly writtenTables: readonly string[];
  /** Dependency of the result other than rows, such as the time, a setting or a sequence. Null if there is none. */
  readonly otherDependency: string | null;
}

/** SQL text with its facts. */
export interface SqlText extends Facts {
  readonly text: string;
}

const noTables: readonly string[] = [];

/** Returns SQL text that reads tables. */
export const sqlForReading = (
  readTables: readonly string[],
  text: string,
  { otherDependency = null }: Partial<Pick<Facts, 'otherDependency'>> = {},
): SqlText => ({ text, kind: 'read', readTables, writtenTables: noTables, otherDependency });

/** Returns SQL text that writes tables, and may read others. */
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

/** Returns SQL text from a library, such as the job queue. It counts as a write that changes no table. */
export const foreignSql = (text: string): SqlText => sqlForWriting(noTables, text);

/** Kind of a statement, and the tables that it writes. */
export type Effects = Pick<Facts, 'kind' | 'writtenTables'>;

const readEffects: Effects = { kind: 'read', writtenTables: noTables };
const unknownEffects: Effects = { kind: 'write', writtenTables: noTables };

/** Node of a typed statement, with the properties that can contain the tables that the statement writes. */
interface StatementNode extends OperationNode {
  readonly with?: WithNode;
  readonly into?: OperationNode;
  readonly table?: OperationNode;
  readonly from?: { readonly froms?: readonly OperationNode[] };
}

/** Returns the name of a table, with or without an alias. Null for other nodes. */
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

const writeEffects = (node: OperationNode | undefined): Effects => {
  const name = tableName(node);
  return name === null ? unknownEffects : { kind: 'write', writtenTables: [name] };
};

function topLevelEffects({ kind, into, table, from }: StatementNode): Effects {
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
export function effectsOf(statement: OperationNode): Effects {
  const { with: ctes } = statement as StatementNode;
  const effects = topLevelEffects(statement as StatementNode);
  if (!ctes) return effects;
  const writes = ctes.expressions.map(({ expression }) => effectsOf(expression)).filter(({ kind }) => kind === 'write');
  return writes.length === 0
    ? effects
    : { kind: 'write', writtenTables: [effects, ...writes].flatMap(({ writtenTables }) => writtenTables) };
}

/** Facts collected from the nodes of a typed statement. */
interface CollectedFacts {
  readonly tables: Set<string>;
  /** Names of common table expressions. References to them look like tables. */
  readonly cteNames: Set<string>;
  otherDependency: string | null;
}

const isNode = (value: unknown): value is OperationNode & Record<string, unknown> =>
  typeof value === 'object' && value !== null && 'kind' in value && typeof value.kind === 'string';

function collectFacts(value: unknown, writtenTable: OperationNode | undefined, facts: CollectedFacts): void {
  if (Array.isArray(value)) for (const item of value) collectFacts(item, writtenTable, facts);
  if (!isNode(value) || value === writtenTable) return;
  switch (value.kind) {
    // These nodes contain aliases instead of tables.
    case 'SelectAllNode':
    case 'SelectModifierNode':
      break;
    case 'ReferenceNode':
      collectFacts(value.column, writtenTable, facts);
      break;
    case 'TableNode':
      addName(facts.tables, value);
      break;
    case 'CommonTableExpressionNode':
      addName(facts.cteNames, (value.name as { table?: OperationNode }).table);
      collectFacts(value.expression, writtenTableOf(value.expression), facts);
      break;
    default:
      addStatedFacts(value, facts);
      for (const part of Object.values(value)) collectFacts(part, writtenTable, facts);
  }
}

function addName(names: Set<string>, node: OperationNode | undefined): void {
  const name = tableName(node);
  if (name !== null) names.add(name);
}

/** Adds the facts of a node, but not those of its child nodes. */
function addStatedFacts({ kind, name, func, statedFacts }: OperationNode & Record<string, unknown>, facts: CollectedFacts): void {
  if (kind === 'IdentifierNode' && name === writeTime) facts.otherDependency ??= writeTime;
  if (kind === 'FunctionNode' && (func === 'now' || func === 'clock_timestamp')) facts.otherDependency ??= func;
  if (kind !== 'RawNode' || !statedFacts) return;
  const { tables, otherDependency } = statedFacts as StatedFacts;
  for (const table of tables) facts.tables.add(table);
  facts.otherDependency ??= otherDependency;
}

function writtenTableOf(node: unknown): OperationNode | undefined {
  const { kind, into, table, from } = node as StatementNode;
  if (kind === 'InsertQueryNode') return into;
  if (kind === 'UpdateQueryNode') return table;
  return kind === 'DeleteQueryNode' ? from?.froms?.[0] : undefined;
}

/** Returns the facts about reading that a node contains. Includes the facts that are stated for SQL text in it. */
export function statedFactsOf(node: OperationNode): StatedFacts {
  const facts: CollectedFacts = { tables: new Set(), cteNames: new Set(), otherDependency: null };
  collectFacts(node, writtenTableOf(node), facts);
  const tables = [...facts.tables].filter((table) => !facts.cteNames.has(table));
  return { tables, otherDependency: facts.otherDependency };
}

/** Derives the facts of a typed statement. */
export function factsOf(statement: OperationNode): Facts {
  const effects = effectsOf(statement);
  const { tables, otherDependency } = statedFactsOf(statement);
  return { ...effects, readTables: tables, otherDependency: effects.kind === 'write' ? 'a write' : otherDependency };
}
