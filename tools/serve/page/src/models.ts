// SPDX-License-Identifier: Apache-2.0
// The models of the service, for those who may change them: load, unload, download.
import { ask, askJson } from "./api";
import { button, find, make } from "./dom";
import { events } from "./events";
import { bytes, has, onLanguage, percent, t } from "./i18n";
import { complain } from "./notice";

interface Model {
    name: string;
    state: string;
    error?: string;
    license?: string;
    bytes: number;
}

interface Offer {
    name: string;
    license?: string;
    bytes: number;
    installed: boolean;
    served: boolean;
}

interface Download {
    id: string;
    state: string;
    error?: string;
    done_bytes: number;
    total_bytes: number;
}

const here = find("models-here");
const there = find("models-there");
const from = find<HTMLInputElement>("registry-from");
const to = find<HTMLInputElement>("registry-to");
let known: Model[] = [];
let searches = 0;
let onChange: () => void = () => undefined;

const pathOf = (name: string): string => name.split("/").map(encodeURIComponent).join("/");

function failed(error: unknown): void {
    find<HTMLDialogElement>("models").close();
    complain(error);
}

async function act(model: Model, action: "load" | "unload", pressed: HTMLButtonElement): Promise<void> {
    pressed.disabled = true;
    try {
        await ask(`v1/models/${pathOf(model.name)}/${action}`, { method: "POST", body: {} });
        await refresh();
    } catch (error) {
        failed(error);
    }
}

function facts(...parts: (string | undefined)[]): HTMLParagraphElement {
    return make("p", { className: "pale", textContent: parts.filter(Boolean).join(" · ") });
}

function showModels(): void {
    here.replaceChildren(...known.map((model) => {
        const state = `models.state.${model.state}`;
        const described = facts(has(state) ? t(state) : model.state, bytes(model.bytes), model.license, model.error);
        const action = model.state === "loaded" ? "unload" : "load";
        const pressed = button(t(`models.${action}`), () => void act(model, action, pressed));
        pressed.setAttribute("aria-label", `${t(`models.${action}`)}: ${model.name}`);
        return make("li", {}, make("div", { className: "main" }, make("strong", {}, model.name), described), pressed);
    }));
}

async function refresh(): Promise<void> {
    known = (await askJson<{ models: Model[] }>("v1/models")).models;
    showModels();
    onChange();
}

// Follows a download in its place in the list, until it is done or cancelled.
async function download(offer: Offer, item: HTMLElement, pressed: HTMLButtonElement): Promise<void> {
    const bar = make("progress", { max: 1 });
    const state = facts();
    bar.setAttribute("aria-label", offer.name);
    item.append(bar, state);
    pressed.remove();
    try {
        const job = await askJson<Download>("v1/models", { method: "POST", body: { name: offer.name } });
        const stop = button(t("cancel"), () => void ask(`v1/jobs/${job.id}`, { method: "DELETE" }).catch(failed));
        item.append(stop);
        const show = (now: Download): void => {
            if (now.total_bytes > 0) bar.value = now.done_bytes / now.total_bytes;
            state.textContent = now.total_bytes > 0 ? `${percent(bar.value)} · ${bytes(now.done_bytes)}` : "";
        };
        const last = await follow(job, show).finally(() => stop.remove());
        bar.remove();
        state.textContent = last.state === "done" ? t("models.installed") : last.error ?? t("documents.cancelled");
        await refresh();
    } catch (error) {
        bar.remove();
        state.remove();
        item.append(pressed);
        failed(error);
    }
}

// A connection that ends before the download does is opened again.
async function follow(job: Download, show: (now: Download) => void): Promise<Download> {
    let last = job;
    while (!["done", "error", "cancelled"].includes(last.state)) {
        for await (const event of events(`v1/jobs/${job.id}/events`, {})) {
            last = event.data as Download;
            show(last);
        }
        await new Promise((resolve) => setTimeout(resolve, 200));
    }
    return last;
}

async function search(): Promise<void> {
    const own = ++searches;
    there.replaceChildren();
    try {
        const query = new URLSearchParams({ from: from.value.trim(), to: to.value.trim() });
        const { models } = await askJson<{ models: Offer[] }>(`v1/registry?${query}`);
        if (own !== searches) return;  // another one was asked for meanwhile
        there.replaceChildren(...models.map((offer) => {
            const state = offer.served || offer.installed ? t("models.installed") : "";
            const main = make("div", { className: "main" }, make("strong", {}, offer.name),
                facts(offer.bytes ? bytes(offer.bytes) : "", offer.license, state));
            const item = make("li", {}, main);
            const action = t(offer.installed ? "models.add" : "models.download");
            const pressed = button(action, () => void download(offer, item, pressed), `${action}: ${offer.name}`);
            if (!offer.served) item.append(pressed);
            return item;
        }));
        if (!models.length) there.append(make("li", { className: "pale", textContent: t("models.none") }));
    } catch (error) {
        if (own === searches) failed(error);
    }
}

export function openModels(): void {
    void refresh().catch(failed);
}

// `changed`: other languages may be served now.
export function prepareModels(changed: () => void): void {
    onChange = changed;
    find("registry-form").addEventListener("submit", (event) => {
        event.preventDefault();
        void search();
    });
    onLanguage(showModels);
}
