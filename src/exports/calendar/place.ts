/** Selection of the location for calendars. */
export const locationFields = 'location { venue streetAddress city zip legacy { state country } latitude longitude }';

/** Location of a record. */
export interface LocationData {
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

/** Location in iCalendar format: a one-line address, and coordinates. */
export const calendarLocation = ({ location }: LocationData) => {
  const { venue, streetAddress, city, zip, legacy, latitude, longitude } = location;
  const cityLine = [city, [legacy.state, zip].filter(Boolean).join(' ')];
  return { location: [venue, streetAddress, ...cityLine, legacy.country].filter(Boolean).join(', '), latitude, longitude };
};
