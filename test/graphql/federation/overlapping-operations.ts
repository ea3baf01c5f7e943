import {
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isLeafType,
  isRequiredArgument,
  isUnionType,
} from 'graphql';
import type { Draw } from '../../load/abuse/draw.js';

/** Root fields with their arguments. Their lists have a fixed order. */
const roots = [
  'tournaments(first: 3, orderBy: [{ field: ID }])',
  'clubs(first: 2, orderBy: [{ field: ID }])',
  'leagues(first: 2, orderBy: [{ field: ID }])',
  'teams(first: 3, orderBy: [{ field: ID }])',
  'games(first: 2, orderBy: [{ field: ID }])',
  'registrations(first: 2, orderBy: [{ field: ID }])',
  'currencies(first: 4)',
  'pendingApprovals(first: 3)',
  'viewer',
] as const;

/** Limits of generated operations. They are lower than the limits of the service. */
const maxDepth = 4;
const maxFields = 24;
const directives = [
  '@include(if: $yes)',
  '@skip(if: $no)',
  '@include(if: true)',
  '@skip(if: true)',
  '@include(if: $no)',
  '@skip(if: false) @include(if: $yes)',
];

/** Whether the value of a field depends on the address of the service, or differs between two requests. */
const isVolatile = ({ name }: { name: string }): boolean => /cursor|url$/i.test(name);

/** Returns the text of a field. It is the same in all selections, so that they can be merged. */
const fieldText = ({ name, args }: GraphQLField<unknown, unknown>): string =>
  args.some((argument) => argument.name === 'first') ? `${name}(first: 2)` : name;

/**
 * Returns a valid operation that selects the same fields repeatedly: next to each other, in inline and named fragments, under aliases, and
 * with `@include` and `@skip`. Its variables are `yes` and `no`.
 */
export function overlappingOperation(schema: GraphQLSchema, draw: Draw): string {
  const fragments: string[] = [];
  let fieldCount = 0;

  /** Wraps selections in a fragment or adds a directive to them, or leaves them unchanged. */
  function wrapSelections(type: GraphQLCompositeType, selections: string): string {
    const directive = draw.chance(0.2) ? draw.pick(directives) : '';
    switch (draw.upTo(4)) {
      case 1:
        return `... ${directive} { ${selections} }`;
      case 2:
        return `... on ${type.name} ${directive} { ${selections} }`;
      case 3: {
        const name = `F${fragments.length}`;
        fragments.push(`fragment ${name} on ${type.name} { ${selections} }`);
        return `...${name} ${directive}`;
      }
      default:
        return selections;
    }
  }

  function field(type: GraphQLCompositeType, definition: GraphQLField<unknown, unknown>, depth: number): string {
    fieldCount += 1;
    const target = getNamedType(definition.type);
    const alias = draw.chance(0.2) ? `${type.name}_${definition.name}: ` : '';
    const directive = draw.chance(0.1) ? draw.pick(directives) : '';
    const nested = isCompositeType(target) ? ` { ${selectionsOf(target, depth + 1)} }` : '';
    return `${alias}${fieldText(definition)} ${directive}${nested}`;
  }

  function fieldsOf(type: GraphQLCompositeType, depth: number): GraphQLField<unknown, unknown>[] {
    const fields = isUnionType(type) ? [] : Object.values(type.getFields());
    return fields.filter(
      (definition) =>
        !definition.args.some(isRequiredArgument) &&
        !isVolatile(definition) &&
        (depth < maxDepth || isLeafType(getNamedType(definition.type))),
    );
  }

  function selectionsOf(type: GraphQLCompositeType, depth: number): string {
    const fields = fieldsOf(type, depth);
    const lists = fields.filter(({ name }) => name === 'nodes');
    const parts = ['__typename'];
    for (let count = 1 + draw.upTo(2); count > 0 && fields.length > 0 && fieldCount < maxFields; count--) {
      const definition = draw.pick(draw.chance(0.6) && lists.length > 0 ? lists : fields);
      // Each field is selected one to three times, with different selections.
      const repetitions = 1 + draw.upTo(2);
      for (let repetition = 0; repetition < repetitions && fieldCount < maxFields; repetition++)
        parts.push(wrapSelections(type, field(type, definition, depth)));
    }
    for (const possible of isUnionType(type) ? type.getTypes() : [])
      if (draw.chance(0.5)) parts.push(`... on ${possible.name} { ${selectionsOf(possible, depth + 1)} }`);
    return parts.join(' ');
  }

  const query = schema.getQueryType();
  const root = draw.pick(roots);
  const target = getNamedType(query?.getFields()[root.replace(/\(.*/, '')]?.type);
  if (!query || !isCompositeType(target)) throw new Error(`${root} has no selection`);
  const rootSelection = () => wrapSelections(query, `${root} { ${selectionsOf(target, 1)} }`);
  const selections = `${rootSelection()} ${rootSelection()}`;
  // GraphQL validation requires each operation to use both variables.
  const uses = 'yes: __typename @include(if: $yes) no: __typename @include(if: $no)';
  return [`query ($yes: Boolean!, $no: Boolean!) { ${uses} ${selections} }`, ...fragments].join('\n');
}
