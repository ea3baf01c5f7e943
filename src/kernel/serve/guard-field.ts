import { defaultFieldResolver, type GraphQLFieldConfig, getNullableType } from 'graphql';
import type { Context } from '../declare/context.js';
import { guard, permittedCallers, policiesOf } from '../declare/policy/policy.js';

type Field = GraphQLFieldConfig<unknown, Context>;

const roots: ReadonlySet<string> = new Set(['Query', 'Mutation', 'Subscription']);

export const isRootType = (type: string): boolean => roots.has(type);

/**
 * Returns a field that checks its policies before its resolver runs. The description of the field names the permitted callers. Throws if a
 * root field has no policies. A field with policies is nullable, because a refusal must not affect other fields.
 */
export function guardField(type: string, name: string, field: Field): Field {
  const policies = policiesOf(field.extensions);
  if (!policies && isRootType(type)) throw new Error(`${type}.${name} has no policy: add @allow(…)`);
  if (!policies) return field;
  const guardedField = {
    ...field,
    type: getNullableType(field.type),
    description: `${field.description} For: ${permittedCallers(policies)}`,
  };
  // A subscription checks its policies when it starts and for each event. Its resolver runs once for all subscribers, so it must not check
  // policies.
  if (type === 'Subscription') return guardedField;
  const { resolve = defaultFieldResolver } = field;
  const isMutation = type === 'Mutation';
  return {
    ...guardedField,
    resolve(source, args, context, info) {
      guard(policies, context.caller, args);
      if (isMutation) context.sql.usePrimary();
      return resolve(source, args, context, info);
    },
  };
}
