/** What calendars are told of a place; the graph has it under `location`. */
export const placeFields = 'location { venue streetAddress city stateRaw zip countryRaw latitude longitude }';

/** A place as the graph gives it. */
export interface AskedPlace {
  readonly location: {
    readonly venue: string | null;
    readonly streetAddress: string | null;
    readonly city: string | null;
    readonly stateRaw: string | null;
    readonly zip: string | null;
    readonly countryRaw: string | null;
    readonly latitude: number | null;
    readonly longitude: number | null;
  };
}

/** The same as calendars have it: an address in one line, and degrees. */
export const whereItIs = ({ location }: AskedPlace) => {
  const { venue, streetAddress, city, stateRaw, zip, countryRaw, latitude, longitude } = location;
  const town = [city, [stateRaw, zip].filter(Boolean).join(' ')];
  return { location: [venue, streetAddress, ...town, countryRaw].filter(Boolean).join(', '), latitude, longitude };
};
