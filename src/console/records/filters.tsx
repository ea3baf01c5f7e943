import type { FieldType, FilterField, RecordType } from 'courtside-console/catalog';
import { useState } from 'preact/hooks';
import { Field } from '../elements/field.tsx';
import { SearchField } from '../elements/search-field.tsx';
import { TimeInput } from '../elements/time-input.tsx';
import { changeSearch, useConsoleLocation } from '../router.ts';
import {
  type Condition,
  conditionsIn,
  describeCondition,
  filterLabelOf,
  operatorsOf,
  optionsOf,
  orderIn,
  orderParameterOf,
  parameterOf,
  searchTextIn,
} from './conditions.ts';
import { RecordInput, RecordName } from './record-input.tsx';
import { Value } from './value.tsx';
import { inSentence, labelOfConstant, labelOfName } from './words.ts';

interface FiltersProps {
  readonly type: RecordType;
  /** Arguments that the list requires. */
  readonly requires: readonly FieldType[];
}

/** Search, filters and order of a list. They are search parameters of the URL, so that a link opens the same list. */
export function Filters({ type, requires }: FiltersProps) {
  const { search } = useConsoleLocation();
  const [isOpen, setOpen] = useState(false);
  const conditions = conditionsIn(type, search);
  const order = orderIn(type, search);
  return (
    <div class="stack">
      <div class="row filters">
        {type.search && (
          <SearchField
            label={type.search === 'search' ? 'Search' : `Search by ${inSentence(labelOfName(type.search))}`}
            value={searchTextIn(search)}
            onSearch={(text) => changeSearch({ search: text || null }, { replaces: true })}
          />
        )}
        {requires.map(({ name, record }) =>
          record ? (
            <RecordInput
              key={name}
              label={labelOfName(name.replace(/Id$/, ''))}
              name={name}
              type={record}
              value={search.get(name) ?? ''}
              onChange={(value) => changeSearch({ [name]: value })}
            />
          ) : null,
        )}
        <Field
          label="Order by"
          name="order"
          type="select"
          value={order?.field ?? ''}
          options={[['', 'Default'], ...type.orders.map((field) => [field, labelOfConstant(field.replace(/^IS_/, ''))] as const)]}
          onChange={(field) =>
            changeSearch({ order: field && orderParameterOf({ field, direction: order?.direction ?? 'ASC' }) })
          }
        />
        {order && (
          <Field
            label="Direction"
            name="direction"
            type="select"
            value={order.direction}
            options={[
              ['ASC', 'Ascending'],
              ['DESC', 'Descending'],
            ]}
            onChange={(direction) =>
              changeSearch({ order: orderParameterOf({ ...order, direction: direction === 'DESC' ? 'DESC' : 'ASC' }) })
            }
          />
        )}
        <button type="button" class="plain" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Add filter
        </button>
      </div>
      {isOpen && <NewCondition type={type} onClose={() => setOpen(false)} />}
      {conditions.length > 0 && (
        <ul class="row chips" aria-label="Filters">
          {conditions.map((condition) => (
            <Chip key={parameterOf(condition.field, condition.operator)} condition={condition} />
          ))}
        </ul>
      )}
    </div>
  );
}

/** Condition of the list, with a button that removes it. */
function Chip({ condition }: { condition: Condition }) {
  const { field, operator, value } = condition;
  return (
    <li class="chip">
      <span>{describeCondition(condition, '')}</span>
      {operator.takesValue && <OperandText field={field} value={value} />}
      <button
        type="button"
        class="plain"
        aria-label={`Remove filter ${describeCondition(condition, value)}`}
        onClick={() => changeSearch({ [parameterOf(field, operator)]: null })}
      >
        ✕
      </button>
    </li>
  );
}

function OperandText({ field, value }: { field: FilterField; value: string }) {
  if (field.record) return <RecordName type={field.record} id={value} />;
  const option = optionsOf(field.type)?.find(([name]) => name === value);
  if (option) return <>{option[1]}</>;
  return <Value field={{ name: field.name, type: field.type }} value={value} currency="" />;
}

/** Form that adds a condition. */
function NewCondition({ type, onClose }: { type: RecordType; onClose(): void }) {
  const fields = type.filters.filter(({ name }) => name !== 'search');
  const [fieldName, setFieldName] = useState(fields[0]?.name ?? '');
  const [operatorName, setOperatorName] = useState('');
  const [value, setValue] = useState('');
  const field = fields.find(({ name }) => name === fieldName);
  if (!field) return null;
  const operators = operatorsOf(field);
  const operator = operators.find(({ name }) => name === operatorName) ?? operators[0];
  const options = optionsOf(field.type);
  const operand = value || (options?.[0]?.[0] ?? '');
  return (
    <form
      class="row filters"
      onSubmit={(event) => {
        event.preventDefault();
        if (!operator || (operator.takesValue && operand === '')) return;
        changeSearch({ [parameterOf(field, operator)]: operator.takesValue ? operand : 'true' });
        onClose();
      }}
    >
      <Field
        label="Field"
        name="field"
        type="select"
        value={fieldName}
        options={fields.map((each) => [each.name, filterLabelOf(each)] as const)}
        onChange={(name) => {
          setFieldName(name);
          setOperatorName('');
          setValue('');
        }}
        autoFocus
      />
      <Field
        label="Condition"
        name="operator"
        type="select"
        value={operator?.name ?? ''}
        options={operators.map(({ name, label }) => [name, label] as const)}
        onChange={setOperatorName}
      />
      {operator?.takesValue && <Operand field={field} value={operand} onChange={setValue} />}
      <button type="submit">Apply filter</button>
    </form>
  );
}

interface OperandProps {
  readonly field: FilterField;
  readonly value: string;
  onChange(value: string): void;
}

function Operand({ field, value, onChange }: OperandProps) {
  const { type, record } = field;
  const input = { label: 'Value', name: 'value', value, onChange };
  const options = optionsOf(type);
  if (options) return <Field {...input} type="select" options={options} />;
  if (record) return <RecordInput {...input} type={record} />;
  if (type === 'Instant' || type === 'LocalDateTime') return <TimeInput {...input} isLocal={type === 'LocalDateTime'} />;
  return <Field {...input} type={type === 'Date' ? 'date' : 'text'} required autoComplete="off" />;
}
