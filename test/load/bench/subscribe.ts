import { fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { disposableSettings, startEmbedded } from '../../../src/database/embedded.js';
import { prepareDatabase, startService } from './contenders.js';
import { cpuTime, postmasterOf } from './cpu.js';
import { nextMessage, quantileText, type SubscribeMessage, save } from './live.js';

const [subscriberCount, recordCount, changesPerSecond, seconds] = [1_000, 50, 20, 20];
const query = 'subscription { tournament(id: "t-$n") { kind cursor tournament { id title } } }';

/** Prints the CPU time and the delays of events for 1,000 subscribers to 50 tournaments. 20 tournaments change each second. */
export async function subscribe(directory: string): Promise<void> {
  const postgres = await startEmbedded(directory, { settings: { ...disposableSettings, shared_buffers: '256MB' } });
  const clients = fork(new URL('./live-clients.js', import.meta.url));
  try {
    const token = await prepareDatabase(postgres.url);
    const postmaster = await postmasterOf(postgres.url);
    const service = await startService(postgres.url, token);
    for (let number = 0; number < recordCount; number++) await save(service, 'Created', `t-${number}`);
    const headers = Array.from({ length: subscriberCount }, () => ({ 'PB-API-TOKEN': token }));
    clients.send({ transport: 'sse', url: service.url, query, headers } satisfies SubscribeMessage);
    await nextMessage(clients);
    const send = async (duration: number) => {
      for (let number = 0; number < duration * changesPerSecond; number++) {
        void save(service, `Sent ${Date.now()}`, `t-${number % recordCount}`);
        await sleep(1000 / changesPerSecond);
      }
      await sleep(2_000);
      clients.send('report');
      const message = await nextMessage(clients);
      return message.kind === 'delays' ? message.delays : [];
    };
    await send(5);
    const clocks = () => [service.pid, postmaster].map((pid) => cpuTime(pid) ?? Number.NaN);
    const [own = 0, database = 0] = clocks();
    const delays = await send(seconds);
    const [ownAfter = 0, databaseAfter = 0] = clocks();
    console.log(
      '| events | CPU of the service per event, µs | CPU of PostgreSQL per event, µs | median, ms | 95%, ms | all, ms |',
    );
    console.log('|--:|--:|--:|--:|--:|--:|');
    const cpu = [ownAfter - own, databaseAfter - database].map((time) => (time / delays.length).toFixed(0));
    console.log(
      `| ${[delays.length, ...cpu, quantileText(delays, 0.5), quantileText(delays, 0.95), quantileText(delays, 1)].join(' | ')} |`,
    );
    await service.stop();
  } finally {
    clients.kill();
    await postgres.stop();
  }
}
