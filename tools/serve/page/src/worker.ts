// SPDX-License-Identifier: Apache-2.0
// Keeps the files of the page, so that it opens while the service is away and says so. What is asked of the service
// itself is never answered from here.
interface ExtendableEvent extends Event {
    waitUntil(promise: Promise<unknown>): void;
}
interface FetchEvent extends ExtendableEvent {
    readonly request: Request;
    respondWith(response: Promise<Response>): void;
}

const name = "dragoman-page";
const files = ["./", "app.js", "app.css", "icon.svg", "manifest.webmanifest"];
const addresses = new Set(files.map((file) => new URL(file, self.location.href).href));

async function answer(request: Request, address: string): Promise<Response> {
    const cache = await caches.open(name);
    try {
        const response = await fetch(request);
        if (response.ok) await cache.put(address, response.clone());
        return response;
    } catch (error) {
        const kept = await cache.match(address);
        if (kept) return kept;
        throw error;
    }
}

self.addEventListener("install", (event) => {
    (event as ExtendableEvent).waitUntil(caches.open(name).then((cache) => cache.addAll(files)));
});
self.addEventListener("fetch", (event) => {
    const { request, respondWith } = event as FetchEvent;
    const address = request.url.replace(/[?#].*$/, "");
    if (request.method === "GET" && addresses.has(address)) respondWith.call(event, answer(request, address));
});

export {};
