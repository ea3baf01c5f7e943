import type { Failure } from '../data/failure.ts';
import { Field } from './field.tsx';

const pad = (value: number, length = 2): string => String(value).padStart(length, '0');

/** Time zone of the viewer, such as `Europe/Vienna`. */
const viewerZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Converts an instant to a local time in the zone of the viewer, in the format of `datetime-local` inputs. */
export function localTimeOf(instant: string): string {
  const date = new Date(instant);
  if (instant === '' || Number.isNaN(date.getTime())) return '';
  const day = `${pad(date.getFullYear(), 4)}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
  const seconds = date.getSeconds() === 0 ? '' : `:${pad(date.getSeconds())}`;
  return `${day}T${pad(date.getHours())}:${pad(date.getMinutes())}${seconds}`;
}

/** Converts a local time in the zone of the viewer to an instant. */
export function instantOf(localTime: string): string {
  const date = new Date(localTime);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}

interface TimeInputProps {
  readonly label: string;
  readonly name: string;
  /** Instant in UTC, or a local time. */
  readonly value: string;
  onChange(value: string): void;
  /** Whether the value is a local time without a time zone. */
  readonly isLocal?: boolean;
  readonly failure?: Failure | null;
  readonly hint?: string | undefined;
}

/** Input for a date with a time. Instants are entered in the time zone of the viewer. */
export function TimeInput({ value, onChange, isLocal = false, hint, ...rest }: TimeInputProps) {
  const zone = isLocal ? '' : `In your time zone, ${viewerZone}.`;
  return (
    <Field
      {...rest}
      type="datetime-local"
      hint={[hint, zone].filter(Boolean).join(' ')}
      value={isLocal ? value.slice(0, 16) : localTimeOf(value)}
      onChange={(local) => onChange(isLocal ? local : instantOf(local))}
    />
  );
}
