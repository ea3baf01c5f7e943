import { module } from '../../kernel/serve/module.js';
import { Game } from './games/game.js';
import { deletedGames, GameResolver } from './games/game-resolver.js';
import { GameAge, GameGenders, GameSkill, GameTypes } from './games/game-values.js';
import { GameGroup } from './groups/game-group.js';
import { GroupResolver } from './groups/group-resolver.js';
import { InvitationResolver, invitations } from './invitations/invitation-resolver.js';
import { liveGame } from './live.js';
import { repeatGames } from './occurrences/make-occurrences.js';

/** Games that players schedule and join (section 2.15 of the specification). */
export const scheduler = module({
  name: 'scheduler',
  description: 'Games that players schedule, with their players, waiting lists and invitations.',
  messages: true,
  records: [Game, GameGroup],
  values: [GameTypes, GameSkill, GameAge, GameGenders],
  resolvers: [GameResolver, ...deletedGames, liveGame, GroupResolver, InvitationResolver, invitations],
  dailyJobs: [{ name: 'repeat-games', run: (sql) => repeatGames(sql) }],
});
