import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Field, ID, Info, Mutation, ObjectType, Resolver } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import { GeneratedType } from '../../../kernel/declare/fields/generated.js';
import type { Values } from '../../../kernel/declare/fields/options.js';
import { addInputRules } from '../../../kernel/declare/input-rules.js';
import { metaOf } from '../../../kernel/declare/meta.js';
import { allowWriters } from '../../../kernel/declare/policy/writes.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { allColumns, selectedColumns } from '../../../kernel/read/select.js';
import { inputFieldsOf, inputOf } from '../../../kernel/write/input.js';
import { valuesOf } from '../../../kernel/write/input-values.js';
import { PublishableKey } from './publishable-key.js';
import { createKey, revokeKey, updateKey } from './save-key.js';

@ObjectType({ description: 'New publishable key. Its text is returned only once.' })
export class NewPublishableKey {
  @Field(() => PublishableKey, { description: 'The new key, without its text.' })
  publishableKey!: RowOf<PublishableKey>;

  @Field(() => String, {
    description: 'Text of the key, with the prefix `pk_`. Send it in the header `PB-API-TOKEN` or `Authorization: Bearer`.',
  })
  key!: string;
}

/** Fields of a key that can be changed after its creation. */
const PublishableKeyUpdateInput = new GeneratedType('PublishableKeyUpdateInput', {
  kind: 'input',
  description: 'Fields to set on a publishable key. Omitted fields keep their values. Null clears a field.',
  fields: () => {
    const { id: _id, platformId: _platformId, ...fields } = inputFieldsOf(PublishableKey);
    return fields;
  },
});
addInputRules(PublishableKeyUpdateInput.name, (values: Values, path) => void valuesOf(metaOf(PublishableKey), values, path));

@Resolver()
export class PublishableKeyResolver {
  @Mutation(() => NewPublishableKey, {
    description:
      'Creates a publishable key. Existing keys stay active. Platforms create keys for themselves. Super admins specify `platformId`.',
  })
  @allowWriters(PublishableKey)
  async createPublishableKey(
    @Arg('input', () => inputOf(PublishableKey), { description: 'Fields to set on the key.' }) input: Values,
    @Ctx() context: Context,
  ): Promise<NewPublishableKey> {
    const { row, key } = await createKey(context, input, allColumns(PublishableKey));
    return { publishableKey: row, key };
  }

  @Mutation(() => PublishableKey, {
    description:
      'Updates a publishable key. Omitted fields keep their values. New origins apply within 0.5 s. CONFLICT: the key is revoked. NOT_FOUND: unknown ID, or a key of another platform.',
  })
  @allowWriters(PublishableKey)
  updatePublishableKey(
    @Arg('id', () => ID, { description: 'ID of the key.' }) id: string,
    @Arg('input', () => PublishableKeyUpdateInput, { description: 'Fields to set on the key.' }) input: Values,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<PublishableKey>> {
    return updateKey(context, id, input, selectedColumns(PublishableKey, info));
  }

  @Mutation(() => PublishableKey, {
    description: 'Revokes a publishable key permanently. Idempotent. NOT_FOUND: unknown ID, or a key of another platform.',
  })
  @allowWriters(PublishableKey)
  revokePublishableKey(
    @Arg('id', () => ID, { description: 'ID of the key.' }) id: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<PublishableKey>> {
    return revokeKey(context, id, selectedColumns(PublishableKey, info));
  }
}
