/** Descriptions of parameters that exist only in the legacy interface, by location and name. They override GraphQL descriptions. */
export const parameterMeanings: Readonly<Record<string, string>> = {
  'query current_page':
    'Number of records to skip. If the service is configured for page numbers: number of the page. 0 and 1 mean the first page.',
  'query retrieve_all': 'Whether to return all records instead of one page. Default: false.',
  'query fieldsToOmit':
    'Comma-separated names of fields that keep their values. Other fields that the record omits are set to their defaults.',
  'query module': 'Name of a module. The only value is `global`.',
  'query lookup': 'Set to `retirement_reason` to list reasons to retire instead of penalties.',
  'query show_all_info': 'Whether to return more fields of each player, such as `playerSlug`. Default: false.',
  'query partner': 'Abbreviation of the tour. The only value is `PPA`.',
  'query unit_of_distance': 'Unit of `distance`: `km` or `mi`. Default: `km`.',
  'query public': 'Whether to return only public games. If `private` is also true, all games are returned.',
  'query private':
    'Whether to return only private games, which require an invitation. If `public` is also true, all games are returned.',
  'path module_for': 'Type of the record. The only value is `news`.',
  'path action': 'Number or name of a reaction. 1: like. 2 and 99: remove the reaction. 3 to 7 and 100 to 103: other reactions.',
};

/** Descriptions of parameters that no GraphQL description applies to, by location and name. */
export const fallbackMeanings: Readonly<Record<string, string>> = {
  'path uuid': 'ID of the user.',
};
