import type { RecordType } from 'courtside-console/catalog';
import { type List, withLabels } from '../data/index.ts';
import { Table } from '../elements/table.tsx';
import { changeSearch, useConsoleLocation } from '../router.ts';
import { conditionsIn, labelsOf, orderIn, orderOfPath, orderParameterOf } from './conditions.ts';
import { textOf, type Values, valueAt } from './record.ts';
import { columnFieldsOf } from './selection.ts';
import { RecordLink, Value } from './value.tsx';
import { labelOfName } from './words.ts';

const numberTypes = new Set(['Int', 'Float', 'Money']);

interface RecordTableProps {
  readonly name: string;
  readonly type: RecordType;
  readonly caption: string;
  readonly list: List<Values>;
  readonly emptyText: string;
}

/** Table of records, with the columns of their type. */
export function RecordTable({ name, type, caption, list, emptyText }: RecordTableProps) {
  const { search } = useConsoleLocation();
  const order = orderIn(type, search);
  const [firstLabel = ''] = type.label;
  const orderBy = (path: string) => {
    const field = orderOfPath(type, path);
    return field ? { orderBy: field } : {};
  };
  return (
    <Table
      caption={caption}
      columns={[
        {
          title: type.label.length === 1 ? labelOfName(firstLabel) : 'Name',
          cell: (row) => <RecordLink type={name} record={row} />,
          ...orderBy(firstLabel),
        },
        ...columnFieldsOf(type).map(({ path, field }) => ({
          title: labelOfName(path.replace(/^location\./, '')),
          cell: (row: Values) => (
            <Value field={field} value={valueAt(row, path)} currency={textOf(valueAt(row, type.currency ?? ''))} />
          ),
          isNumber: numberTypes.has(field.type),
          ...orderBy(path),
        })),
      ]}
      list={{ ...list, failure: withLabels(list.failure, labelsOf(conditionsIn(type, search))) }}
      keyOf={(row) => textOf(row.id)}
      emptyText={emptyText}
      {...(order && { order })}
      onOrder={(next) => changeSearch({ order: orderParameterOf(next) })}
    />
  );
}
