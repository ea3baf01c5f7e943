import slugify from '@sindresorhus/slugify';
import type { Graph } from '../../graphql/run.js';
import { fail } from '../../kernel/declare/errors.js';
import { canRead, type ExportCaller, readAllPages, runQuery } from '../run-query.js';
import type { ExportContent } from '../send-export.js';
import {
  type Entry,
  type EventData,
  entriesDocument,
  eventsDocument,
  type Referee,
  refereesDocument,
  type StandingData,
  standingsDocument,
  type TeamData,
  type TournamentData,
  teamsDocument,
  tournamentDocument,
} from './documents.js';
import { tournamentRecord } from './tournament-record.js';

/** Returns a function that exports a tournament as TODS JSON. The export contains the data that the caller can read. */
export function createTodsExporter(graph: Graph) {
  return async (id: string, caller: ExportCaller): Promise<ExportContent> => {
    const { tournament } = await runQuery<{ tournament: TournamentData | null }>(
      graph.prepare(tournamentDocument),
      { id },
      caller,
    );
    if (!tournament) return fail('NOT_FOUND', `no tournament with the id ${id}`);
    const list = <T>(document: string): Promise<T[]> => readAllPages<T>(graph.prepare(document), { id }, caller);
    const [events, teams, referees, standings, entries] = await Promise.all([
      list<EventData>(eventsDocument),
      list<TeamData>(teamsDocument),
      list<Referee>(refereesDocument),
      list<StandingData>(standingsDocument),
      canRead(graph.prepare(entriesDocument), caller) ? list<Entry>(entriesDocument) : [],
    ]);
    const record = tournamentRecord({ tournament, events, teams, referees, standings, entries });
    return {
      type: 'application/json; charset=utf-8',
      fileName: `${slugify(tournament.title ?? '') || 'tournament'}.tods.json`,
      text: JSON.stringify(record),
      isCacheable: true,
    };
  };
}
