import { registerEnumType } from 'type-graphql';

/** Declares a GraphQL enumeration. `values` maps each value to its description. */
export function enumeration<const Value extends string>(
  name: string,
  description: string,
  values: Readonly<Record<Value, string>>,
): { readonly [V in Value]: V } {
  const entries = Object.entries<string>(values);
  const enumObject = Object.fromEntries(entries.map(([value]) => [value, value])) as { [V in Value]: V };
  const valuesConfig = Object.fromEntries(entries.map(([value, meaning]) => [value, { description: meaning }]));
  registerEnumType(enumObject, { name, description, valuesConfig: valuesConfig as Record<Value, { description: string }> });
  return enumObject;
}
