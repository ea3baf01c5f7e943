import { z } from 'zod';

/** A whole number within bounds. */
export const whole = (min: number, max: number) =>
  z
    .string()
    .refine(
      (text) => /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max,
      `must be a whole number from ${min} to ${max}`,
    )
    .transform(Number);

/** One of these texts. */
export const choice = <const T extends readonly string[]>(...values: T) => z.enum(values, `must be one of: ${values.join(', ')}`);

/** Whether it is the first of two texts. */
export const yesOrNo = (yes: string, no: string) => choice(yes, no).transform((text) => text === yes);

/** An address of one of these schemes, as it was written. */
export const url = (...schemes: string[]) =>
  z
    .string()
    .regex(new RegExp(`^(${schemes.join('|')})://[^\\s/]`), `must be a URL that starts with ${schemes.join(':// or ')}://`);

/** A connection string of PostgreSQL. */
export const postgres = z
  .string()
  .regex(/^postgres(ql)?:\/\/\S+$/, 'must be a URL such as postgresql://user:password@host:5432/database');

/** Items with commas between them. */
export const list = <T extends z.ZodType<unknown, string>>(item: T) =>
  z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .pipe(z.array(item));

/** Secrets with commas between them. */
export const secrets = list(z.string()).refine(
  (texts) => !texts.includes('') && texts.length === new Set(texts).size,
  'must be secrets with commas between them, none empty and none twice',
);

/** What may be the name of a module. */
export const module = z.string().regex(/^[a-z]+$/, 'must be all, none, or names of modules with commas between them');
