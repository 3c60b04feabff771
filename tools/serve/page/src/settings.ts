// SPDX-License-Identifier: Apache-2.0
// The language of the page, its appearance, the key.
import { find, make } from "./dom";
import { interfaceLanguage, interfaceLanguages, setInterfaceLanguage } from "./i18n";
import { keep, keepKey, kept, key } from "./store";

const language = find<HTMLSelectElement>("ui-language");
const theme = find<HTMLSelectElement>("theme");
const secret = find<HTMLInputElement>("key");

function showTheme(): void {
    if (theme.value === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme.value;
}

export function prepareSettings(keyChanged: () => void): void {
    language.append(...interfaceLanguages.map(({ code, name }) =>
        make("option", { value: code, textContent: name, lang: code })));
    language.value = interfaceLanguage();
    language.addEventListener("change", () => setInterfaceLanguage(language.value));
    theme.value = kept("theme", "system");
    if (theme.selectedIndex < 0) theme.value = "system";
    showTheme();
    theme.addEventListener("change", () => {
        keep("theme", theme.value);
        showTheme();
    });
    secret.value = key();
    const changed = (): void => {
        if (secret.value.trim() === key()) return;
        keepKey(secret.value.trim());
        keyChanged();
    };
    secret.addEventListener("change", changed);
    find("key-form").addEventListener("submit", (event) => {
        event.preventDefault();
        changed();
    });
}
