import { type OperationNode, type OperationNodeSource, type RawBuilder, RawNode, type SqlBool, sql, ValueNode } from 'kysely';

/** Column that every write changes. Writes that change only this column are not logged. */
export const writeTime = 'updated_at';

/**
 * Dependencies of SQL text in a statement, as stated by the author of the text. They are in the property `statedDependencies` of its syntax
 * node.
 */
export interface StatedDependencies {
  readonly tables: readonly string[];
  readonly otherDependency: string | null;
}

/**
 * SQL expression, such as a condition or a subquery. An immutable tree of constant text and other expressions. `texts` has one more item
 * than `parts`.
 */
export class SqlExpression implements OperationNodeSource {
  /** SQL text, with `$` for every parameter. */
  readonly structure: string;
  readonly hasParameters: boolean;

  constructor(
    readonly texts: readonly string[],
    readonly parts: readonly SqlExpression[] = [],
    hasParameters = false,
  ) {
    let structure = texts[0] ?? '';
    let index = 0;
    for (const part of parts) {
      structure += part.structure + texts[++index];
      hasParameters ||= part.hasParameters;
    }
    this.structure = structure;
    this.hasParameters = hasParameters;
  }

  toOperationNode(): OperationNode {
    return RawNode.create(
      this.texts,
      this.parts.map((part) => part.toOperationNode()),
    );
  }

  /** Converts the expression to an expression of a typed statement. */
  typed<T = SqlBool>(): RawBuilder<T> {
    return sql<T>`${this}`;
  }
}

/** Returns an SQL expression. The inserted values must be expressions: use `parameter` for other values. */
export const expression = (texts: TemplateStringsArray, ...parts: readonly SqlExpression[]): SqlExpression =>
  new SqlExpression(texts, parts);

/** Returns an expression with constant text, such as the name of a column. The text must not contain values from requests. */
export const constantSql = (text: string | number): SqlExpression => new SqlExpression([String(text)]);

/** Value that is sent with a statement. */
export class Parameter extends SqlExpression {
  static #count = 0;
  /** Sequence number of the parameter, in the order of creation. */
  readonly number = ++Parameter.#count;

  constructor(readonly value: unknown) {
    super(['$'], [], true);
  }

  override toOperationNode(): OperationNode {
    return ValueNode.create(this);
  }
}

/** Returns an expression for a value. If the expression occurs several times in SQL text, the value is sent only once. */
export const parameter = (value: unknown): Parameter => new Parameter(value);

/** Constant SQL text with its dependencies. */
class Dependency extends SqlExpression {
  constructor(
    text: string,
    readonly statedDependencies: StatedDependencies,
  ) {
    super([text]);
  }

  override toOperationNode(): OperationNode {
    return { ...super.toOperationNode(), statedDependencies: this.statedDependencies } as OperationNode;
  }
}

const tableNames = new Map<string, Dependency>();

/** Returns an expression with the name of a table. The expression states that the statement reads the table. */
export function tableNamed(name: string): SqlExpression {
  const table = tableNames.get(name) ?? new Dependency(name, { tables: [name], otherDependency: null });
  tableNames.set(name, table);
  return table;
}

/** Returns constant SQL text with dependencies that must be stated: tables, or something other than rows, such as the time or a setting. */
export const dependentSql = (text: string, { tables = [], otherDependency = null }: Partial<StatedDependencies>): SqlExpression =>
  new Dependency(text, { tables, otherDependency });

/** SQL expression for the time at which the transaction started. */
export const currentTimestamp = dependentSql('now()', { otherDependency: 'now' });

/** Returns the SQL text of an expression. `placeholderOf` returns the placeholder for an occurrence of a value. */
export function textOf(root: SqlExpression, placeholderOf: (parameter: Parameter) => string): string {
  if (!root.hasParameters) return root.structure;
  if (root instanceof Parameter) return placeholderOf(root);
  return root.parts.reduce(
    (text, part, index) => text + textOf(part, placeholderOf) + root.texts[index + 1],
    root.texts[0] ?? '',
  );
}

const writeTimeDependency = dependentSql('', { otherDependency: writeTime });

/** Key of the parent in statements that read the rows of several parents. */
const parentKey = constantSql('p.key');

/** Reference to a row in a statement. In an expression, its SQL text is the alias of the row. */
export class RowReference extends SqlExpression {
  constructor(
    readonly alias: string,
    /** Key by which a relation selects the row, such as the ID of its parent row. */
    readonly key: SqlExpression = parentKey,
    /** Change log position of the row state that the expression uses. Undefined for the current state. */
    readonly position?: SqlExpression,
  ) {
    super([alias]);
  }

  /**
   * Returns the expression for a column. For the column with the time of the last write, the expression also states that the result depends
   * on this time.
   */
  column(name: string): SqlExpression {
    const column = constantSql(this.alias ? `${this.alias}.${name}` : name);
    return name === writeTime ? expression`${column}${writeTimeDependency}` : column;
  }

  /** Returns a reference to another row of the same statement, or to the same row with another key. */
  for(alias: string, key = this.key): RowReference {
    return new RowReference(alias, key, this.position);
  }

  /** Returns a reference to a past state of the row. */
  at(position: SqlExpression): RowReference {
    return new RowReference(this.alias, this.key, position);
  }
}

/** Row of the record that a statement reads. */
export const mainRow = new RowReference('r');
/** Row in the definition of an index, where columns have no alias. */
export const indexedRow = new RowReference('');

/** Joins expressions with a separator, such as ` and `. */
export function joinExpressions(expressions: readonly SqlExpression[], separator: string): SqlExpression {
  const [first] = expressions;
  if (first && expressions.length === 1) return first;
  const texts = Array<string>(expressions.length + 1).fill(separator);
  texts[0] = '';
  texts[expressions.length] = '';
  return new SqlExpression(texts, expressions);
}

export const alwaysTrue = constantSql('true');
export const alwaysFalse = constantSql('false');

/** Joins conditions with `and`, without parentheses. Returns `true` for an empty list. */
export const allOf = (conditions: readonly SqlExpression[]): SqlExpression =>
  conditions.length ? joinExpressions(conditions, ' and ') : alwaysTrue;

/** Joins conditions with `or`, without parentheses. Returns `false` for an empty list. */
export const anyOf = (conditions: readonly SqlExpression[]): SqlExpression =>
  conditions.length ? joinExpressions(conditions, ' or ') : alwaysFalse;

/** Part of a shape. A list contains conditions that must all be true. */
export type ShapePart = string | number | boolean | null | undefined | SqlExpression | readonly SqlExpression[];

/** Identifies a statement by the structure of its expressions and collects the values of their parameters. */
export class Shape {
  key = '';
  /** Values of the parameters in the added expressions. */
  readonly values: unknown[] = [];
  #occurrences = 0;

  /** `parameters` are the first parameters of the statement. An element is undefined if its value is not a `Parameter`. */
  constructor(readonly parameters: (Parameter | undefined)[] = []) {}

  add(...parts: readonly ShapePart[]): this {
    for (const part of parts) {
      const node = Array.isArray(part) ? joinExpressions(part, ' and ') : part;
      this.key += `${node instanceof SqlExpression ? node.structure : node} | `;
      if (node instanceof SqlExpression) this.#addParameters(node);
    }
    return this;
  }

  #addParameters(node: SqlExpression): void {
    if (node instanceof Parameter) this.#addParameter(node);
    else if (node.hasParameters) for (const part of node.parts) this.#addParameters(part);
  }

  /** Adds an occurrence of a parameter. The key marks each repeated occurrence with the index of its parameter. */
  #addParameter(parameter: Parameter): void {
    const index = this.parameters.indexOf(parameter);
    this.#occurrences += 1;
    if (index >= 0) this.key += `@${this.#occurrences}=${index}`;
    else {
      this.parameters.push(parameter);
      this.values.push(parameter.value);
    }
  }
}
