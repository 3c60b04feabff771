// SPDX-License-Identifier: Apache-2.0
// Elements of the page.

export function find<T extends HTMLElement = HTMLElement>(id: string): T {
    const element = document.getElementById(id);
    if (!element) throw new Error(`the page has no element ${id}`);
    return element as T;
}

type Child = Node | string;

export function make<K extends keyof HTMLElementTagNameMap>(
    tag: K, properties: Partial<HTMLElementTagNameMap[K]> = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
}

export function button(text: string, action: () => void, label?: string): HTMLButtonElement {
    const element = make("button", { type: "button", onclick: action }, text);
    if (label) element.setAttribute("aria-label", label);
    return element;
}

// Languages whose script runs from right to left.
const rightToLeft = new Set(["Arab", "Hebr", "Thaa", "Syrc", "Nkoo", "Adlm", "Rohg", "Mand", "Samr"]);

export function direction(language: string): "ltr" | "rtl" | "auto" {
    if (!language || language === "auto") return "auto";
    try {
        const script = new Intl.Locale(language).maximize().script;
        return script && rightToLeft.has(script) ? "rtl" : "ltr";
    } catch {
        return "auto";
    }
}

// Says what language a text is in, for readers, voices and fonts.
export function setLanguage(element: HTMLElement, language: string): void {
    element.dir = direction(language);
    if (language && language !== "auto") element.lang = language;
    else element.removeAttribute("lang");
}

export function download(name: string, content: Blob): void {
    const link = make("a", { href: URL.createObjectURL(content), download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
