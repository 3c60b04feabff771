// SPDX-License-Identifier: Apache-2.0
// What went wrong, in the reader's language, with a way on.
import { ServiceError } from "./api";
import { button, find, make } from "./dom";
import { has, t } from "./i18n";

const box = find("notice");
let timer = 0;

const keyCodes = new Set(["unauthorized", "forbidden"]);

// The name of a problem, and what the service says of it.
export function describe(error: unknown): string {
    if (!(error instanceof ServiceError)) return error instanceof Error ? error.message : String(error);
    const name = `error.${error.code}`;
    const text = t(has(name) ? name : "error.failed");
    return error.message ? `${text} (${error.message})` : text;
}

export function hideNotice(): void {
    clearTimeout(timer);
    box.hidden = true;
    box.replaceChildren();
}

export function say(text: string, ...actions: HTMLElement[]): void {
    clearTimeout(timer);
    box.classList.remove("bad");
    box.replaceChildren(make("p", {}, text), ...actions, button(t("dismiss"), hideNotice));
    box.hidden = false;
}

// A problem with a button that tries again. Where the service says when, and that is soon, it is tried then.
export function complain(error: unknown, retry?: () => void): void {
    const actions: HTMLElement[] = [];
    const again = (): void => { hideNotice(); retry?.(); };
    if (retry) actions.push(button(t("retry"), again));
    let text = describe(error);
    if (error instanceof ServiceError) {
        if (keyCodes.has(error.code)) {
            actions.push(button(t("error.to_key"), () => document.dispatchEvent(new CustomEvent("need-key"))));
        }
        const soon = error.retryAfter > 0 && error.retryAfter <= 60;
        if (soon) text += " " + t("error.again", { count: error.retryAfter });
        say(text, ...actions);
        box.classList.add("bad");
        if (soon && retry) timer = setTimeout(again, error.retryAfter * 1000);
    } else {
        say(text, ...actions);
        box.classList.add("bad");
    }
}
