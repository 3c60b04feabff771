// SPDX-License-Identifier: Apache-2.0
// What the browser keeps: settings and texts in localStorage, the key of the service until the tab is closed.

const prefix = "dragoman.";

function read<T>(storage: () => Storage, name: string, fallback: T): T {
    try {
        const text = storage().getItem(prefix + name);
        return text === null ? fallback : JSON.parse(text) as T;
    } catch {
        return fallback;  // a browser that keeps nothing, or what is no JSON
    }
}

function write(storage: () => Storage, name: string, value: unknown): void {
    try {
        if (value === null) storage().removeItem(prefix + name);
        else storage().setItem(prefix + name, JSON.stringify(value));
    } catch {
        // It is full, or not allowed: the page works without.
    }
}

const lasting = () => localStorage;
const ofTab = () => sessionStorage;

export const kept = <T>(name: string, fallback: T): T => read(lasting, name, fallback);
export const keep = (name: string, value: unknown): void => write(lasting, name, value);
export const key = (): string => read(ofTab, "key", "");
export const keepKey = (value: string): void => write(ofTab, "key", value || null);
