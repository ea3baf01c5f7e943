declare module 'proxy-addr' {
  import type { IncomingMessage } from 'node:http';

  /** The address of the client, behind the proxies that are trusted: by their addresses and their distance. */
  export default function proxyAddress(request: IncomingMessage, trust: (address: string, distance: number) => boolean): string;
}
