// SPDX-License-Identifier: Apache-2.0
use crate::error::Result;
use crate::made::calls;
use crate::made::infos::{DeviceInfo, DeviceMemory};
use crate::made::options::DeviceOptions;
use crate::owned::Owned;
use crate::tools::json;
use dragoman_sys as sys;
use std::sync::Arc;

/// All Vulkan devices, in the order of the drivers; none where there is a loader but no driver.
/// [`NoDevice`](crate::Error::NoDevice) where there is no Vulkan loader.
pub fn devices() -> Result<Vec<DeviceInfo>> {
    (0..calls::device_count()?).map(calls::device_describe).collect()
}

/// Memory of a device of that list at this moment.
pub fn device_memory(index: u32) -> Result<DeviceMemory> {
    calls::device_memory(index)
}

/// A device in use. Models that are loaded onto it share one memory budget and one queue of work. Any number of threads
/// may use it; a clone is the same device.
#[derive(Clone, Debug)]
pub struct Device(Arc<Owned<sys::dragoman_device>>);

impl Device {
    /// Opens a device.
    pub fn open(options: &DeviceOptions) -> Result<Self> {
        Ok(Device(Arc::new(calls::device_open(options)?)))
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

    /// Facts about the device.
    pub fn info(&self) -> Result<DeviceInfo> {
        calls::device_get_info(&self.0)
    }

    /// Those that work together behind this one: see [`DeviceOptions::name`].
    pub fn members(&self) -> Result<Vec<DeviceInfo>> {
        (0..calls::device_member_count(&self.0)).map(|index| calls::device_member_info(&self.0, index)).collect()
    }

    /// Its memory, and what everything on it holds.
    pub fn memory(&self) -> Result<DeviceMemory> {
        calls::device_get_memory(&self.0)
    }

    /// Runs the kernels of the device on small inputs, compares with loops in double precision, and says in JSON which
    /// give wrong results. Takes seconds.
    pub fn check(&self) -> Result<String> {
        json(calls::device_check(&self.0)?)
    }

    /// Gives back device memory except models and what running calls use.
    pub fn trim(&self) -> Result<()> {
        calls::device_trim(&self.0)
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
