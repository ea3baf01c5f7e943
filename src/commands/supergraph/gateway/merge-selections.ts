import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  GraphQLIncludeDirective,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getDirectiveValues,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isUnionType,
  Kind,
  type OperationDefinitionNode,
  parse,
  SchemaMetaFieldDef,
  type SelectionNode,
  TypeMetaFieldDef,
  visit,
} from 'graphql';

type Variables = Record<string, unknown>;
type Selections = readonly SelectionNode[];

const metaFields = new Map([SchemaMetaFieldDef, TypeMetaFieldDef].map((field) => [field.name, field.type]));
const conditionDirectives: ReadonlySet<string> = new Set([GraphQLSkipDirective.name, GraphQLIncludeDirective.name]);
const responseKey = ({ alias, name }: FieldNode): string => (alias ?? name).value;

/** Whether `@skip` or `@include` removes a selection. */
export const isExcluded = (node: SelectionNode, variables: Variables): boolean =>
  getDirectiveValues(GraphQLSkipDirective, node, variables)?.if === true ||
  getDirectiveValues(GraphQLIncludeDirective, node, variables)?.if === false;

const selectionsIn = (text: string): Selections => {
  const [operation] = parse(text, { noLocation: true }).definitions;
  return operation?.kind === Kind.OPERATION_DEFINITION ? operation.selectionSet.selections : [];
};
/** Selections for a field if all of its subfields are excluded. An empty selection set would be invalid. */
const emptySelection = selectionsIn('{ __typename @skip(if: true) }');

const onType = (type: string, selections: Selections): SelectionNode => ({
  kind: Kind.INLINE_FRAGMENT,
  typeCondition: { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: type } },
  selectionSet: { kind: Kind.SELECTION_SET, selections },
});

/**
 * Selections on a type: fields, keyed by response key, and selections that apply to only one possible type, keyed by the name of that type.
 */
interface CollectedFields {
  readonly fields: Map<string, FieldNode[]>;
  readonly byType: Map<string, SelectionNode[]>;
}

class SelectionMerger {
  readonly #schema: GraphQLSchema;
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly #variables: Variables;

  constructor(schema: GraphQLSchema, { definitions }: DocumentNode, variables: Variables) {
    this.#schema = schema;
    this.#variables = variables;
    this.#fragments = new Map(
      definitions.flatMap((node) => (node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node] as const] : [])),
    );
  }

  merge(type: GraphQLCompositeType, selections: Selections): Selections {
    const { fields, byType } = this.#collect(type, selections, { fields: new Map(), byType: new Map() });
    const mergeFields = () => [...fields.values()].map((nodes) => this.#field(type, nodes));
    if (byType.size === 0) return fields.size > 0 ? mergeFields() : emptySelection;
    if (!isAbstractType(type)) throw new Error(`${type.name} has no possible types`);
    const possibleTypes = this.#schema.getPossibleTypes(type);
    // If an object field is selected both on the type and on a possible type, its selections must be merged for each possible type
    // separately.
    const isSeparate = [...byType].every(([name, typeSelections]) =>
      [...this.#collectOn(name, typeSelections).fields].every(([key, [node]]) => !node?.selectionSet || !fields.has(key)),
    );
    const fragments = possibleTypes.flatMap(({ name }) => {
      const typeSelections = (byType.get(name) ?? []).filter(
        (node) => !isSeparate || node.kind !== Kind.FIELD || !fields.has(responseKey(node)),
      );
      const fieldsOfAllTypes = isSeparate ? [] : [...fields.values()].flat();
      return typeSelections.length + fieldsOfAllTypes.length > 0
        ? [onType(name, this.merge(this.#composite(name), [...fieldsOfAllTypes, ...typeSelections]))]
        : [];
    });
    return isSeparate ? [...mergeFields(), ...fragments] : fragments;
  }

  #composite(name: string): GraphQLCompositeType {
    const type = this.#schema.getType(name);
    return isCompositeType(type) ? type : this.#fail(name);
  }

  #fail(name: string): never {
    throw new Error(`${name} has no fields`);
  }

  #collectOn(name: string, selections: Selections): CollectedFields {
    return this.#collect(this.#composite(name), selections, { fields: new Map(), byType: new Map() });
  }

  #collect(type: GraphQLCompositeType, selections: Selections, collected: CollectedFields): CollectedFields {
    for (const node of selections) {
      if (isExcluded(node, this.#variables)) continue;
      if (node.kind === Kind.FIELD) {
        const key = responseKey(node);
        collected.fields.set(key, [...(collected.fields.get(key) ?? []), node]);
        continue;
      }
      const fragment = node.kind === Kind.FRAGMENT_SPREAD ? this.#fragments.get(node.name.value) : node;
      if (!fragment) continue;
      const condition = fragment.typeCondition ? this.#composite(fragment.typeCondition.name.value) : type;
      const fragmentSelections = fragment.selectionSet.selections;
      if (condition === type || (isAbstractType(condition) && !isUnionType(type) && this.#schema.isSubType(condition, type)))
        this.#collect(type, fragmentSelections, collected);
      else if (isAbstractType(type)) this.#collectByType(type, condition, fragmentSelections, collected);
    }
    return collected;
  }

  #collectByType(
    type: GraphQLCompositeType,
    condition: GraphQLCompositeType,
    selections: Selections,
    { byType }: CollectedFields,
  ): void {
    const possibleOf = (compositeType: GraphQLCompositeType) =>
      isAbstractType(compositeType) ? this.#schema.getPossibleTypes(compositeType) : [compositeType];
    for (const possible of possibleOf(type))
      if (possibleOf(condition).includes(possible))
        byType.set(possible.name, [...(byType.get(possible.name) ?? []), ...selections]);
  }

  /** Merges the field nodes that have the same response key into one field. */
  #field(type: GraphQLCompositeType, nodes: readonly FieldNode[]): FieldNode {
    const [firstNode] = nodes;
    if (!firstNode) return this.#fail(type.name);
    const directives = (firstNode.directives ?? []).filter(({ name }) => !conditionDirectives.has(name.value));
    const selections = nodes.flatMap(({ selectionSet }) => selectionSet?.selections ?? []);
    if (selections.length === 0) return { ...firstNode, directives };
    const name = firstNode.name.value;
    const fieldType = metaFields.get(name) ?? (isUnionType(type) ? undefined : type.getFields()[name]?.type);
    const target = fieldType && getNamedType(fieldType);
    if (!isCompositeType(target)) return this.#fail(`${type.name}.${name}`);
    return { ...firstNode, directives, selectionSet: { kind: Kind.SELECTION_SET, selections: this.merge(target, selections) } };
  }
}

function withoutUnusedVariables(operation: OperationDefinitionNode): OperationDefinitionNode {
  const usedVariables = new Set<string>();
  visit(operation, { VariableDefinition: () => false, Variable: ({ name }) => void usedVariables.add(name.value) });
  return {
    ...operation,
    variableDefinitions: operation.variableDefinitions?.filter(({ variable }) => usedVariables.has(variable.name.value)) ?? [],
  };
}

/** Returns the names of the variables in `@skip` and `@include`. */
function conditionVariablesOf(document: DocumentNode): string[] {
  const names = new Set<string>();
  visit(document, {
    Directive(node) {
      if (conditionDirectives.has(node.name.value)) visit(node, { Variable: ({ name }) => void names.add(name.value) });
    },
  });
  return [...names];
}

interface CacheEntry {
  readonly conditions: readonly string[];
  readonly documents: Map<string, DocumentNode>;
}

/**
 * Merged documents, keyed by the original document. The Hive engines cache query plans by document object, so repeated operations must use
 * the same object.
 */
const cache = new WeakMap<DocumentNode, CacheEntry>();

/**
 * Returns an equivalent document that selects each field once, without `@skip`, `@include` or named fragments. All engines merge repeated
 * selections incorrectly: they lose data, repeat list items, or drop fields with directives.
 */
export function mergeSelections(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Variables,
): DocumentNode {
  const entry = cache.get(document) ?? { conditions: conditionVariablesOf(document), documents: new Map() };
  cache.set(document, entry);
  const key = JSON.stringify([operation.name?.value, ...entry.conditions.map((name) => variables[name])]);
  const cachedDocument = entry.documents.get(key);
  if (cachedDocument) return cachedDocument;
  const root = schema.getRootType(operation.operation);
  if (!root) throw new Error(`the schema has no root type for the operation type ${operation.operation}`);
  const selections = new SelectionMerger(schema, document, variables).merge(root, operation.selectionSet.selections);
  const definition = withoutUnusedVariables({ ...operation, selectionSet: { kind: Kind.SELECTION_SET, selections } });
  const mergedDocument: DocumentNode = { kind: Kind.DOCUMENT, definitions: [definition] };
  entry.documents.set(key, mergedDocument);
  return mergedDocument;
}
