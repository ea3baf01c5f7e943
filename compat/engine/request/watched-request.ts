import type { IncomingHttpHeaders } from 'node:http';
import type { CacheableRequest, Caller, Client } from '../../../src/graphql/run.js';
import type { LegacyRequest } from './reader.js';

/**
 * Wraps a request and records which of its parts the response depends on. The fields are copied, because an object with the request as its prototype
 * is slow to create.
 */
export class WatchedRequest implements LegacyRequest {
  readonly params: LegacyRequest['params'];
  readonly query: LegacyRequest['query'];
  readonly body: LegacyRequest['body'];
  readonly caller: Caller;
  readonly client: Client;
  readonly paging: LegacyRequest['paging'];

  constructor(
    private readonly request: LegacyRequest,
    private readonly cacheableRequest: CacheableRequest<unknown>,
  ) {
    this.params = request.params;
    this.query = request.query;
    this.body = request.body;
    this.caller = request.caller;
    this.client = cacheableRequest.trackClient(request.client);
    this.paging = request.paging;
  }

  get headers(): IncomingHttpHeaders {
    this.cacheableRequest.sources.addOtherDependency('the request headers');
    return this.request.headers;
  }
}
