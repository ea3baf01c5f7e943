import type { IncomingHttpHeaders } from 'node:http';
import type { Caller, Client, Poll } from '../../../src/gateway/run.js';
import type { LegacyRequest } from './reader.js';

/** The same request, of which it is noted what its answer depends on. Not an object with the other one for its prototype: that takes long to make. */
export class WatchedRequest implements LegacyRequest {
  readonly params: LegacyRequest['params'];
  readonly query: LegacyRequest['query'];
  readonly body: LegacyRequest['body'];
  readonly caller: Caller;
  readonly client: Client;
  readonly paging: LegacyRequest['paging'];

  constructor(
    private readonly asked: LegacyRequest,
    private readonly poll: Poll,
  ) {
    this.params = asked.params;
    this.query = asked.query;
    this.body = asked.body;
    this.caller = asked.caller;
    this.client = poll.trackClient(asked.client);
    this.paging = asked.paging;
  }

  get headers(): IncomingHttpHeaders {
    this.poll.reads.unknown('headers of the request');
    return this.asked.headers;
  }
}
