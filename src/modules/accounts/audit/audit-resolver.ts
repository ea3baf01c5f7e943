import { FieldResolver, Resolver, Root } from 'type-graphql';
import { pathOf } from '../../../kernel/declare/fields/legacy-fields.js';
import { columnsOf, findRecord, metaOf } from '../../../kernel/declare/meta.js';
import { readsColumns } from '../../../kernel/declare/record.js';
import { AuditEntry } from './audit-entry.js';

@Resolver(() => AuditEntry)
export class AuditFields {
  @FieldResolver(() => [String], {
    description:
      'Names of the changed fields, such as `email` or `approval.state`. Includes columns that the graph does not show.',
  })
  @readsColumns('recordType', 'columns')
  fields(@Root() { recordType, columns }: Pick<AuditEntry, 'recordType' | 'columns'>): string[] {
    const cls = findRecord(recordType);
    const paths = new Map(
      cls ? [...columnsOf(metaOf(cls)).values()].map((column) => [column.column, pathOf(column)] as const) : [],
    );
    return columns.map((column) => paths.get(column) ?? column);
  }
}
