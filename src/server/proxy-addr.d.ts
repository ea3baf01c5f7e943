declare module 'proxy-addr' {
  import type { IncomingMessage } from 'node:http';

  /** Returns the address of the client, from the forwarding headers of trusted proxies. */
  function proxyAddress(request: IncomingMessage, trust: (address: string, distance: number) => boolean): string;
  namespace proxyAddress {
    /** Returns a function that checks whether an address is trusted. Throws for invalid addresses, networks and network names. */
    function compile(networks: readonly string[]): (address: string, distance: number) => boolean;
  }
  export default proxyAddress;
}
