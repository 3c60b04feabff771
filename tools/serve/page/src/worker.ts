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

const away = new Set([502, 503, 504]);  // a proxy that does not reach the service

async function keep(address: string, response: Response): Promise<void> {
    await (await caches.open(name)).put(address, response);
}

async function kept(address: string): Promise<Response | undefined> {
    return await (await caches.open(name)).match(address);
}

async function answer(event: FetchEvent, address: string): Promise<Response> {
    try {
        const response = await fetch(event.request);
        // A browser that keeps nothing has the page all the same.
        if (response.ok) event.waitUntil(keep(address, response.clone()).catch(() => undefined));
        return away.has(response.status) ? await kept(address) ?? response : response;
    } catch (error) {
        const page = await kept(address);
        if (page) return page;
        throw error;
    }
}

self.addEventListener("install", (event) => {
    (event as ExtendableEvent).waitUntil(caches.open(name).then((cache) => cache.addAll(files)));
});
self.addEventListener("fetch", (event) => {
    const own = event as FetchEvent;
    const address = own.request.url.replace(/[?#].*$/, "");
    if (own.request.method === "GET" && addresses.has(address)) own.respondWith(answer(own, address));
});

export {};
