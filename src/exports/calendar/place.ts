/** What calendars are told of a place; the graph has it under `location`. */
export const placeFields = 'location { venue streetAddress city zip legacy { state country } latitude longitude }';

/** A place as the graph gives it. */
export interface AskedPlace {
  readonly location: {
    readonly venue: string | null;
    readonly streetAddress: string | null;
    readonly city: string | null;
    readonly zip: string | null;
    readonly legacy: { readonly state: string | null; readonly country: string | null };
    readonly latitude: number | null;
    readonly longitude: number | null;
  };
}

/** The same as calendars have it: an address in one line, and degrees. */
export const whereItIs = ({ location }: AskedPlace) => {
  const { venue, streetAddress, city, zip, legacy, latitude, longitude } = location;
  const town = [city, [legacy.state, zip].filter(Boolean).join(' ')];
  return { location: [venue, streetAddress, ...town, legacy.country].filter(Boolean).join(', '), latitude, longitude };
};
