import { createSocket } from 'node:dgram';
import { once } from 'node:events';

const [headerLength, typeA] = [12, 1];

/** A DNS server that returns the same address for all names. */
export interface DnsServer {
  readonly port: number;
  /** IPv4 address in responses. If null, the server responds that names do not exist. */
  address: string | null;
  close(): void;
}

/** Starts a DNS server. At first, it responds that names do not exist. */
export async function startDnsServer(): Promise<DnsServer> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const server: DnsServer = { port: socket.address().port, address: null, close: () => socket.close() };
  socket.on('message', (query, { port, address: client }) => {
    // A question consists of a name, which ends with a zero, a type and a class.
    const questionEnd = query.indexOf(0, headerLength) + 5;
    const bytes = query.readUInt16BE(questionEnd - 4) === typeA && server.address ? server.address.split('.').map(Number) : null;
    const header = Buffer.alloc(headerLength);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(server.address === null ? 0x81_83 : 0x81_80, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(bytes ? 1 : 0, 6);
    // The name of the question, type A, class IN, a lifetime of one second, and four bytes.
    const answer = bytes ? [0xc0, headerLength, 0, typeA, 0, 1, 0, 0, 0, 1, 0, 4, ...bytes] : [];
    socket.send(Buffer.concat([header, query.subarray(headerLength, questionEnd), Buffer.from(answer)]), port, client);
  });
  return server;
}
