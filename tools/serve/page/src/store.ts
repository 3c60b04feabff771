// SPDX-License-Identifier: Apache-2.0
// What the browser keeps: settings and texts in localStorage, the key of the service until the tab is closed.

const prefix = "dragoman.";

function read<T>(storage: () => Storage, name: string, fallback: T): T {
    try {
        const text = storage().getItem(prefix + name);
        const value: unknown = text === null ? fallback : JSON.parse(text);
        return sameKind(value, fallback) ? value as T : fallback;
    } catch {
        return fallback;  // a browser that keeps nothing, or what is no JSON
    }
}

// Programs of other ports may have written there, too.
const sameKind = (value: unknown, fallback: unknown): boolean =>
    typeof value === typeof fallback && Array.isArray(value) === Array.isArray(fallback) && value !== null;

// False: it is full, or not allowed.
function write(storage: () => Storage, name: string, value: unknown): boolean {
    try {
        if (value === null) storage().removeItem(prefix + name);
        else storage().setItem(prefix + name, JSON.stringify(value));
        return true;
    } catch {
        return false;
    }
}

const lasting = () => localStorage;
const ofTab = () => sessionStorage;

export const kept = <T>(name: string, fallback: T): T => read(lasting, name, fallback);
export const keep = (name: string, value: unknown): boolean => write(lasting, name, value);

let given = "";  // where the browser keeps nothing, the key lasts until the page is left
export const key = (): string => read(ofTab, "key", given);
export function keepKey(value: string): void {
    given = value;
    write(ofTab, "key", value || null);
}
