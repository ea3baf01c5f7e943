import type { Failure } from '../data/index.ts';
import { Field } from '../elements/field.tsx';

/** Values of a platform in a form. `allowedOrigins` has one origin per line. */
export interface PlatformValues {
  readonly title: string;
  readonly domain: string;
  readonly allowedOrigins: string;
}

interface PlatformFieldsProps {
  readonly values: PlatformValues;
  readonly failure: Failure | null;
  onChange(values: PlatformValues): void;
}

/** Fields of a platform that super admins can set. */
export function PlatformFields({ values, failure, onChange }: PlatformFieldsProps) {
  const field = (name: keyof PlatformValues) => ({
    name,
    value: values[name],
    failure,
    autoComplete: 'off',
    onChange: (value: string) => onChange({ ...values, [name]: value }),
  });
  return (
    <>
      <Field {...field('title')} label="Title" required />
      <Field {...field('domain')} label="Domain (optional)" hint="Domain of the website, such as www.example.com" />
      <Field
        {...field('allowedOrigins')}
        label="Origins of links in emails (optional)"
        type="textarea"
        hint="One per line, such as https://www.example.com"
      />
    </>
  );
}

/** Returns the lines of a text, without empty lines. */
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

/** Converts the values of a form to the input of a mutation. */
export const platformInputOf = ({ title, domain, allowedOrigins }: PlatformValues) => ({
  title: title.trim(),
  domain: domain.trim() || null,
  allowedOrigins: linesOf(allowedOrigins),
});
