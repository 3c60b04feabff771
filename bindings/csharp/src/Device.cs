// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;

namespace Dragoman
{
    /// <summary>
    /// A device in use. Models are loaded onto it and keep it; they share its memory limit and its queue of work. Any
    /// number of threads may use it.
    /// </summary>
    public sealed unsafe class Device : IDisposable
    {
        internal DeviceHandle Handle { get; }

        /// <summary>Opens a device.</summary>
        public Device(DeviceOptions options = null)
        {
            IntPtr found;
            using (var call = new Call())
                call.Done(Native.dragoman_device_open(DeviceOptions.Make(call, options), out found));
            Handle = new DeviceHandle(found);
        }

        /// <summary>Ends the handle; models on the device keep it.</summary>
        public void Dispose() => Handle.Dispose();

        /// <summary>All Vulkan devices, in the order of the drivers.</summary>
        /// <exception cref="DragomanException">Status.NoDevice: there is no Vulkan loader.</exception>
        public static IReadOnlyList<DeviceInfo> List()
        {
            uint count;
            Call.Check(Native.dragoman_device_count(out count));
            var found = new DeviceInfo[count];
            for (uint index = 0; index < count; ++index)
            {
                var raw = new Native.dragoman_device_info { struct_size = (uint)sizeof(Native.dragoman_device_info) };
                Call.Check(Native.dragoman_device_describe(index, &raw));
                found[index] = new DeviceInfo(&raw);
            }
            return found;
        }

        /// <summary>Memory of a device that need not be open.</summary>
        public static DeviceMemory MemoryOf(long index)
        {
            var raw = new Native.dragoman_memory_info { struct_size = (uint)sizeof(Native.dragoman_memory_info) };
            Call.Check(Native.dragoman_device_memory(Call.Unsigned(index, "index"), &raw));
            return new DeviceMemory(&raw);
        }

        /// <summary>What the device is.</summary>
        public DeviceInfo Info => Handle.GetInfo();

        /// <summary>Its memory now, and what everything on it holds.</summary>
        public DeviceMemory Memory => Handle.GetMemory();

        /// <summary>
        /// Runs every kernel on small inputs and compares: a report in JSON, which docs/devices.md explains.
        /// </summary>
        public string Check()
        {
            IntPtr report;
            using (var held = new Held(Handle)) Call.Check(Native.dragoman_device_check(held, out report));
            return Benchmark.Json(report);
        }

        /// <summary>Gives back device memory except models and what running calls and jobs use.</summary>
        public void Trim() => Handle.Trim();
    }
}
