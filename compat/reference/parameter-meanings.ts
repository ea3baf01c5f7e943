/** What values mean that are the legacy interface's own, by where they stand and what they are called. */
export const parameterMeanings: Readonly<Record<string, string>> = {
  'query current_page':
    'How many records to skip; where the service counts in pages, the number of the page, 0 and 1 being the first.',
  'query retrieve_all': 'True: all records, whatever the page.',
  'query fieldsToOmit':
    'Names of fields, with commas between them, that keep their values instead of being set to their defaults where the record leaves them out.',
  'query module': 'Of which module; there is one, `global`.',
  'query lookup': '`retirement_reason` for the reasons to retire instead of the penalties.',
  'query show_all_info': 'True: more of each player, such as `playerSlug`.',
  'query partner': 'Abbreviation of the tour whose ranking it is; there is one, `PPA`.',
  'query unit_of_distance': 'Unit of `distance`: `km`, which is the default, or `mi`.',
  'query public': 'True: games that are open to all.',
  'query private': 'True: games that are by invitation.',
  'path module_for': 'What is liked; only `news` is.',
  'path action':
    'What to do: 1 like, 2 or 99 take it back, 3 to 7 and 100 to 103 the reaction of that number, or the name of a reaction.',
};

/** What those mean of which the graph says nothing. */
export const otherMeanings: Readonly<Record<string, string>> = {
  'path uuid': 'Id of the user.',
};
