import slugify from '@sindresorhus/slugify';
import type { Graph } from '../../gateway/run.js';
import { fail } from '../../kernel/declare/errors.js';
import type { Exported } from '../answer.js';
import { type Asking, ask, askAll, mayAsk } from '../asking.js';
import {
  type AskedEvent,
  type AskedStanding,
  type AskedTeam,
  type AskedTournament,
  type Entry,
  entriesDocument,
  eventsDocument,
  type Referee,
  refereesDocument,
  standingsDocument,
  teamsDocument,
  tournamentDocument,
} from './documents.js';
import { tournamentRecord } from './tournament-record.js';

/** Exports a tournament as TODS JSON, with the data that the caller can read. */
export function todsOf(graph: Graph) {
  return async (id: string, asking: Asking): Promise<Exported> => {
    const { tournament } = await ask<{ tournament: AskedTournament | null }>(graph.prepare(tournamentDocument), { id }, asking);
    if (!tournament) return fail('NOT_FOUND', `no tournament with the id ${id}`);
    const list = <T>(document: string): Promise<T[]> => askAll<T>(graph.prepare(document), { id }, asking);
    const [events, teams, referees, standings, entries] = await Promise.all([
      list<AskedEvent>(eventsDocument),
      list<AskedTeam>(teamsDocument),
      list<Referee>(refereesDocument),
      list<AskedStanding>(standingsDocument),
      mayAsk(graph.prepare(entriesDocument), asking) ? list<Entry>(entriesDocument) : [],
    ]);
    const record = tournamentRecord({ tournament, events, teams, referees, standings, entries });
    return {
      type: 'application/json; charset=utf-8',
      file: `${slugify(tournament.title ?? '') || 'tournament'}.tods.json`,
      text: JSON.stringify(record),
      isKept: true,
    };
  };
}
