import type { Failure } from '../data/index.ts';
import { Field } from '../elements/field.tsx';

/** Values of a platform in a form. `allowedOrigins` has one origin per line. */
export interface PlatformValues {
  readonly title: string;
  readonly domain: string;
  readonly allowedOrigins: string;
}

export const fieldLabels: Readonly<Record<keyof PlatformValues, string>> = {
  title: 'Title',
  domain: 'Domain (optional)',
  allowedOrigins: 'Origins of links in emails (optional)',
};

export const fieldNames = ['title', 'domain', 'allowedOrigins'] as const;

interface PlatformFieldsProps {
  readonly values: PlatformValues;
  readonly failure: Failure | null;
  onChange(values: PlatformValues): void;
}

/** Fields of a platform that super admins can set. */
export function PlatformFields({ values, failure, onChange }: PlatformFieldsProps) {
  const field = (name: keyof PlatformValues) => ({
    name,
    label: fieldLabels[name],
    value: values[name],
    failure,
    autoComplete: 'off',
    onChange: (value: string) => onChange({ ...values, [name]: value }),
  });
  return (
    <>
      <Field {...field('title')} required />
      <Field {...field('domain')} hint="Domain of the website, such as www.example.com" />
      <Field {...field('allowedOrigins')} type="textarea" hint="One per line, such as https://www.example.com" />
    </>
  );
}

/** Returns the lines of a text, without empty lines. */
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

/** Converts values of a form to the input of a mutation. */
export const platformInputOf = ({ title, domain, allowedOrigins }: Partial<PlatformValues>) => ({
  ...(title !== undefined && { title: title.trim() }),
  ...(domain !== undefined && { domain: domain.trim() || null }),
  ...(allowedOrigins !== undefined && { allowedOrigins: linesOf(allowedOrigins) }),
});
