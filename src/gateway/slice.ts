import {
  type ConstDirectiveNode,
  type DefinitionNode,
  type DocumentNode,
  type FieldDefinitionNode,
  type GraphQLSchema,
  isObjectType,
  Kind,
  type ObjectTypeDefinitionNode,
  parse,
  printSchema,
  type TypeNode,
} from 'graphql';
import { audienceDirectives } from './audiences.js';
import { cacheDefinition, cacheHintsOf } from './cache-hints.js';
import { generatedInputs, withoutDescriptions } from './generated-inputs.js';
import { withLegacyTag } from './legacy-tag.js';
import type { Ownership } from './ownership.js';
import { secondKeysOf } from './second-keys.js';
import { costDirectives } from './weights.js';

const imported = ['@key', '@shareable', '@tag', '@inaccessible', '@cost', '@listSize'];

/** What stands above the types of a subgraph: what it takes of the federation specification, and whose it is. */
function header(module: string, { policies }: SliceOptions, isCached: boolean): readonly DefinitionNode[] {
  const names = JSON.stringify([...imported, ...(policies ? ['@policy'] : [])]);
  const text = `extend schema
    @link(url: "https://specs.apollo.dev/federation/v2.9", import: ${names})
    @contact(name: "Courtside", description: "The module ${module}.")
  directive @contact(name: String!, url: String, description: String) on SCHEMA
  ${isCached ? cacheDefinition : ''}`;
  return parse(text, { noLocation: true }).definitions;
}

export interface SliceOptions {
  /** Tells routers in `@policy` whom each field lets in: they refuse it to everybody until a coprocessor has decided. */
  policies?: boolean;
}

const directive = (text: string): ConstDirectiveNode => {
  const [type] = parse(`type X ${text} { x: Int }`, { noLocation: true }).definitions;
  const node = type?.kind === Kind.OBJECT_TYPE_DEFINITION ? type.directives?.[0] : undefined;
  if (!node) throw new Error(`no directive: ${text}`);
  return node;
};

const roots = ['Query', 'Mutation', 'Subscription'];
const key = directive('@key(fields: "id")');
const stub = directive('@key(fields: "id", resolvable: false)');
const shareable = directive('@shareable');
const typeName = (type: TypeNode): string => (type.kind === Kind.NAMED_TYPE ? type.name.value : typeName(type.type));

const written = new WeakMap<GraphQLSchema, ReadonlyMap<string, DefinitionNode>>();

/** The definitions of a schema as it is printed, by their names; without their places there, which take more room than all the rest. */
function definitionsOf(schema: GraphQLSchema): ReadonlyMap<string, DefinitionNode> {
  const known = written.get(schema);
  if (known) return known;
  const { definitions } = parse(printSchema(schema), { noLocation: true });
  const made = new Map(definitions.flatMap((node) => ('name' in node && node.name ? [[node.name.value, node] as const] : [])));
  written.set(schema, made);
  return made;
}

/** Names of the types that a definition mentions. */
function mentioned(definition: DefinitionNode): string[] {
  switch (definition.kind) {
    // An interface is there where a field gives it, not wherever a type has its fields: it brings all types that have them.
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
 * The part of the graph that one module serves, as a federation subgraph: its root fields, its records as entities, the fields that it
 * contributes to records of other modules, and all types that these refer to. Records of other modules are stubs with their key. Inputs of other
 * modules have no descriptions.
 */
export function slice(schema: GraphQLSchema, ownership: Ownership, module: string, options: SliceOptions = {}): DocumentNode {
  const definitions = definitionsOf(schema);
  const hints = cacheHintsOf(schema, ownership, module);
  const cached = (name: string): ConstDirectiveNode[] => [hints.get(name) ?? []].flat().map(directive);
  const secondKeys = (name: string): ConstDirectiveNode[] => {
    const cls = ownership.records.get(name);
    return cls ? secondKeysOf(cls).map((field) => directive(`@key(fields: "${field.name}")`)) : [];
  };
  const implementers = (name: string) =>
    [...definitions.values()].flatMap((node) =>
      node.kind === Kind.OBJECT_TYPE_DEFINITION && node.interfaces?.some((item) => item.name.value === name)
        ? [node.name.value]
        : [],
    );
  /** Whether every subgraph that has the type can tell the field: it follows from the key. */
  const isShared = (type: string, field: string): boolean => {
    const found = schema.getType(type);
    return isObjectType(found) && found.getFields()[field]?.extensions.shared === true;
  };

  function cut(node: ObjectTypeDefinitionNode): ObjectTypeDefinitionNode | null {
    const name = node.name.value;
    const isRoot = roots.includes(name);
    const isEntity = ownership.records.has(name);
    if (!isRoot && !isEntity)
      return { ...node, fields: withTold(name, node.fields ?? []), directives: [shareable, ...cached(name)] };
    const own = (node.fields ?? []).filter((field) => ownership.ownerOf(name, field.name.value) === module);
    if (isRoot) return own.length ? { ...node, fields: withTold(name, own) } : null;
    const id = node.fields?.filter((field) => field.name.value === 'id') ?? [];
    const atHome = ownership.home.get(name) === module;
    const fields = withTold(name, atHome ? own : [...id, ...own.filter((field) => field.name.value !== 'id')]).map((field) =>
      isShared(name, field.name.value) ? { ...field, directives: [...(field.directives ?? []), shareable] } : field,
    );
    return {
      ...node,
      fields,
      directives: [atHome || own.length ? key : stub, ...(atHome ? secondKeys(name) : []), ...cached(name)],
    };
  }

  /** With what routers have to know of them. */
  function withTold(name: string, fields: readonly FieldDefinitionNode[]): FieldDefinitionNode[] {
    const type = schema.getType(name);
    if (!isObjectType(type)) return [...fields];
    const known = type.getFields();
    return fields.map((node) => {
      const field = known[node.name.value];
      const told = field ? [...costDirectives(type, field), ...audienceDirectives(field, options)].map(directive) : [];
      return { ...node, directives: [...(node.directives ?? []), ...told] };
    });
  }

  const kept = new Map<string, DefinitionNode>();
  // A subgraph has all inputs of its own records, even if only filters of other modules use them.
  const { own: ownInputs, foreign } = generatedInputs(ownership, module);
  const queue = [...roots, ...ownInputs, ...[...ownership.records.keys()].filter((name) => contributes(name))];
  function contributes(name: string): boolean {
    const node = definitions.get(name);
    if (ownership.home.get(name) === module) return true;
    return (
      node?.kind === Kind.OBJECT_TYPE_DEFINITION &&
      (node.fields ?? []).some((field) => ownership.ownerOf(name, field.name.value) === module)
    );
  }
  const mentionedForeign: string[] = [];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    const node = definitions.get(name);
    if (!node || kept.has(name)) continue;
    if (foreign.has(name)) {
      mentionedForeign.push(name);
      continue;
    }
    const part = node.kind === Kind.OBJECT_TYPE_DEFINITION ? cut(node) : node;
    if (!part) continue;
    kept.set(name, part);
    queue.push(...mentioned(part), ...(node.kind === Kind.INTERFACE_TYPE_DEFINITION ? implementers(name) : []));
  }
  // Inputs of records of other modules, and types that only these inputs refer to.
  for (let name = mentionedForeign.pop(); name !== undefined; name = mentionedForeign.pop()) {
    const node = definitions.get(name);
    if (!node || kept.has(name)) continue;
    kept.set(name, withoutDescriptions(node));
    mentionedForeign.push(...mentioned(node));
  }
  /** A type with those of its interfaces that are there; what a stub needs for them follows from its key. */
  function asImplemented(node: DefinitionNode): DefinitionNode {
    if (node.kind !== Kind.OBJECT_TYPE_DEFINITION || !node.interfaces?.length) return node;
    const interfaces = node.interfaces.filter(({ name }) => kept.has(name.value));
    const whole = definitions.get(node.name.value);
    const shared = (whole?.kind === Kind.OBJECT_TYPE_DEFINITION ? (whole.fields ?? []) : []).filter(
      ({ name }) => isShared(node.name.value, name.value) && !node.fields?.some((field) => field.name.value === name.value),
    );
    const missing = interfaces.length ? shared.map((field) => ({ ...field, directives: [shareable] })) : [];
    return { ...node, interfaces, fields: [...(node.fields ?? []), ...missing] };
  }
  const ordered = [...kept].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, node]) => withLegacyTag(schema, asImplemented(node)));
  return { kind: Kind.DOCUMENT, definitions: [...header(module, options, hints.size > 0), ...ordered] };
}
