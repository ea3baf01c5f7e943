import {
  type ConstDirectiveNode,
  type DefinitionNode,
  type DocumentNode,
  type FieldDefinitionNode,
  type GraphQLSchema,
  type InputValueDefinitionNode,
  isInputObjectType,
  isObjectType,
  Kind,
  type ObjectTypeDefinitionNode,
  parse,
  print,
  printSchema,
  type TypeNode,
  visit,
} from 'graphql';
import { isLegacy, legacyArgumentName } from '../../kernel/declare/fields/legacy-fields.js';
import { costDirectives } from '../limits/weights.js';
import { alternateKeysOf, type Ownership } from './ownership.js';
import { audienceDirectives, cacheDefinition, cacheHintsOf, parseDirective, withDirectives } from './router-directives.js';

const importedDirectives = ['@key', '@shareable', '@tag', '@inaccessible', '@cost', '@listSize'];

/**
 * Returns the definitions at the start of a subgraph: the import of the federation directives, the contact, and `@cacheControl` if it is
 * used.
 */
function headerDefinitions(module: string, { policies }: SliceOptions, isCached: boolean): readonly DefinitionNode[] {
  const names = JSON.stringify([...importedDirectives, ...(policies ? ['@policy'] : [])]);
  const text = `extend schema
    @link(url: "https://specs.apollo.dev/federation/v2.9", import: ${names})
    @contact(name: "Courtside", description: "The module ${module}.")
  directive @contact(name: String!, url: String, description: String) on SCHEMA
  ${isCached ? cacheDefinition : ''}`;
  return parse(text, { noLocation: true }).definitions;
}

export interface SliceOptions {
  /** Whether to add `@policy` to fields. Routers that support this directive refuse such fields until a coprocessor has authorized them. */
  policies?: boolean;
}

const rootTypes = ['Query', 'Mutation', 'Subscription'];
const keyDirective = parseDirective('@key(fields: "id")');
const stubDirective = parseDirective('@key(fields: "id", resolvable: false)');
const shareableDirective = parseDirective('@shareable');
const typeName = (type: TypeNode): string => (type.kind === Kind.NAMED_TYPE ? type.name.value : typeName(type.type));

const definitionsBySchema = new WeakMap<GraphQLSchema, ReadonlyMap<string, DefinitionNode>>();

/**
 * Returns the definitions of a schema, keyed by name. The definitions are cached for all subgraphs of the schema. They have no locations,
 * which would take most of the memory.
 */
function definitionsOf(schema: GraphQLSchema): ReadonlyMap<string, DefinitionNode> {
  const cached = definitionsBySchema.get(schema);
  if (cached) return cached;
  const { definitions: nodes } = parse(printSchema(schema), { noLocation: true });
  const definitions = new Map(nodes.flatMap((node) => ('name' in node && node.name ? [[node.name.value, node] as const] : [])));
  definitionsBySchema.set(schema, definitions);
  return definitions;
}

/** Returns the names of the types that a definition refers to. */
function typesReferencedBy(definition: DefinitionNode): string[] {
  switch (definition.kind) {
    // Excludes the interfaces that a type implements. An interface is added, with all its implementations, only if a field returns
    // it.
    case Kind.OBJECT_TYPE_DEFINITION:
    case Kind.INTERFACE_TYPE_DEFINITION:
      return (definition.fields ?? []).flatMap(({ type, arguments: args = [] }) => [
        typeName(type),
        ...args.map((arg) => typeName(arg.type)),
      ]);
    case Kind.INPUT_OBJECT_TYPE_DEFINITION:
      return (definition.fields ?? []).map(({ type }) => typeName(type));
    case Kind.UNION_TYPE_DEFINITION:
      return (definition.types ?? []).map(({ name }) => name.value);
    default:
      return [];
  }
}

/**
 * Returns the subgraph of one module. The subgraph contains the root fields of the module, its records as entities, its fields on records of
 * other modules, and all types that these use. All other records are stubs that contain only their key. Inputs of other modules have no
 * descriptions.
 */
export function slice(schema: GraphQLSchema, ownership: Ownership, module: string, options: SliceOptions = {}): DocumentNode {
  const definitions = definitionsOf(schema);
  const cacheHints = cacheHintsOf(schema, ownership, module);
  const cacheDirectives = (name: string): ConstDirectiveNode[] => [cacheHints.get(name) ?? []].flat().map(parseDirective);
  const alternateKeyDirectives = (name: string): ConstDirectiveNode[] => {
    const cls = ownership.records.get(name);
    return cls ? alternateKeysOf(cls).map((field) => parseDirective(`@key(fields: "${field.name}")`)) : [];
  };
  const implementers = (name: string) =>
    [...definitions.values()].flatMap((node) =>
      node.kind === Kind.OBJECT_TYPE_DEFINITION && node.interfaces?.some((item) => item.name.value === name)
        ? [node.name.value]
        : [],
    );
  /** Whether every subgraph that has the type can resolve the field. True if its value is derived from the key. */
  const isShareable = (type: string, field: string): boolean => {
    const objectType = schema.getType(type);
    return isObjectType(objectType) && objectType.getFields()[field]?.extensions.shared === true;
  };

  function sliceObject(node: ObjectTypeDefinitionNode): ObjectTypeDefinitionNode | null {
    const name = node.name.value;
    const isRoot = rootTypes.includes(name);
    const isEntity = ownership.records.has(name);
    if (!isRoot && !isEntity)
      return {
        ...node,
        fields: withRouterDirectives(name, node.fields ?? []),
        directives: [shareableDirective, ...cacheDirectives(name)],
      };
    const ownFields = (node.fields ?? []).filter((field) => ownership.ownerOf(name, field.name.value) === module);
    if (isRoot) return ownFields.length ? { ...node, fields: withRouterDirectives(name, ownFields) } : null;
    const id = node.fields?.filter((field) => field.name.value === 'id') ?? [];
    const isOwnedHere = ownership.moduleByRecord.get(name) === module;
    const fields = withRouterDirectives(
      name,
      isOwnedHere ? ownFields : [...id, ...ownFields.filter((field) => field.name.value !== 'id')],
    ).map((field) => (isShareable(name, field.name.value) ? withDirectives(field, shareableDirective) : field));
    return {
      ...node,
      fields,
      directives: [
        isOwnedHere || ownFields.length ? keyDirective : stubDirective,
        ...(isOwnedHere ? alternateKeyDirectives(name) : []),
        ...cacheDirectives(name),
      ],
    };
  }

  /** Adds the directives that routers need for costs and audiences. */
  function withRouterDirectives(name: string, fields: readonly FieldDefinitionNode[]): FieldDefinitionNode[] {
    const type = schema.getType(name);
    if (!isObjectType(type)) return [...fields];
    const schemaFields = type.getFields();
    return fields.map((node) => {
      const field = schemaFields[node.name.value];
      return field
        ? withDirectives(node, ...[...costDirectives(type, field), ...audienceDirectives(field, options)].map(parseDirective))
        : node;
    });
  }

  const includedTypes = new Map<string, DefinitionNode>();
  // A subgraph has all input types of its own records, even if only filters of other modules use them.
  const { ownNames: ownInputs, foreignNames: foreignInputs } = generatedInputs(ownership, module);
  const queue = [...rootTypes, ...ownInputs, ...[...ownership.records.keys()].filter((name) => hasOwnFields(name))];
  function hasOwnFields(name: string): boolean {
    const node = definitions.get(name);
    if (ownership.moduleByRecord.get(name) === module) return true;
    return (
      node?.kind === Kind.OBJECT_TYPE_DEFINITION &&
      (node.fields ?? []).some((field) => ownership.ownerOf(name, field.name.value) === module)
    );
  }
  const foreignInputQueue: string[] = [];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    const node = definitions.get(name);
    if (!node || includedTypes.has(name)) continue;
    if (foreignInputs.has(name)) {
      foreignInputQueue.push(name);
      continue;
    }
    const slicedNode = node.kind === Kind.OBJECT_TYPE_DEFINITION ? sliceObject(node) : node;
    if (!slicedNode) continue;
    includedTypes.set(name, slicedNode);
    queue.push(...typesReferencedBy(slicedNode), ...(node.kind === Kind.INTERFACE_TYPE_DEFINITION ? implementers(name) : []));
  }
  // Adds inputs for records of other modules, and types that only these inputs use.
  for (let name = foreignInputQueue.pop(); name !== undefined; name = foreignInputQueue.pop()) {
    const node = definitions.get(name);
    if (!node || includedTypes.has(name)) continue;
    includedTypes.set(name, withoutDescriptions(node));
    foreignInputQueue.push(...typesReferencedBy(node));
  }
  /** Removes interfaces that the subgraph does not have. Adds shareable fields that the remaining interfaces require. */
  function withImplementedInterfaces(node: DefinitionNode): DefinitionNode {
    if (node.kind !== Kind.OBJECT_TYPE_DEFINITION || !node.interfaces?.length) return node;
    const interfaces = node.interfaces.filter(({ name }) => includedTypes.has(name.value));
    const fullType = definitions.get(node.name.value);
    const shareableFields = (fullType?.kind === Kind.OBJECT_TYPE_DEFINITION ? (fullType.fields ?? []) : []).filter(
      ({ name }) => isShareable(node.name.value, name.value) && !node.fields?.some((field) => field.name.value === name.value),
    );
    const addedFields = interfaces.length ? shareableFields.map((field) => ({ ...field, directives: [shareableDirective] })) : [];
    return { ...node, interfaces, fields: [...(node.fields ?? []), ...addedFields] };
  }
  const sortedTypes = [...includedTypes]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, node]) => withLegacyTag(schema, withImplementedInterfaces(node)));
  return { kind: Kind.DOCUMENT, definitions: [...headerDefinitions(module, options, cacheHints.size > 0), ...sortedTypes] };
}

/** Suffixes of the names of input types and order enums that the kernel generates for a record. */
const suffixes = ['Filter', 'ListFilter', 'Order', 'OrderField', 'Input'];

interface GeneratedInputs {
  /** Names of the input types that belong to records of the module. */
  readonly ownNames: readonly string[];
  /** Names of the input types that belong to records of other modules. */
  readonly foreignNames: ReadonlySet<string>;
}

/**
 * Returns the possible names of the generated inputs of all records, grouped by owner. The names are derived from suffixes, so some of them
 * do not exist in the schema.
 */
function generatedInputs({ moduleByRecord }: Ownership, module: string): GeneratedInputs {
  const namesFor = (isOwn: boolean) =>
    [...moduleByRecord].flatMap(([record, owner]) =>
      (owner === module) === isOwn ? suffixes.map((suffix) => `${record}${suffix}`) : [],
    );
  return { ownNames: namesFor(true), foreignNames: new Set(namesFor(false)) };
}

/** Removes the descriptions from a definition. Composition uses the descriptions in the owning subgraph. */
const withoutDescriptions = (definition: DefinitionNode): DefinitionNode =>
  visit(definition, {
    enter: (node) => ('description' in node && node.description ? { ...node, description: undefined } : undefined),
  });

const legacyTag = parseDirective('@tag(name: "legacy")');
const tagIf = <Node extends { readonly directives?: readonly ConstDirectiveNode[] }>(isTagged: boolean, node: Node): Node =>
  isTagged ? withDirectives(node, legacyTag) : node;

/**
 * Adds `@tag(name: "legacy")` to fields named `legacy`, to their types, and to arguments that accept legacy values. Contracts can hide
 * elements that have this tag.
 */
function withLegacyTag(schema: GraphQLSchema, node: DefinitionNode): DefinitionNode {
  if (node.kind !== Kind.OBJECT_TYPE_DEFINITION && node.kind !== Kind.INPUT_OBJECT_TYPE_DEFINITION) return node;
  const type = schema.getType(node.name.value);
  if (!isObjectType(type) && !isInputObjectType(type)) return node;
  if (isLegacy({ type })) return withDirectives(node, legacyTag);
  const fields = type.getFields();
  const isLegacyField = ({ name }: FieldDefinitionNode | InputValueDefinitionNode): boolean => {
    const field = fields[name.value];
    return field !== undefined && isLegacy(field);
  };
  if (node.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION)
    return { ...node, fields: node.fields?.map((field) => tagIf(isLegacyField(field), field)) };
  const withTaggedArguments = (field: FieldDefinitionNode): FieldDefinitionNode => ({
    ...field,
    arguments: field.arguments?.map((argument) => tagIf(argument.name.value === legacyArgumentName, argument)),
  });
  return { ...node, fields: node.fields?.map((field) => withTaggedArguments(tagIf(isLegacyField(field), field))) };
}

/** Prints a document as SDL, with single-line descriptions in `"…"` instead of block strings. */
export const sdlText = (document: DocumentNode): string =>
  `${print(
    visit(document, {
      StringValue: (node) => (node.block && !/[\n"\\]/.test(node.value) ? { ...node, block: false } : undefined),
    }),
  )}\n`;
