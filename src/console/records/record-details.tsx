import type { FieldType, RecordType } from 'courtside-console/catalog';
import type { Json } from 'courtside-sdk';
import { useSession } from '../data/index.ts';
import { Facts } from '../elements/facts.tsx';
import { fieldsOfValue, isPermitted, isRelation } from './catalog.ts';
import { isList, isValues, textOf, type Values, valueAt } from './record.ts';
import { Value } from './value.tsx';
import { labelOfName } from './words.ts';

/** Fields that contain an author's name, each with its relation to the author's user record. The name is shown only if the user is unknown. */
const authorNames: Readonly<Record<string, string>> = { createdBy: 'creator', updatedBy: 'updater' };

/** Maximum length of texts in the grid. Longer texts have their own sections. */
const longText = 100;

const isEmpty = (value: Json | undefined): boolean =>
  value === null || value === undefined || value === '' || (isList(value) && value.length === 0);

const isNested = ({ type }: FieldType): boolean => fieldsOfValue(type) !== undefined;

/** Whether the value is shown in the grid of facts. Long texts and values with fields have their own sections. */
const isFact = (field: FieldType, value: Json): boolean =>
  !isNested(field) && !(typeof value === 'string' && value.length > longText && !field.isPicture && !/^https?:/.test(value));

/** All fields of a record that have a value, and the names of the empty fields. */
export function RecordDetails({ type, record }: { type: RecordType; record: Values }) {
  const { viewer } = useSession();
  const currency = textOf(valueAt(record, type.currency ?? ''));
  const fields = type.fields.filter(
    ({ name, isConnection, relation, roles }) =>
      !isConnection &&
      !isValues(record[authorNames[name] ?? '']) &&
      isPermitted(viewer, roles) &&
      // An ID is shown only if the record that it identifies is not shown.
      !(relation && isValues(record[relation])),
  );
  const filled = fields.filter(({ name }) => !isEmpty(record[name]));
  const empty = fields.filter(
    (field) => isEmpty(record[field.name]) && !(isRelation(field) && !isEmpty(record[`${field.name}Id`])),
  );
  const facts = filled.filter((field) => isFact(field, record[field.name] ?? null));
  const sections = filled.filter((field) => !isFact(field, record[field.name] ?? null));
  return (
    <section>
      <h2>Details</h2>
      <Facts
        facts={facts.map((field) => [
          labelOfName(field.name),
          <Value key={field.name} {...{ field, currency }} value={record[field.name] ?? null} />,
        ])}
      />
      {sections.map((field) => (
        <Section key={field.name} {...{ field, currency }} value={record[field.name] ?? null} />
      ))}
      {empty.length > 0 && (
        <details>
          <summary>Fields without a value ({empty.length})</summary>
          <p class="quiet small">{empty.map(({ name }) => labelOfName(name)).join(', ')}</p>
        </details>
      )}
    </section>
  );
}

interface SectionProps {
  readonly field: FieldType;
  readonly value: Json;
  readonly currency: string;
}

/** A long text, a value with its own fields, or a list of such values. */
function Section({ field, value, currency }: SectionProps) {
  const parts = fieldsOfValue(field.type);
  const items = (isList(value) ? value : [value]).filter(isValues);
  const shown = items.map((item) =>
    (parts ?? []).filter((part) => !isEmpty(item[part.name]) && !(part.relation && isValues(item[part.relation]))),
  );
  if (parts && shown.every((partsOfItem) => partsOfItem.length === 0)) return null;
  return (
    <section>
      <h3>{labelOfName(field.name)}</h3>
      {parts ? (
        items.map((item, index) => (
          <Facts
            key={index}
            facts={(shown[index] ?? []).map((part) => [
              labelOfName(part.name),
              <Value
                key={part.name}
                field={part}
                currency={textOf(valueAt(item, 'currency.abbreviation')) || currency}
                value={item[part.name] ?? null}
              />,
            ])}
          />
        ))
      ) : (
        <p class="text">{textOf(value)}</p>
      )}
    </section>
  );
}
