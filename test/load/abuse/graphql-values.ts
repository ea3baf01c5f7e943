import {
  type GraphQLInputType,
  GraphQLNonNull,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
} from 'graphql';
import { password } from './attacked.js';
import type { Draw } from './draw.js';
import { idFor, type Pools } from './pools.js';

const words = ['Austin', 'autsin opn', 'doubles', 'Ana', 'a', 'Österreich', '东京', 'x-1', 'https://example.com/a'];
const day = (draw: Draw): string => new Date(Date.UTC(2026, 6, 1) + (draw.upTo(800) - 400) * 86_400_000).toISOString();

function textFor(draw: Draw, pools: Pools, name: string, parentName: string): string {
  if (/password/i.test(name)) return password;
  if (/email/i.test(name)) return draw.pick(['abuse@example.com', 'player@courtside.test', 'nobody@example.com']);
  if (/url|link/i.test(name)) return 'https://example.com/a';
  if (/token|code/i.test(name)) return draw.pick(['x', '123456']);
  return draw.chance(0.1) ? idFor(draw, pools, name, parentName) : draw.pick(words);
}

function scalar(draw: Draw, pools: Pools, type: string, name: string, parentName: string): unknown {
  switch (type) {
    case 'ID':
      return idFor(draw, pools, /^(?:id|ids|eq|ne|in|notIn)$/.test(name) ? parentName : name, parentName);
    case 'Int':
      return /^(?:first|last)$/.test(name) ? 1 + draw.upTo(2) : draw.upTo(20);
    case 'Float':
      return /distance/.test(name) ? 50 : draw.upTo(80) + 0.5;
    case 'Boolean':
      return draw.chance(0.5);
    case 'Instant':
      return day(draw);
    case 'Date':
      return day(draw).slice(0, 10);
    case 'LocalDateTime':
      return day(draw).slice(0, 19);
    case 'Money':
      return draw.pick(['0', '12.5', '99999999.99']);
    default:
      return textFor(draw, pools, name, parentName);
  }
}

/**
 * Returns a valid value for an argument or field with the given name. `parentName` is the name of its parent. Enum values are returned by
 * name.
 */
export function valueFor(draw: Draw, pools: Pools, type: GraphQLInputType, name: string, parentName: string, depth = 0): unknown {
  if (!isNonNullType(type) && draw.chance(0.03)) return null;
  const bare = getNullableType(type);
  if (isListType(bare)) {
    return Array.from({ length: draw.upTo(depth > 2 ? 1 : 3) }, () =>
      valueFor(draw, pools, bare.ofType, name, parentName, depth + 1),
    );
  }
  if (isEnumType(bare)) return draw.pick(bare.getValues()).name;
  if (!isInputObjectType(bare)) return scalar(draw, pools, bare.name, name, parentName);
  const fields = Object.values(bare.getFields());
  const needed = fields.filter(isRequiredInputField);
  const optionalFields = fields.filter((field) => !isRequiredInputField(field));
  const count = bare.isOneOf ? 1 : depth > 3 ? 0 : draw.upTo(depth > 0 ? 2 : 4);
  const chosen = new Set([
    ...needed,
    ...Array.from({ length: optionalFields.length ? count : 0 }, () => draw.pick(optionalFields)),
  ]);
  const owner = /^(?:and|or|not|some|none|filter|input)$/.test(name) ? parentName : `${parentName} ${name}`;
  // The value of a one-of input must not be null.
  const typeOf = (field: { type: GraphQLInputType }) =>
    bare.isOneOf ? new GraphQLNonNull(getNullableType(field.type)) : field.type;
  return Object.fromEntries(
    [...chosen].map((field) => [field.name, valueFor(draw, pools, typeOf(field), field.name, owner, depth + 1)]),
  );
}

/** Returns a value as a GraphQL literal. */
export function literal(value: unknown, type: GraphQLInputType): string {
  if (value === null || value === undefined) return 'null';
  const bare = getNullableType(type);
  if (isListType(bare)) return `[${(value as unknown[]).map((item) => literal(item, bare.ofType)).join(', ')}]`;
  if (isEnumType(bare)) return String(value);
  if (!isInputObjectType(bare)) return JSON.stringify(value);
  const fields = bare.getFields();
  const entries = Object.entries(value as Record<string, unknown>);
  return `{${entries.map(([name, item]) => `${name}: ${literal(item, fields[name]?.type ?? bare)}`).join(', ')}}`;
}
