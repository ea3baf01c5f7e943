import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isRequiredArgument,
} from 'graphql';
import type { Draw } from './draw.js';
import { literal, valueFor } from './graphql-values.js';
import type { Pools } from './pools.js';

type Field = GraphQLField<unknown, unknown>;

/** A valid operation. Scenarios can corrupt its query and variables. */
export interface Operation {
  readonly kind: 'query' | 'mutation' | 'subscription';
  query: string;
  variables: Record<string, unknown>;
}

const maxDepth = 5;
/** Maximum number of fields of an operation, so that it stays within the limits. */
const maxFields = 60;

/** Creates a valid operation: a root field, sometimes with further root fields, arguments as literals or variables, and selections. */
export function operationFor(draw: Draw, schema: GraphQLSchema, pools: Pools, kind: Operation['kind'], root: Field): Operation {
  const heads: string[] = [];
  const variables: Record<string, unknown> = {};
  const fragments: string[] = [];
  let names = 0;
  let fields = 0;

  function argument({ name, type }: GraphQLArgument, parentName: string): string {
    const value = valueFor(draw, pools, type, name, parentName);
    if (draw.chance(0.5)) return `${name}: ${literal(value, type)}`;
    const variable = `v${names++}`;
    heads.push(`$${variable}: ${type}`);
    variables[variable] = value;
    return `${name}: $${variable}`;
  }

  function directive(): string {
    if (!draw.chance(0.05)) return '';
    const variable = `v${names++}`;
    const isOn = draw.chance(0.5);
    const name = draw.pick(['include', 'skip']);
    if (draw.chance(0.5)) return ` @${name}(if: ${isOn})`;
    heads.push(`$${variable}: Boolean! = ${isOn}`);
    return ` @${name}(if: $${variable})`;
  }

  function call(field: Field, parentName: string, depth: number, alias: boolean): string {
    fields += 1;
    const type = getNamedType(field.type);
    const hint = /^(?:Query|Mutation|Subscription)$/.test(parentName)
      ? `${field.name} ${type.name}`
      : `${parentName} ${field.name}`;
    const paged = (name: string) => name === 'first' && !field.args.some((one) => one.name === 'last' && isRequiredArgument(one));
    const sentArguments = field.args.filter(
      (one) => isRequiredArgument(one) || (paged(one.name) ? draw.chance(0.95) : one.name !== 'last' && draw.chance(0.25)),
    );
    const args = sentArguments.map((one) => argument(one, hint)).join(', ');
    const label = alias || draw.chance(0.05) ? `a${names++}: ` : '';
    return `${label}${field.name}${args && `(${args})`}${directive()}${selection(field.type, depth)}`;
  }

  function fieldsOn(
    type: Extract<ReturnType<typeof getNamedType>, { getFields(): unknown }>,
    depth: number,
    alias: boolean,
  ): string[] {
    const all = Object.values(type.getFields() as Record<string, Field>);
    const leaves = all.filter((field) => !isCompositeType(getNamedType(field.type)));
    const deeper = all.filter((field) => isCompositeType(getNamedType(field.type)));
    const canGo = depth < maxDepth && fields < maxFields;
    const chosen = new Set<Field>();
    for (let remaining = draw.upTo(3); remaining > 0 && leaves.length; remaining--) chosen.add(draw.pick(leaves));
    for (let remaining = canGo ? draw.upTo(2) + (leaves.length ? 0 : 1) : 0; remaining > 0 && deeper.length; remaining--)
      chosen.add(draw.pick(deeper));
    const selections = [...chosen].map((field) => call(field, type.name, depth, alias));
    return selections.length && !draw.chance(0.1) ? selections : [...selections, '__typename'];
  }

  /** Returns an inline or named fragment. Its response names are unique, so that it merges with all other selections. */
  function fragment(type: string, body: string): string {
    if (draw.chance(0.5)) return `... on ${type}${directive()} ${body}`;
    const name = `F${names++}`;
    fragments.push(`fragment ${name} on ${type} ${body}`);
    return `...${name}${directive()}`;
  }

  function selection(output: GraphQLOutputType, depth: number): string {
    const type = getNamedType(output);
    if (!isCompositeType(type)) return '';
    const parts = isAbstractType(type) ? ['__typename'] : [];
    if ('getFields' in type) parts.push(...fieldsOn(type, depth + 1, false));
    const inside = isAbstractType(type) ? schema.getPossibleTypes(type) : 'getFields' in type && draw.chance(0.1) ? [type] : [];
    for (let remaining = inside.length && fields < maxFields ? 1 + draw.upTo(1) : 0; remaining > 0; remaining--) {
      const fragmentType = draw.pick(inside);
      parts.push(fragment(fragmentType.name, `{ ${fieldsOn(fragmentType, depth + 1, true).join(' ')} }`));
    }
    return ` { ${parts.join(' ')} }`;
  }

  const [type, siblings] =
    kind === 'query'
      ? (['Query', Object.values(schema.getQueryType()?.getFields() ?? {})] as const)
      : ([kind === 'mutation' ? 'Mutation' : 'Subscription', [root]] as const);
  // A subscription has exactly one root field.
  const roots = [
    root,
    ...Array.from({ length: kind !== 'subscription' && draw.chance(0.2) ? 1 + draw.upTo(1) : 0 }, () => draw.pick(siblings)),
  ];
  const selected = roots.map((field, index) => call(field, type, 0, index > 0));
  const head = heads.length ? `(${heads.join(', ')})` : '';
  return { kind, query: [`${kind} Abuse${head} { ${selected.join(' ')} }`, ...fragments].join('\n'), variables };
}
