// SPDX-License-Identifier: Apache-2.0
"use strict";

const { call, InvalidArgumentError } = require("./errors.js");
const { asyncDispose, native } = require("./native.js");
const { options } = require("./options.js");

const secret = Symbol("made by open()");
/** Of a device that is opened for one model. */
const OWN = ["cacheDir", "memoryLimitBytes", "validation", "trustKernels", "tune"];

class Device {
    #handle;
    constructor(key, handle) {
        if (key !== secret) throw new TypeError("use Device.open()");
        this.#handle = handle;
    }
    static async open(given) {
        const named = typeof given?.name === "number" ? { ...given, name: String(given.name) } : given;
        return new Device(secret, await call(native.openDevice, options("device", named)));
    }
    /** @internal */
    get handle() {
        return this.#handle;
    }
    get info() {
        return call(native.openDeviceInfo, this.#handle);
    }
    get memory() {
        return call(native.openDeviceMemory, this.#handle);
    }
    async check() {
        return JSON.parse(await call(native.checkDevice, this.#handle));
    }
    async trim() {
        await call(native.trimDevice, this.#handle);
    }
    async close() {
        await call(native.closeDevice, this.#handle);
    }
    async [asyncDispose]() {
        await this.close();
    }
}

/** The options of a device among those of a model; `device` may be its name. */
function deviceOptions({ device, cacheDir, memoryLimitBytes, validation, trustKernels, tune }) {
    const given = Object.entries({ name: device, cacheDir, memoryLimitBytes, validation, trustKernels, tune })
        .filter(([, value]) => value !== undefined && value !== null);
    return options("device", Object.fromEntries(given.map(([name, value]) =>
        [name, name === "name" && typeof value === "number" ? String(value) : value])));
}

/** Calls `load(options, device)` with the caller's device, one opened for the model, or that which all others share. */
async function onDevice(given, load) {
    const { device, cacheDir, memoryLimitBytes, validation, trustKernels, tune, ...rest } = given ?? {};
    const chosen = options("model", rest);
    if (device instanceof Device) {
        const wrong = OWN.filter((name) => given[name] !== undefined);
        if (wrong.length > 0) throw new InvalidArgumentError(`${wrong.join(", ")}: the device is open already`);
        return load(chosen, device.handle);
    }
    const own = deviceOptions({ device, cacheDir, memoryLimitBytes, validation, trustKernels, tune });
    if (Object.keys(own).length === 0) return load(chosen, null);
    const handle = await call(native.openDevice, own);
    try {
        return await load(chosen, handle);
    } finally {
        await call(native.closeDevice, handle);  // the model keeps the device
    }
}

module.exports = { Device, deviceOptions, onDevice };
