// SPDX-License-Identifier: Apache-2.0
// Puts the parts of the page together.
import { askJson, ServiceError } from "./api";
import { closeChoices, closeOutdatedChoices, onChoice } from "./alternatives";
import { closeDialogs, openDialog, prepareDialogs } from "./dialogs";
import { prepareDocuments } from "./documents";
import { find } from "./dom";
import { onGlossary, showGlossary, termsFor } from "./glossary";
import { onPast, remember, showHistory } from "./history";
import { number, onLanguage, t } from "./i18n";
import { choose, languages, leaveTarget, loadLanguages, onLanguages, setDetected, swap } from "./languages";
import { Live, type Wanted } from "./live";
import { openModels, prepareModels } from "./models";
import { complain, hideNotice, say } from "./notice";
import { clearOutput, show, showPieces, showSource, translatedText, translation } from "./output";
import { prepareSettings } from "./settings";
import { prepareShortcuts } from "./shortcuts";
import { copy, offerSpeech } from "./speech";
import { keep, kept, key } from "./store";
import type { Translation } from "./translation";

interface Info {
    version: string;
    admin?: boolean;
    documents: boolean;
    key_required: boolean;
    limits: { characters: number | null };
}

const source = find<HTMLTextAreaElement>("source");
const target = find("translation");
const status = find("status");
let limit = 0;  // characters of a text; 0: none
let documentsReady = false;
let beginnings = 0;

function wanted(): Wanted {
    const glossary = termsFor(languages.source(), languages.to());
    return { text: source.value, from: languages.from(), to: languages.to(), glossary };
}

const live = new Live({
    busy: (on) => {
        find("busy").classList.toggle("on", on);
        target.setAttribute("aria-busy", String(on));
    },
    pieces: (pieces, asked) => {
        hideNotice();
        showPieces(pieces, asked.text, asked.to);
        closeOutdatedChoices();
    },
    done: settle,
    failed: (error) => complain(error, translateNow),
});

function translateNow(): void {
    if (source.value.trim() && showCount() && languages.to()) void live.now(wanted());
}

function settle(made: Translation): void {
    hideNotice();
    const asked = languages.source();
    const detects = languages.from() === "auto";
    if (detects) setDetected(made.from);
    if (made.from === made.to && made.detected && leaveTarget()) return;  // it is translated once more
    show(made);
    closeOutdatedChoices();
    showSource(made.from);
    status.textContent = t("translation.ready", { text: made.text });
    remember({ from: made.from, to: made.to, source: made.source, text: made.text });
    if (made.from === made.to) say(t("language.same", { language: languages.name(made.from) }));
    // The terms for a language are known when it was found; those of another one were wrong.
    else if (detects && asked !== made.from && [asked, made.from].some((from) => termsFor(from, made.to).length)) {
        void live.now(wanted());
    }
}

function showCount(): boolean {
    const count = [...source.value].length;
    const element = find("count");
    const over = limit > 0 && count > limit;
    element.classList.toggle("over", over);
    if (over) element.textContent = t("source.over", { count: count - limit });
    else if (limit > 0) element.textContent = t("source.limit", { used: number(count), count: limit });
    else element.textContent = count ? t("source.count", { count }) : "";
    return !over;
}

function changed(): void {
    closeChoices();
    showSource(languages.from());
    find<HTMLButtonElement>("clear").disabled = !source.value;
    if (!source.value.trim()) {
        live.stop();
        clearOutput();
        if (languages.from() === "auto") setDetected("");
        hideNotice();
        showCount();
    } else if (showCount() && languages.to()) {
        live.soon(wanted());
    } else {
        live.stop();
    }
}

function swapTexts(): void {
    live.stop();
    const made = translation();  // none while there are only pieces of it: then the text stays
    if (made) source.value = made.text;
    clearOutput();
    swap();
}

function view(documents: boolean): void {
    find("text-view").hidden = documents;
    find("documents-view").hidden = !documents;
    find("show-text").setAttribute("aria-pressed", String(!documents));
    find("show-documents").setAttribute("aria-pressed", String(documents));
}

function shade(on: boolean): void {
    keep("shade", on);
    find("shade").setAttribute("aria-pressed", String(on));
    find("text-view").classList.toggle("shaded", on);
    find("legend").hidden = !on;
}

function write(text: string): void {
    source.value = text;
    changed();
}

// Asks what the service is and has. With another key, or once more, it is asked anew: then the last answer counts.
async function begin(address: URLSearchParams): Promise<void> {
    const own = ++beginnings;
    try {
        const info = await askJson<Info>("v1/info");
        if (own !== beginnings) return;
        limit = info.limits.characters ?? 0;
        document.querySelector<HTMLElement>('[data-opens="models"]')!.hidden = !info.admin;
        find("about").textContent = `Dragoman ${info.version}`;
        find("show-documents").hidden = !info.documents;
        if (info.documents) await offerDocuments();
        await loadLanguages(address);
        if (own !== beginnings) return;
        hideNotice();
        if (info.key_required && !key()) complain(new ServiceError("unauthorized", ""));
        else changed();
    } catch (error) {
        if (own !== beginnings) return;
        complain(error, () => void begin(address));
        if (!(error instanceof ServiceError)) throw error;
    }
}

async function offerDocuments(): Promise<void> {
    if (documentsReady) return;
    const { documents } = await askJson<{ documents: string[] }>("v1/formats");
    documentsReady = true;
    prepareDocuments(documents, () => view(true));
}

// Models came or went.
async function reloadLanguages(): Promise<void> {
    const before = languages.chosen().toString();
    try {
        await loadLanguages(languages.chosen());
    } catch (error) {
        complain(error);
        return;
    }
    if (languages.chosen().toString() !== before) changed();
}

function prepare(): void {
    const address = new URLSearchParams(location.search);
    source.value = address.get("q") ?? "";
    shade(kept("shade", true));
    prepareDialogs({ glossary: showGlossary, history: showHistory, models: openModels });
    prepareSettings(() => void begin(languages.chosen()));
    prepareShortcuts(translateNow);
    prepareModels(() => void reloadLanguages());
    onLanguages(changed);
    onGlossary(changed);
    onLanguage(() => showCount());
    onChoice((made) => remember({ from: made.from, to: made.to, source: made.source, text: made.text }));
    onPast((past) => {
        closeDialogs();
        view(false);
        source.value = past.source;
        choose(past.from, past.to);
    });
    offerSpeech("speak-source", () => source.value, languages.source);
    offerSpeech("speak-target", translatedText, languages.to);
    source.addEventListener("input", changed);
    find("clear").addEventListener("click", () => { write(""); source.focus(); });
    find("copy").addEventListener("click", () => void copy(translatedText()));
    find("shade").addEventListener("click", () => shade(find("shade").getAttribute("aria-pressed") !== "true"));
    find("show-text").addEventListener("click", () => view(false));
    find("show-documents").addEventListener("click", () => view(true));
    document.addEventListener("swap", swapTexts);
    document.addEventListener("need-key", () => {
        openDialog("settings");
        find("key").focus();
    });
    const empty = (): void => { target.dataset.empty = t("translation.empty"); };
    onLanguage(empty);
    empty();
    changed();
    void begin(address);
    if ("serviceWorker" in navigator) navigator.serviceWorker.register("worker.js").catch(() => undefined);
}

prepare();
