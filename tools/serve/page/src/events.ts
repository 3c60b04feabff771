// SPDX-License-Identifier: Apache-2.0
// Server-sent events of an answer. EventSource cannot send a body or a key, so fetch() reads them.
import { ask, type Ask, ServiceError } from "./api";

export interface ServerEvent {
    name: string;
    data: unknown;
}

// One event of the lines between two empty ones; null: a comment alone.
function eventOf(block: string): ServerEvent | null {
    let name = "message";
    const data: string[] = [];
    for (const line of block.split("\n")) {
        const colon = line.indexOf(":");
        const field = colon < 0 ? line : line.slice(0, colon);
        const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
        if (field === "event") name = value;
        else if (field === "data") data.push(value);
    }
    return data.length ? { name, data: JSON.parse(data.join("\n")) } : null;
}

// Events as they come. An event "error" is thrown as a ServiceError.
export async function* events(path: string, options: Ask): AsyncGenerator<ServerEvent> {
    const response = await ask(path, { ...options, accept: "text/event-stream" });
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    try {
        for (;;) {
            const { value, done } = await reader.read();
            rest = (rest + (value ?? "")).replace(/\r\n|\r(?!$)/g, "\n");  // the last one may be half of a line's end
            const blocks = rest.split("\n\n");
            rest = blocks.pop()!;
            for (const block of blocks) {
                const event = eventOf(block);
                if (event?.name === "error") throw problemIn(event.data);
                if (event) yield event;
            }
            if (done) return;
        }
    } catch (error) {
        if (error instanceof ServiceError || options.signal?.aborted) throw error;
        throw new ServiceError("network", "");
    } finally {
        reader.cancel().catch(() => undefined);
    }
}

function problemIn(data: unknown): ServiceError {
    const error = (data as { error?: { code?: string; message?: string } }).error;
    return new ServiceError(error?.code ?? "failed", error?.message ?? "");
}
