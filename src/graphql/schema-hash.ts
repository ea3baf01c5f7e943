import { hash } from 'node:crypto';
import { type GraphQLSchema, isEnumType, isInputObjectType, isInterfaceType, isObjectType, isUnionType } from 'graphql';

/** Returns a short hash of the types, fields, arguments and values of a schema. Descriptions do not affect it. */
export function schemaHashOf(schema: GraphQLSchema): string {
  const lines: string[] = [];
  for (const [, type] of Object.entries(schema.getTypeMap()).sort(([one], [other]) => (one < other ? -1 : 1))) {
    lines.push(type.name);
    if (isUnionType(type)) lines.push(type.getTypes().join(' '));
    if (isEnumType(type)) lines.push(...type.getValues().map(({ name }) => name));
    if (isInputObjectType(type)) for (const field of Object.values(type.getFields())) lines.push(`${field.name}: ${field.type}`);
    if (isObjectType(type) || isInterfaceType(type))
      for (const { name, args, type: fieldType } of Object.values(type.getFields()))
        lines.push(`${name}(${args.map((argument) => `${argument.name}: ${argument.type}`)}): ${fieldType}`);
  }
  return hash('sha256', lines.join('\n'), 'hex').slice(0, 12);
}
