// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Linq;

namespace Dragoman
{
    /// <summary>
    /// A device in use. Models are loaded onto it and keep it; they share its memory limit and its queue of work. Any
    /// number of threads may use it.
    /// </summary>
    public sealed class Device : IDisposable
    {
        internal DeviceHandle Handle { get; }

        /// <summary>Opens a device.</summary>
        public Device(DeviceOptions options = null)
        {
            Handle = new DeviceHandle(Calls.DeviceOpen(options));
        }

        /// <summary>Ends the handle; models on the device keep it.</summary>
        public void Dispose() => Handle.Dispose();

        /// <summary>All Vulkan devices, in the order of the drivers.</summary>
        /// <exception cref="DragomanException">Status.NoDevice: there is no Vulkan loader.</exception>
        public static IReadOnlyList<DeviceInfo> List() =>
            Enumerable.Range(0, (int)Calls.DeviceCount()).Select(index => Calls.DeviceDescribe(index)).ToArray();

        /// <summary>Memory of a device that need not be open.</summary>
        public static DeviceMemory MemoryOf(long index) => Calls.DeviceMemory(index);

        /// <summary>What the device is.</summary>
        public DeviceInfo Info => Handle.GetInfo();

        /// <summary>Those that work together behind this one: see <see cref="DeviceOptions.Name"/>.</summary>
        public IReadOnlyList<DeviceInfo> Members =>
            Enumerable.Range(0, Handle.MemberCount()).Select(index => Handle.MemberInfo(index)).ToArray();

        /// <summary>Its memory now, and what everything on it holds.</summary>
        public DeviceMemory Memory => Handle.GetMemory();

        /// <summary>
        /// Runs every kernel on small inputs and compares: a report in JSON, which docs/devices.md explains.
        /// </summary>
        public string Check() => Benchmark.Json(Calls.DeviceCheck(Handle));

        /// <summary>Gives back device memory except models and what running calls and jobs use.</summary>
        public void Trim() => Handle.Trim();
    }
}
