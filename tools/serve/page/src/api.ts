// SPDX-License-Identifier: Apache-2.0
// Requests to the service. Addresses are relative to the page, so that it works below any path.
import { key } from "./store";

// Why a request has no answer: `code` is a name of the service, or "network".
export class ServiceError extends Error {
    constructor(readonly code: string, message: string, readonly status = 0, readonly retryAfter = 0) {
        super(message);
    }
}

async function problemOf(response: Response): Promise<ServiceError> {
    const retryAfter = Number(response.headers.get("Retry-After")) || 0;
    const body: unknown = await response.json().catch(() => null);
    const error = (body as { error?: unknown } | null)?.error;
    if (error && typeof error === "object") {
        const { code, message } = error as { code?: string; message?: string };
        return new ServiceError(code ?? nameOf(response.status), message ?? "", response.status, retryAfter);
    }
    const message = typeof error === "string" ? error : "";
    return new ServiceError(nameOf(response.status), message, response.status, retryAfter);
}

function nameOf(status: number): string {
    const names: Record<number, string> = {
        400: "bad_request", 401: "unauthorized", 403: "forbidden", 404: "not_found", 413: "too_large",
        415: "unsupported_type", 429: "too_many_requests", 501: "unsupported", 503: "busy",
    };
    return names[status] ?? "failed";
}

export interface Ask {
    method?: string;
    body?: unknown;        // an object is sent as JSON, a form as it is
    accept?: string;
    signal?: AbortSignal | undefined;
}

// The answer, if it is one; otherwise throws a ServiceError. An aborted request throws what fetch() throws.
export async function ask(path: string, options: Ask = {}): Promise<Response> {
    const { method = "GET", body, accept = "application/json", signal } = options;
    const headers: Record<string, string> = { Accept: accept };
    const secret = key();
    if (/[^\x21-\x7e]/.test(secret)) throw new ServiceError("unauthorized", "");  // no header can have it
    if (secret) headers.Authorization = `Bearer ${secret}`;
    const request: RequestInit = { method, headers, cache: "no-store", credentials: "same-origin" };
    if (signal) request.signal = signal;
    if (body instanceof FormData) {
        request.body = body;
    } else if (body !== undefined) {
        headers["Content-Type"] = "application/json";
        request.body = JSON.stringify(body);
    }
    let response: Response;
    try {
        response = await fetch(path, request);
    } catch (error) {
        if (signal?.aborted) throw error;
        throw new ServiceError("network", "");
    }
    if (!response.ok) throw await problemOf(response);
    return response;
}

export async function askJson<T>(path: string, options: Ask = {}): Promise<T> {
    const response = await ask(path, options);
    try {
        return await response.json() as T;
    } catch (error) {
        if (options.signal?.aborted) throw error;
        throw new ServiceError(error instanceof SyntaxError ? "failed" : "network", "");
    }
}
