// SPDX-License-Identifier: Apache-2.0
use crate::error::{check, Result};
use crate::made::infos::{DeviceInfo, DeviceMemory};
use crate::made::options::DeviceOptions;
use crate::owned::{read, Owned};
use crate::tools::report;
use dragoman_sys as sys;
use std::sync::Arc;

/// All Vulkan devices, in the order of the drivers; none where there is a loader but no driver.
/// [`NoDevice`](crate::Error::NoDevice) where there is no Vulkan loader.
pub fn devices() -> Result<Vec<DeviceInfo>> {
    let count = read(|count| unsafe { sys::dragoman_device_count(count) })?;
    let describe = |index| Ok(DeviceInfo::of(&read(|info| unsafe { sys::dragoman_device_describe(index, info) })?));
    (0..count).map(describe).collect()
}

/// Memory of a device of that list at this moment.
pub fn device_memory(index: u32) -> Result<DeviceMemory> {
    Ok(DeviceMemory::of(&read(|info| unsafe { sys::dragoman_device_memory(index, info) })?))
}

/// A device in use. Models that are loaded onto it share one memory budget and one queue of work. Any number of threads
/// may use it; a clone is the same device.
#[derive(Clone, Debug)]
pub struct Device(Arc<Owned<sys::dragoman_device>>);

impl Device {
    /// Opens a device.
    pub fn open(options: &DeviceOptions) -> Result<Self> {
        let open = |raw: &_| Owned::made(|device| unsafe { sys::dragoman_device_open(raw, device) });
        Ok(Device(Arc::new(options.with(open)?)))
    }

    /// Opens a `VkDevice` that the program made and keeps, as C's `dragoman_device_adopt()` says.
    ///
    /// # Safety
    ///
    /// The handles in `device` are Vulkan's and live until every model on the device is gone; its functions may be
    /// called from any thread; and the program holds the same lock whenever it uses the queue.
    pub unsafe fn adopt(device: &sys::dragoman_vulkan_device, options: &DeviceOptions) -> Result<Self> {
        let adopt = |raw: &_| Owned::made(|adopted| sys::dragoman_device_adopt(device, raw, adopted));
        Ok(Device(Arc::new(options.with(adopt)?)))
    }

    /// What it is.
    pub fn info(&self) -> Result<DeviceInfo> {
        Ok(DeviceInfo::of(&read(|info| unsafe { sys::dragoman_device_get_info(self.pointer(), info) })?))
    }

    /// Its memory, and what everything on it holds.
    pub fn memory(&self) -> Result<DeviceMemory> {
        Ok(DeviceMemory::of(&read(|info| unsafe { sys::dragoman_device_get_memory(self.pointer(), info) })?))
    }

    /// Runs the kernels of the device on small inputs, compares with loops in double precision, and says in JSON which
    /// give wrong results. Takes seconds.
    pub fn check(&self) -> Result<String> {
        report(|made| unsafe { sys::dragoman_device_check(self.pointer(), made) })
    }

    /// Gives back device memory except models and what running calls use.
    pub fn trim(&self) -> Result<()> {
        check(unsafe { sys::dragoman_device_trim(self.pointer()) })
    }

    pub(crate) fn pointer(&self) -> *mut sys::dragoman_device {
        self.0.pointer()
    }
}

impl DeviceInfo {
    /// The version of Vulkan: major, minor, patch.
    pub fn vulkan_version(&self) -> (u32, u32, u32) {
        (self.api_version >> 22, self.api_version >> 12 & 0x3ff, self.api_version & 0xfff)
    }
}
