import { formatDocument } from '@urql/core';
import { documents, textOf } from 'courtside-console/documents';
import { composeAllDocuments } from './records/all-documents.ts';
import { tasks } from './tasks.ts';

/** Returns the texts of all operations that the console can send. The build calls this function. */
export async function operationTexts(): Promise<string[]> {
  await Promise.all(tasks.map((task) => task.load()));
  composeAllDocuments();
  const operations = documents.filter(({ definitions }) => definitions.some(({ kind }) => kind === 'OperationDefinition'));
  // The cache adds `__typename` to the documents of tasks. The documents that sign users in and out are sent without the cache.
  return [...new Set(operations.flatMap((document) => [textOf(document), textOf(formatDocument(document))]))];
}
