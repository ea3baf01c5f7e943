import { Field, InputType } from 'type-graphql';
import { pathIn, reject } from '../../../kernel/declare/errors.js';
import { validatedBy } from '../../../kernel/declare/input-rules.js';
import { runChecks } from '../../../kernel/declare/problems.js';
import { checkTeam, RegisterTeamInput } from './register-team-input.js';

/** Maximum number of events in one registration or quote. */
const maxEvents = 20;

/** Validates the events of an input without database access. Reports all problems together. */
export function checkTeams({ events }: { events?: readonly RegisterTeamInput[] }, path: string): void {
  const field = `${path}events`;
  if (events && (events.length === 0 || events.length > maxEvents)) reject(field, `1 to ${maxEvents} events`);
  runChecks(...(events ?? []).map((event, index) => () => checkTeam(event, `${pathIn(field, index)}.`)));
}

@validatedBy(checkTeams)
@InputType({ description: 'Entries of the signed-in user in several events of a tournament.' })
export class RegisterTeamsInput {
  @Field(() => [RegisterTeamInput], {
    description: `1 to ${maxEvents} events of one tournament, each at most once, each with an optional partner.`,
  })
  events!: RegisterTeamInput[];
}
