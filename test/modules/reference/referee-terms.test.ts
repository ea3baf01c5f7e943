import { describe, expect, it } from 'vitest';
import { refereeNames } from '../../../compat/records/reference.js';
import refereeTerms from '../../../src/modules/reference/data/refereeTerms.json' with { type: 'json' };

describe('referee terms', () => {
  // Verbatim from the definition of `/v1`, including its misspellings. Bars separate the names, because some names contain commas.
  const legacy = {
    SUSPENSION_TYPE: '0 Other|1 Suspension|2 Too Dark',
    CONTESTANT_TYPE: '0 Other|1 Home|2 Guest',
    MATCH_STATUS: '0 Other|1 Scheduled|2 In Progress|3 Delayed|4 Ended',
    MATCH_COMPLETED_TYPE: '0 Other|1 Not Completed|2 Forfeit|3 Retirement|4 Withdrawal|5 Played',
    PENALTY_TYPE: '0 Other|1 Tehnical Warning|2 Tehnical Foul',
    RETIREMENT_REASON: '0 Other|1 Medical|2 Equipment',
    LOG_TYPE:
      '0 Other|1 Equipment Timeout|2 Challange|3 Coin Toss|4 Game Over|5 Forfeit|6 Match Over|7 Medical Timeout|8 Missed Serve|9 Penalty|10 Players On Court|11 Point Replay|12 Point In Progress|13 Retirement|14 Point|15 Serve Selection|16 Side Out|17 Switch Court Side|18 Timeout|19 Time Violation|20 Warming Up|21 Suspension|22 Start Scoring|23 Switch Server|24 Time In|25 Court arrival|26 Statistic|27 Change referee|28 Check connection|29 Collect rally statistic|30 Withdrawal|31 Undo|32 Move players|33 Change server',
    TIMEOUT_TYPE:
      '0 Other (0 min)|1 Medical (15 min)|2 Equipment (0 min)|3 Referee (0 min)|4 End Change (2 min)|5 Player (1 min)',
    WARNING_REASON_TYPE:
      '0 Other|1 Invalid Medical Time-out|2 Objectionable language directed at another person|3 Profanity (audible or visible)|4 Arguing aggressively with the officiating team|5 Ball abuse|6 Taking disruptive time between rallies|7 Minor unsportsmanlike behavior|8 Non Partner Coaching',
    REPLAY_REASON_TYPE:
      "0 Other|1 Official's Error|2 Net Drape, Bar, Malfunction|3 Unresolved Call|4 Hinderance (Stray Ball, Toppled Net, etc.)|5 Damaged Ball|6 Blocked View",
    RALLY_COMPLETED_TYPE:
      '0 Other|1 Point|2 Winner|3 Ace|4 ATP|5 Erne|6 Unforced Error|7 Short Lob|8 Long Lob|9 Dink|10 Faults|11 Service Foot|12 Service Other|13 Kitchen Foot|14 Wrong Server|15 Wrong Reciever|16 Serve Into Net|17 Serve Long|18 Serve Short|19 Serve Wide|20 Return Into Net|21 Return Long|22 Return Wide|23 CC Dink Into Net|24 CC Dink Wide|25 Forward Dink Into Net|26 Forward Dink wide|28 Other Fault|29 Other Unforced Error|30 Other Winner',
  };

  it('have the order and, in /v1, the spelling of the legacy interface', () => {
    const names = refereeTerms.map(({ kind, code, title: name, lengthInMinutes }) => {
      const minutes = lengthInMinutes === undefined ? '' : ` (${lengthInMinutes} min)`;
      return { kind, text: `${code} ${refereeNames[kind]?.[code] ?? name}${minutes}` };
    });
    const namesByKind = Object.entries(Object.groupBy(names, ({ kind }) => kind));
    expect(Object.fromEntries(namesByKind.map(([kind, rows]) => [kind, rows?.map(({ text }) => text).join('|')]))).toEqual(
      legacy,
    );
  });

  it('have the correct spelling in the graph where /v1 has another one', () => {
    const correctedTitles = Object.entries(refereeNames).flatMap(([kind, names]) =>
      Object.keys(names).map((code) => refereeTerms.find((term) => term.id === `${kind}-${code}`)?.title),
    );
    expect(correctedTitles).toEqual([
      'Technical Warning',
      'Technical Foul',
      'Challenge',
      'Hindrance (Stray Ball, Toppled Net, etc.)',
      'Wrong Receiver',
    ]);
  });
});
