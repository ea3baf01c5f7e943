declare module 'proxy-addr' {
  import type { IncomingMessage } from 'node:http';

  /** The address of the client, behind the proxies that are trusted: by their addresses and their distance. */
  function proxyAddress(request: IncomingMessage, trust: (address: string, distance: number) => boolean): string;
  namespace proxyAddress {
    /** Throws for what is no address, network, or name of networks. */
    function compile(networks: readonly string[]): (address: string, distance: number) => boolean;
  }
  export default proxyAddress;
}
