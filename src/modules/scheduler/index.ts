import { module } from '../../kernel/serve/module.js';
import { Game } from './game.js';
import { GameGroup } from './game-group.js';
import { GameResolver } from './game-resolver.js';
import { GameAge, GameGenders, GameSkill, GameTypes } from './game-values.js';
import { GameViewer } from './game-viewer.js';
import { GroupResolver } from './group-resolver.js';
import { InvitationResolver } from './invitation-resolver.js';
import { invitations } from './invitations.js';
import { liveGame } from './live.js';
import { repeatGames } from './make-occurrences.js';
import { PlayersResolver } from './players-resolver.js';

/** Games that players schedule and join (section 2.15). */
export const scheduler = module({
  name: 'scheduler',
  description: 'Games that players schedule, with their players, waiting lists and invitations.',
  messages: true,
  records: [Game, GameGroup],
  values: [GameTypes, GameSkill, GameAge, GameGenders],
  resolvers: [GameResolver, liveGame, GameViewer, PlayersResolver, GroupResolver, InvitationResolver, invitations],
  dailyJobs: [{ name: 'repeat-games', run: (sql) => repeatGames(sql) }],
});
