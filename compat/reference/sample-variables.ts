import {
  type GraphQLInputType,
  type GraphQLSchema,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  type OperationDefinitionNode,
  typeFromAST,
} from 'graphql';

/** What stands for a value of a scalar until somebody puts their own. */
const scalars: Readonly<Record<string, unknown>> = {
  Boolean: true,
  Int: 1,
  Float: 1,
  Money: '1',
  Instant: '2026-01-01T00:00:00Z',
  Date: '2026-01-01',
  LocalDateTime: '2026-01-01T09:30:00',
};

function sample(type: GraphQLInputType): unknown {
  const bare = getNullableType(type);
  if (isListType(bare)) return [sample(bare.ofType)];
  if (isEnumType(bare)) return bare.getValues()[0]?.name;
  if (!isInputObjectType(bare)) return scalars[bare.name] ?? '';
  const fields = Object.values(bare.getFields()).filter(isRequiredInputField);
  return Object.fromEntries(fields.map((field) => [field.name, sample(field.type)]));
}

/** Variables with which an operation can be sent: what it demands, and the size of a page. */
export const sampleVariables = (schema: GraphQLSchema, operation: OperationDefinitionNode): Record<string, unknown> =>
  Object.fromEntries(
    (operation.variableDefinitions ?? []).flatMap(({ variable, type, defaultValue }): [string, unknown][] => {
      const found = typeFromAST(schema, type as Parameters<typeof typeFromAST>[1]) as GraphQLInputType | undefined;
      if (variable.name.value === 'first') return [['first', 20]];
      return found && isNonNullType(found) && !defaultValue ? [[variable.name.value, sample(found)]] : [];
    }),
  );
