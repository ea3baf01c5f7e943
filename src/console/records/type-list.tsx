import { useSession } from '../data/index.ts';
import { Page } from '../elements/page.tsx';
import { SearchField } from '../elements/search-field.tsx';
import { changeSearch, hrefOf, useConsoleLocation } from '../router.ts';
import { isPermitted, recordTypes } from './catalog.ts';
import { searchTextIn } from './conditions.ts';
import { taskPath } from './value.tsx';
import { labelOfName, textOfHelp } from './words.ts';

interface ListedType {
  readonly name: string;
  readonly title: string;
  readonly help: string;
  /** Whether records of the type can be created, updated or deleted. */
  readonly isWritable: boolean;
}

/** All types of records that the viewer can list. */
export function TypeList() {
  const { viewer } = useSession();
  const text = searchTextIn(useConsoleLocation().search);
  const shown = recordTypes
    .filter(([, { roles }]) => isPermitted(viewer, roles))
    .map(([name, { many, help, create, update, remove }]): ListedType => {
      const isWritable = (create ?? update ?? remove) !== undefined;
      return { name, title: labelOfName(many), help: textOfHelp(help), isWritable };
    })
    .filter(({ title, help }) => `${title} ${help}`.toLowerCase().includes(text.toLowerCase()))
    .sort((a, b) => (a.title < b.title ? -1 : 1));
  return (
    <Page title="Data">
      <div class="row filters">
        <SearchField
          label="Search record types"
          value={text}
          onSearch={(search) => changeSearch({ search: search || null }, { replaces: true })}
        />
      </div>
      <p role="status" class="quiet small">
        {shown.length === 1 ? '1 record type' : `${shown.length} record types`}
      </p>
      {shown.length === 0 && <p class="card empty">No record type matches the search.</p>}
      <Types title="Records" types={shown.filter(({ isWritable }) => isWritable)} />
      <Types title="Reference data and logs" types={shown.filter(({ isWritable }) => !isWritable)} />
    </Page>
  );
}

function Types({ title, types }: { title: string; types: readonly ListedType[] }) {
  if (types.length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      <ul class="cards">
        {types.map((type) => (
          <li key={type.name} class="card link">
            <h3>
              <a href={hrefOf([taskPath, type.name])}>{type.title}</a>
            </h3>
            <p class="quiet small">{firstSentenceOf(type.help)}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

const firstSentenceOf = (text: string): string => /^.*?\.(?= |$)/s.exec(text)?.[0] ?? text;
