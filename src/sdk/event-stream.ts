/** An event of a stream: what kind it is, and its text. */
export interface StreamEvent {
  readonly type: string;
  readonly data: string;
}

/** The event that a block of lines tells; null where it is nothing but comments. */
function eventIn(block: string): StreamEvent | null {
  const fields = block.split(/\r\n|\r|\n/).map((line) => /^([^:]*):? ?(.*)$/.exec(line) ?? []);
  const values = (name: string) => fields.flatMap(([, field, value = '']) => (field === name ? [value] : []));
  const data = values('data');
  return data.length > 0 ? { type: values('event').at(-1) ?? 'message', data: data.join('\n') } : null;
}

/** The events of a body of server-sent events, as it arrives; `heard` is told of everything that does, beats too. */
export async function* streamEvents(
  body: ReadableStream<Uint8Array>,
  heard: () => void,
): AsyncGenerator<StreamEvent, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      heard();
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
