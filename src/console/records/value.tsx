import type { FieldType } from 'courtside-console/catalog';
import type { Json } from 'courtside-sdk';
import type { ComponentChildren } from 'preact';
import { useSession } from '../data/index.ts';
import { formatDecimal, formatMoney } from '../elements/amounts.ts';
import { CalendarDate, DateTime, formatTime } from '../elements/formats.tsx';
import { Picture } from '../elements/picture.tsx';
import { hrefOf } from '../router.ts';
import { enumValuesOf, fieldsOfValue, isListed, isRelation } from './catalog.ts';
import { isList, isValues, recordLabel, textOf, typeOfRecord, type Values } from './record.ts';
import { labelOfConstant, labelOfName } from './words.ts';

/** URL path segment of the records task. */
export const taskPath = 'data';

/** Link to a record, or only its name if the viewer cannot list its type. `type` can be a union. */
export function RecordLink({ type, record }: { type: string; record: Values }) {
  const recordType = typeOfRecord(type, record);
  const label = recordLabel(type, record);
  if (!isListed(useSession().viewer, recordType)) return <>{label}</>;
  return <a href={hrefOf([taskPath, recordType, textOf(record.id)])}>{label}</a>;
}

/** Formats a local date and time without a time zone, such as `2026-03-01T09:30:00`. */
const localDateTimes = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** Formats an amount, with its currency if it is known. Rates have no currency. */
export function formatAmount(name: string, amount: string, currency: string): string {
  const code = /InUsd$/.test(name) ? 'USD' : currency;
  return /^[A-Z]{3}$/.test(code) && !/rate$/i.test(name) ? formatMoney(amount, code) : formatDecimal(amount);
}

interface ValueProps {
  readonly field: FieldType;
  readonly value: Json;
  /** Code of the currency of amounts. Empty if it is unknown. */
  readonly currency: string;
}

/** Displays a value by the type of its field. */
export function Value({ field, value, currency }: ValueProps) {
  const { name, type } = field;
  if (value === null || value === '') return <>–</>;
  if (isList(value)) {
    if (value.length === 0) return <>–</>;
    return (
      <ul class="unmarked">
        {value.map((item, index) => (
          <li key={index}>
            <Value field={{ ...field, isList: undefined }} value={item} currency={currency} />
          </li>
        ))}
      </ul>
    );
  }
  if (isValues(value)) {
    if (isRelation(field)) return <RecordLink type={type} record={value} />;
    const parts = fieldsOfValue(type);
    if (!parts) return <code>{JSON.stringify(value)}</code>;
    const shown = parts.filter((part) => value[part.name] !== null && value[part.name] !== undefined);
    return (
      <>
        {shown.map((part, index) => (
          <span key={part.name}>
            {index > 0 && ', '}
            {labelOfName(part.name)}: <Value field={part} value={value[part.name] ?? null} currency={currency} />
          </span>
        ))}
      </>
    );
  }
  if (typeof value === 'boolean') return <>{value ? 'Yes' : 'No'}</>;
  if (enumValuesOf(type)) return <>{labelOfConstant(textOf(value))}</>;
  if (type === 'Instant') return <DateTime at={textOf(value)} />;
  if (type === 'Date') return <CalendarDate date={textOf(value)} />;
  if (type === 'LocalDateTime')
    return <time dateTime={textOf(value)}>{formatTime(localDateTimes, `${textOf(value).replace(/Z$/, '')}Z`)}</time>;
  if (type === 'Money') return <>{formatAmount(name, textOf(value), currency)}</>;
  if (typeof value === 'number') return <>{value}</>;
  if (field.isPicture)
    return (
      <>
        <Picture url={value} text={labelOfName(name === 'url' ? 'picture' : name.replace(/Url$/, ''))} className="thumbnail" />
        {value.startsWith('data:') ? 'Embedded picture' : linkOrText(value)}
      </>
    );
  if (type === 'ID') return <code>{value}</code>;
  return <>{linkOrText(value)}</>;
}

const linkOrText = (text: string): ComponentChildren =>
  /^https?:\/\//.test(text) ? (
    <a href={text} target="_blank" rel="noreferrer">
      {text}
    </a>
  ) : (
    text
  );
