// SPDX-License-Identifier: Apache-2.0
package dev.dragoman;

import java.util.List;

/**
 * A device in use. Models that are loaded onto it share one memory budget and one queue of work;
 * any number of threads may use it.
 */
public final class Device extends DeviceCalls {
  Device(long address) {
    super(address);
  }

  /**
   * All Vulkan devices, in the order of the drivers; none where there is a loader but no driver.
   *
   * @return facts about each
   * @throws NoDeviceException where there is no Vulkan loader
   */
  public static List<DeviceInfo> list() {
    return Reading.list(count(), index -> describe((int) index));
  }
}
