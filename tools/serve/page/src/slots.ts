// SPDX-License-Identifier: Apache-2.0
// A number of places for tasks that take long: who comes when all are taken waits for one.
export class Slots {
    private readonly waiting: (() => void)[] = [];

    constructor(private free: number) {}

    // Rejects when `signal` aborts before there is a place. What comes back gives it free, once.
    async take(signal: AbortSignal): Promise<() => void> {
        if (signal.aborted) throw signal.reason;
        if (this.free > 0) this.free--;
        else await this.turn(signal);
        let given = false;
        return () => {
            if (given) return;
            given = true;
            const next = this.waiting.shift();
            if (next) next();
            else this.free++;
        };
    }

    private turn(signal: AbortSignal): Promise<void> {
        return new Promise((resolve, reject) => {
            const gone = (): void => {
                this.waiting.splice(this.waiting.indexOf(next), 1);
                reject(signal.reason);
            };
            const next = (): void => {
                signal.removeEventListener("abort", gone);
                resolve();
            };
            signal.addEventListener("abort", gone, { once: true });
            this.waiting.push(next);
        });
    }
}
