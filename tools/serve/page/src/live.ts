// SPDX-License-Identifier: Apache-2.0
// Translates while somebody types: after a short pause, in pieces as they come, and never what is outdated.
import { ServiceError } from "./api";
import { events } from "./events";
import { read, type Range, type Served, type Translation } from "./translation";

export interface Wanted {
    text: string;
    from: string;
    to: string;
    glossary: [string, string][];
}

// What is known so far of each sentence of a translation that is under way.
export interface Piece {
    text: string;
    source: Range;
    done: boolean;
}

export interface Listener {
    busy(on: boolean): void;
    pieces(pieces: readonly (Piece | undefined)[], wanted: Wanted): void;
    done(translation: Translation): void;
    failed(error: unknown): void;
}

const pause = 250;  // milliseconds without a key

export class Live {
    private timer = 0;
    private frame = 0;
    private running: AbortController | null = null;

    constructor(private readonly listener: Listener) {}

    // Forgets what is under way.
    stop(): void {
        clearTimeout(this.timer);
        this.hold();
        this.running?.abort();
        this.running = null;
        this.listener.busy(false);
    }

    soon(wanted: Wanted): void {
        this.stop();
        this.timer = setTimeout(() => void this.now(wanted), pause);
    }

    async now(wanted: Wanted): Promise<void> {
        this.stop();
        const own = new AbortController();
        this.running = own;
        this.listener.busy(true);
        try {
            await this.follow(wanted, own.signal);
        } catch (error) {
            if (!own.signal.aborted) this.listener.failed(error);
        } finally {
            if (this.running === own) this.stop();
        }
    }

    private async follow(wanted: Wanted, signal: AbortSignal): Promise<void> {
        const pieces: (Piece | undefined)[] = [];
        for await (const event of events("v1/translate", { method: "POST", body: requestOf(wanted), signal })) {
            if (event.name === "result") {
                this.hold();
                return this.listener.done(read(event.data as Served, wanted.text));
            }
            if (event.name !== "partial" && event.name !== "sentence") continue;
            const { sentence, source, text } = event.data as { sentence: number; source: Range; text: string };
            const done = event.name === "sentence";
            if (!done && pieces[sentence]?.done) continue;
            pieces[sentence] = { text, source, done };
            // Pieces come faster than anybody sees: they are shown once a frame.
            this.frame ||= requestAnimationFrame(() => {
                this.frame = 0;
                this.listener.pieces(pieces, wanted);
            });
        }
        throw new ServiceError("network", "");  // it ended without a result
    }

    // What has not been shown yet is not shown any more.
    private hold(): void {
        cancelAnimationFrame(this.frame);
        this.frame = 0;
    }
}

function requestOf({ text, from, to, glossary }: Wanted): Record<string, unknown> {
    const request: Record<string, unknown> = {
        text, from, to, stream: true, offsets: "utf16", quality: true, coverage: true, alignment: true,
    };
    if (glossary.length) request.glossary = glossary;
    return request;
}
