import type { formatDocument } from '@urql/core';

type DocumentNode = Parameters<typeof formatDocument>[0];

/** All documents that the console has created so far. Only the build records them. */
export declare const documents: readonly DocumentNode[];

/** Returns the text that the SDK sends for a document. */
export declare function textOf(document: DocumentNode): string;
