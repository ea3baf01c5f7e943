import type { ComponentChildren } from 'preact';

/** List of labels and values. */
export const Facts = ({ facts }: { facts: readonly (readonly [label: string, value: ComponentChildren])[] }) => (
  <dl class="facts">
    {facts.map(([label, value]) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>{value ?? '–'}</dd>
      </div>
    ))}
  </dl>
);
