import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { portOf } from '../../../src/process/port.js';

/** A real SMTP server that counts the emails to each address. */
export interface MailServer {
  readonly port: number;
  readonly times: ReadonlyMap<string, number>;
  /** Reply with which the server rejects all emails permanently. Null to accept them. */
  rejection: string | null;
  close(): Promise<void>;
}

export async function startMailServer(port = 0): Promise<MailServer> {
  const times = new Map<string, number>();
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData(stream, { envelope }, done) {
      stream.resume().on('end', () => {
        if (mailServer.rejection !== null) {
          done(Object.assign(new Error(mailServer.rejection), { responseCode: 554 }));
          return;
        }
        for (const { address } of envelope.rcptTo) times.set(address, (times.get(address) ?? 0) + 1);
        done();
      });
    },
  });
  server.on('error', () => undefined);
  server.listen(port, '127.0.0.1');
  await once(server.server, 'listening');
  const mailServer: MailServer = {
    port: portOf(server.server as Server),
    times,
    rejection: null,
    close: () => new Promise((closed) => server.close(() => closed())),
  };
  return mailServer;
}

/** Starts a server that accepts connections but never sends anything. */
export async function startSilentServer(): Promise<{ readonly port: number; connections(): number; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: portOf(server),
    connections: () => connections,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
