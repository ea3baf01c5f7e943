import { Field, InputType } from 'type-graphql';
import { pathIn, reject } from '../../kernel/declare/errors.js';
import { heldBy } from '../../kernel/declare/input-rules.js';
import { allOf } from '../../kernel/declare/problems.js';
import { checkTeam, RegisterTeamInput } from './register-team-input.js';

/** Most events that are entered or priced at once. */
const maxEvents = 20;

/** Names all that is wrong with the events of an input, as far as they need no look at the database. */
export function checkTeams({ events }: { events?: readonly RegisterTeamInput[] }, path: string): void {
  const field = `${path}events`;
  if (events && (events.length === 0 || events.length > maxEvents)) reject(field, `1 to ${maxEvents} events`);
  allOf(...(events ?? []).map((event, index) => () => checkTeam(event, `${pathIn(field, index)}.`)));
}

@heldBy(checkTeams)
@InputType({ description: 'The entries of the signed-in user in several events of a tournament.' })
export class RegisterTeamsInput {
  @Field(() => [RegisterTeamInput], {
    description: `The events, each with the partner, if any: 1 to ${maxEvents} events of the same tournament, each of them once.`,
  })
  events!: RegisterTeamInput[];
}
