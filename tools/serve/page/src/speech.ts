// SPDX-License-Identifier: Apache-2.0
// Copying a translation and reading texts aloud, with the voices of the system.
import { find } from "./dom";
import { t } from "./i18n";

const status = find("status");

export async function copy(text: string): Promise<void> {
    if (!text) return;
    const told = t(await copied(text) ? "copy.done" : "copy.failed");
    status.textContent = "";
    status.textContent = told;
    const said = find("said");
    said.textContent = told;
    setTimeout(() => { if (said.textContent === told) said.textContent = ""; }, 1500);
}

async function copied(text: string): Promise<boolean> {
    try {
        await navigator.clipboard.writeText(text);
        return true;
    } catch {
        // Pages that are not secure have no clipboard of their own: what is selected can be copied.
        const before = document.activeElement;
        const field = document.createElement("textarea");
        field.value = text;
        document.body.append(field);
        field.select();
        const done = document.execCommand("copy");
        field.remove();
        if (before instanceof HTMLElement) before.focus();
        return done;
    }
}

function speak(text: string, language: string): void {
    const running = speechSynthesis.speaking;
    speechSynthesis.cancel();
    if (running || !text) return;
    const utterance = new SpeechSynthesisUtterance(text);
    if (language) utterance.lang = language;
    speechSynthesis.speak(utterance);
}

export function offerSpeech(id: string, text: () => string, language: () => string): void {
    if (!("speechSynthesis" in window)) return;
    const element = find(id);
    element.hidden = false;
    element.addEventListener("click", () => speak(text(), language()));
}
