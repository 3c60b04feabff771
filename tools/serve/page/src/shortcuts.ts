// SPDX-License-Identifier: Apache-2.0
// Keys that work everywhere on the page. They are listed in the panel "help".
import { closeChoices } from "./alternatives";
import { find } from "./dom";
import { clear, currentWord } from "./highlight";
import { elementOf } from "./words";

// By the key's place: with Alt, many layouts write other letters.
const clicks: Record<string, string> = { KeyS: "swap", KeyC: "copy", KeyM: "shade" };
const focuses: Record<string, string> = { KeyE: "source", KeyT: "translation" };

export function prepareShortcuts(translateNow: () => void): void {
    const target = find("translation");
    document.addEventListener("keydown", (event) => {
        if (event.key === "Escape") {
            closeChoices();
            clear();
        } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
            translateNow();
        } else if (event.altKey && event.shiftKey && !event.ctrlKey && !event.metaKey) {
            const clicked = clicks[event.code];
            const focused = focuses[event.code];
            if (!clicked && !focused) return;
            event.preventDefault();
            if (clicked) find(clicked).click();
            if (focused) find(focused).focus();
        }
    });
    target.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
        const word = currentWord();
        const element = (word && elementOf(word)) ?? target.querySelector<HTMLElement>(".w");
        if (!element) return;
        event.preventDefault();
        const box = element.getBoundingClientRect();
        element.dispatchEvent(new MouseEvent("click", { bubbles: true, clientX: box.left, clientY: box.bottom }));
    });
}
