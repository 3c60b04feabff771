// SPDX-License-Identifier: Apache-2.0
// The panels at the side: each is a dialog, and a button that has its name opens it.
import { find, make } from "./dom";
import { t, onLanguage } from "./i18n";

export function openDialog(id: string): void {
    find<HTMLDialogElement>(id).showModal();
}

export function closeDialogs(): void {
    for (const dialog of document.querySelectorAll<HTMLDialogElement>("dialog[open]")) dialog.close();
}

// `refresh`: what a panel shows is read when it opens.
export function prepareDialogs(refresh: Record<string, () => void>): void {
    for (const dialog of document.querySelectorAll("dialog")) {
        const close = make("button", { type: "button", className: "icon close", onclick: () => dialog.close() });
        close.append(find("clear").firstElementChild!.cloneNode(true));
        dialog.prepend(close);
        dialog.addEventListener("click", (event) => {
            const box = dialog.getBoundingClientRect();
            const inside = event.clientX >= box.left && event.clientX <= box.right
                && event.clientY >= box.top && event.clientY <= box.bottom;
            if (event.target === dialog && !inside) dialog.close();
        });
    }
    for (const opener of document.querySelectorAll<HTMLElement>("[data-opens]")) {
        const id = opener.dataset.opens!;
        opener.setAttribute("aria-haspopup", "dialog");
        opener.addEventListener("click", () => {
            refresh[id]?.();
            openDialog(id);
        });
    }
    const name = (): void => {
        for (const close of document.querySelectorAll("dialog > .close")) close.setAttribute("aria-label", t("close"));
    };
    onLanguage(name);
    name();
}
