/** Descriptions of parameters that exist only in the legacy interface, by location and name. */
export const parameterMeanings: Readonly<Record<string, string>> = {
  'query current_page':
    'Number of records to skip. If the service counts pages instead, the number of the page. 0 and 1 are the first page.',
  'query retrieve_all': 'Whether to return all records instead of one page. Default: false.',
  'query fieldsToOmit':
    'Comma-separated names of fields. If the record omits them, they keep their values instead of getting their defaults.',
  'query module': 'Name of a module. The only one is `global`.',
  'query lookup': '`retirement_reason` returns reasons to retire instead of penalties.',
  'query show_all_info': 'Whether to return more fields of each player, such as `playerSlug`. Default: false.',
  'query partner': 'Abbreviation of the tour of the ranking. The only one is `PPA`.',
  'query unit_of_distance': 'Unit of `distance`: `km` or `mi`. Default: `km`.',
  'query public': 'Whether to return only public games. With `private` too, all games are returned.',
  'query private': 'Whether to return only private games, which need an invitation. With `public` too, all games are returned.',
  'path module_for': 'Type of the record. The only one is `news`.',
  'path action': 'Reaction by number or name. 1: like. 2 and 99: remove the reaction. 3 to 7 and 100 to 103: other reactions.',
};

/** Descriptions of parameters without a GraphQL description. */
export const otherMeanings: Readonly<Record<string, string>> = {
  'path uuid': 'ID of the user.',
};
