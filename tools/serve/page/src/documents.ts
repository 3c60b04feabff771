// SPDX-License-Identifier: Apache-2.0
// Documents: sent, watched while they are translated, and fetched.
import { ask, askJson, ServiceError } from "./api";
import { button, download, find, make } from "./dom";
import { events } from "./events";
import { duration, onLanguage, t } from "./i18n";
import { languages } from "./languages";
import { complain, describe } from "./notice";
import { Slots } from "./slots";

interface Job {
    id: string;
    state: "queued" | "translating" | "done" | "error" | "cancelled";
    output_name: string;
    error?: string;
    done: number;      // sentences of it
    total: number;
    seconds_remaining?: number;
}

const list = find("documents");
const drop = find("drop");
const chooser = find<HTMLInputElement>("file");
const status = find("status");

// A browser has six connections to a service, and following a document takes one: texts need the others.
const places = new Slots(3);

// A document in the list, from its file to its translation.
class Document {
    private readonly state = make("p", { className: "pale" });
    private readonly bar = make("progress", { max: 1 });
    private readonly buttons = make("span", { className: "row" });
    private readonly item: HTMLLIElement;
    private readonly aborter = new AbortController();
    private job: Job | null = null;
    private error: unknown = null;
    private waits = true;  // for a place
    private began = 0;     // when it was first seen at work
    private readonly forgetLanguage = onLanguage(() => this.show());

    constructor(private readonly file: File) {
        const name = make("strong", {}, make("bdi", {}, file.name));
        this.bar.setAttribute("aria-label", file.name);
        this.item = make("li", {}, make("div", { className: "main" }, name, this.state, this.bar), this.buttons);
        list.prepend(this.item);
        void this.run();
    }

    private async run(): Promise<void> {
        this.error = null;
        this.waits = true;
        this.show();
        let leave = (): void => undefined;
        try {
            leave = await places.take(this.aborter.signal);
            this.waits = false;
            this.show();
            this.job ??= await this.send();
            while (!this.ended()) await this.follow();
            status.textContent = `${this.file.name}: ${this.describeState()}`;
        } catch (error) {
            if (this.aborter.signal.aborted) return;
            this.error = error;
            this.show();
        } finally {
            leave();
        }
    }

    private async send(): Promise<Job> {
        const form = new FormData();
        form.append("from", languages.from());
        form.append("to", languages.to());
        form.append("file", this.file);
        return await askJson<Job>("v1/documents", { method: "POST", body: form, signal: this.aborter.signal });
    }

    // A connection that ends before the document does is opened again.
    private async follow(): Promise<void> {
        for await (const event of events(`v1/jobs/${this.job!.id}/events`, { signal: this.aborter.signal })) {
            this.job = event.data as Job;
            this.show();
        }
        if (!this.ended()) await new Promise((resolve) => setTimeout(resolve, 1000));
    }

    private ended(): boolean {
        return this.job !== null && ["done", "error", "cancelled"].includes(this.job.state);
    }

    private async cancel(): Promise<void> {
        this.aborter.abort();
        this.forgetLanguage();
        this.item.remove();
        if (!this.job) return;
        try {
            await ask(`v1/jobs/${this.job.id}`, { method: "DELETE" });
        } catch (error) {
            if (!(error instanceof ServiceError && error.code === "not_found")) complain(error);
        }
    }

    private async fetch(): Promise<void> {
        this.error = null;
        this.show();
        try {
            const answer = await ask(`v1/jobs/${this.job!.id}/result`, { accept: "*/*" });
            download(this.job!.output_name, await answer.blob());
        } catch (error) {
            this.error = error;
            this.show();
        }
    }

    // How much is done: by its sentences or by its time, since more of them may be found meanwhile.
    private share(): number {
        if (this.job?.state !== "translating") return 0;
        this.began ||= Date.now();
        const { done, total, seconds_remaining: left } = this.job;
        const passed = (Date.now() - this.began) / 1000;
        return Math.max(total > 1 ? done / total : 0, left === undefined ? 0 : passed / (passed + left));
    }

    private describeState(): string {
        if (this.error) return t("documents.error", { reason: describe(this.error) });
        if (!this.job) return t(this.waits ? "documents.queued" : "documents.sending");
        const { state, error = "", done, total } = this.job;
        if (state === "error") return t("documents.error", { reason: error });
        if (state === "translating") {
            const known = done > 0 && total > 1;
            const parts = [known ? t("documents.translating", { done, count: total }) : t("documents.working")];
            const left = this.job.seconds_remaining;
            if (left !== undefined) parts.push(t("documents.remaining", { time: duration(left) }));
            return parts.join(" · ");
        }
        return t(`documents.${state}`);
    }

    private show(): void {
        const ended = this.error !== null || this.ended();
        this.state.textContent = this.describeState();
        this.bar.hidden = ended;
        const share = this.share();
        if (share > 0) this.bar.value = share;
        else this.bar.removeAttribute("value");
        const buttons: HTMLElement[] = [];
        if (this.job?.state === "done") {
            const fetching = button(t("documents.download"), () => void this.fetch());
            fetching.className = "primary";
            buttons.push(fetching);
        }
        if (this.error && !this.ended()) buttons.push(button(t("retry"), () => void this.run()));
        buttons.push(button(ended ? t("remove") : t("cancel"), () => void this.cancel()));
        this.buttons.replaceChildren(...buttons);
    }
}

function add(files: Iterable<File>): void {
    for (const file of files) new Document(file);
}

// Takes documents wherever they are dropped on the page.
export function prepareDocuments(formats: readonly string[], show: () => void): void {
    const name = (): void => {
        find("formats").textContent = t("documents.formats", { formats: formats.join(" ") });
    };
    chooser.accept = formats.join(",");
    onLanguage(name);
    name();
    chooser.addEventListener("change", () => {
        add([...(chooser.files ?? [])]);
        chooser.value = "";
    });
    const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;
    document.addEventListener("dragover", (event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        show();
        drop.classList.add("over-it");
    });
    document.addEventListener("dragleave", (event) => {
        if (!event.relatedTarget) drop.classList.remove("over-it");
    });
    document.addEventListener("drop", (event) => {
        drop.classList.remove("over-it");
        if (!hasFiles(event)) return;
        event.preventDefault();
        add([...event.dataTransfer!.files]);
    });
}
