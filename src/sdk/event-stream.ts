/** A server-sent event. */
export interface StreamEvent {
  readonly type: string;
  readonly data: string;
}

/** Parses a server-sent event. Returns null if the block has no data, such as a keep-alive comment. */
function eventIn(block: string): StreamEvent | null {
  const fields = block.split(/\r\n|\r|\n/).map((line) => /^([^:]*):? ?(.*)$/s.exec(line) ?? []);
  const values = (name: string) => fields.flatMap(([, field, value = '']) => (field === name ? [value] : []));
  const data = values('data');
  return data.length > 0 ? { type: values('event').at(-1) ?? 'message', data: data.join('\n') } : null;
}

/** Yields the events of a response body. Calls `onActivity` whenever data arrives, including keep-alive comments. */
export async function* streamEvents(
  body: ReadableStream<Uint8Array>,
  onActivity: () => void,
): AsyncGenerator<StreamEvent, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onActivity();
      text += decoder.decode(value, { stream: true });
      const blocks = text.split(/\r\n\r\n|\n\n|\r\r/);
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = eventIn(block);
        if (event) yield event;
      }
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}
