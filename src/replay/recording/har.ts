/** A header or query parameter. */
export interface HarPair {
  readonly name: string;
  readonly value: string;
}

/** An entry of HAR 1.2. Properties that start with `_` are extensions, which the format permits. */
export interface HarEntry {
  readonly startedDateTime: string;
  readonly time: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly httpVersion: string;
    readonly cookies: readonly [];
    readonly headers: readonly HarPair[];
    readonly queryString: readonly HarPair[];
    readonly postData?: {
      readonly mimeType: string;
      readonly params: readonly [];
      readonly text: string;
      readonly _encoding?: 'base64';
    };
    readonly headersSize: -1;
    readonly bodySize: number;
    /** Reason why the body was not recorded. */
    readonly _leftOut?: string;
  };
  readonly response: {
    /** 0 without a response. */
    readonly status: number;
    readonly statusText: string;
    readonly httpVersion: string;
    readonly cookies: readonly [];
    readonly headers: readonly HarPair[];
    readonly content: {
      readonly size: number;
      readonly mimeType: string;
      readonly text?: string;
      readonly encoding?: 'base64';
      readonly comment?: string;
    };
    readonly redirectURL: string;
    readonly headersSize: -1;
    readonly bodySize: number;
  };
  readonly cache: Record<string, never>;
  readonly timings: { readonly send: number; readonly wait: number; readonly receive: number };
}
